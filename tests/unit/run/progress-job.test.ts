/** Which job the comment of a run in separate jobs names, from what GitHub says about the jobs. */
import {expect, test} from "vitest";
import {currentJob} from "../../../src/run/jobs/progress-job.ts";

const jobs = (statuses: Readonly<Record<string, string>>) =>
  Object.entries(statuses).map(([name, status]) => ({name, status, html_url: `u/${name}`, started_at: "t"}));

test.each([
  [{Admit: "completed"}, "work"],
  [{Admit: "completed", Work: "queued"}, "work"],
  [{"Assay / Admit": "completed", "Assay / Work": "in_progress"}, "work"],
  [{Work: "completed"}, "verify"],
  [{Work: "completed", Verify: "queued", Publish: "waiting"}, "verify"],
  [{Work: "completed", "Verify (1)": "completed", "Verify (2)": "in_progress"}, "verify"],
])("%j is %s", (statuses, job) => {
  expect(currentJob(jobs(statuses), true)?.job).toBe(job);
});

test("nothing is shown once the publishing job may write", () => {
  for (const statuses of [
    {Work: "completed", Verify: "completed"},
    {Work: "completed", Verify: "in_progress", Publish: "in_progress"},
    {Work: "in_progress", Publish: "completed"},
  ])
    expect(currentJob(jobs(statuses), true)).toBeNull();
});

test("without an agent the checks come first, and the link and the clock are those of the running job", () => {
  expect(currentJob([], false)).toEqual({job: "verify", url: null, startedAt: null});
  const running = jobs({Work: "skipped", "A / Verify (1)": "completed", "A / Verify (2)": "in_progress"});
  expect(currentJob(running, false)).toEqual({job: "verify", url: "u/A / Verify (2)", startedAt: "t"});
});
