/** The version that the workflow runs: this one's, another commit, or a tag that can move. */
import {expect, test} from "vitest";
import {pinFindings} from "../../../../src/onboarding/doctor/version.ts";
import {callerWorkflow, singleWorkflow} from "../../../../src/onboarding/init/workflow-file.ts";
import {projectOf} from "../../detect/tree.ts";

const OTHER = "0123456789".repeat(4);
const own = callerWorkflow("/assay");
const at = (ref: string) => own.replace(/(separated\.yml)@[0-9a-f]{40}.*/, `$1@${ref}`);
const findingsOf = (text: string | null) =>
  pinFindings(projectOf(text === null ? {} : {".github/workflows/assay.yml": text}));

test("the release behind a commit is named by its comment, and a difference is no error", () => {
  expect(findingsOf(own)).toMatchObject([
    {state: "ok", text: expect.stringMatching(/^runs Assay at .+ \([0-9a-f]{12}\)$/)},
  ]);
  const [older] = findingsOf(at(`${OTHER} # v1.2.3`));
  expect(older).toMatchObject({state: "advice", next: expect.stringContaining("init --update")});
  expect(older?.text).toMatch(/^runs Assay at v1\.2\.3 \(012345678901\); this version writes .+/);
});

test("written jobs are compared with the action only", () => {
  const [older] = findingsOf(
    singleWorkflow([], "/assay").replaceAll(/(assay)@[0-9a-f]{40}.*/g, `$1@${OTHER} # v1.2.3`),
  );
  expect(older?.text).toMatch(/this version writes [^,]+ \([0-9a-f]{12}\)$/);
});

test("a tag is named as what it is", () => {
  expect(findingsOf(at("v1"))).toMatchObject([
    {state: "advice", text: "runs Assay at v1, which can move to other code"},
  ]);
});

test("without a workflow nothing is said", () => {
  expect(findingsOf(null)).toEqual([]);
});
