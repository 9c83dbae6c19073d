/** GitHub's limits on creating content at a simulated time: many runs at once, with the real client, its pace and the live comment. */
import {getGlobalDispatcher, MockAgent, setGlobalDispatcher} from "undici";
import {expect, onTestFinished, test, vi} from "vitest";
import {connect} from "../../../src/github/client.ts";
import {openLiveComment} from "../../../src/run/live-comment.ts";

const MINUTE_MS = 60_000;
const REPORT = "the report";

interface Write {
  readonly at: number;
  readonly isRefused: boolean;
  readonly isLiveEdit: boolean;
}

/**
 * Refuses as GitHub's documentation says: 80 writes a minute, 500 an hour. It does not say whose writes GitHub adds up:
 * those of a token, which is one repository's by default, or those of an account. Here all are added up.
 */
function simulateGitHub(address: string) {
  vi.useFakeTimers({now: 0});
  const writes: Write[] = [];
  const agent = new MockAgent();
  agent.disableNetConnect();
  const before = getGlobalDispatcher();
  setGlobalDispatcher(agent);
  onTestFinished(() => {
    setGlobalDispatcher(before);
    vi.useRealTimers();
  });
  for (const method of ["POST", "PATCH", "DELETE"])
    agent
      .get(address)
      .intercept({method, path: () => true})
      .reply((request) => {
        const at = Date.now();
        const accepted = writes.filter((one) => !one.isRefused);
        const isOver = (spanMs: number, most: number) => accepted.filter((one) => at - one.at < spanMs).length >= most;
        const isRefused = isOver(MINUTE_MS, 80) || isOver(60 * MINUTE_MS, 500);
        const {body = ""} = JSON.parse(String(request.body || "{}"));
        writes.push({at, isRefused, isLiveEdit: method === "PATCH" && body !== REPORT});
        const headers = {"content-type": "application/json", ...(isRefused && {"retry-after": "60"})};
        const comment = {id: 1, body, user: null, created_at: "", updated_at: ""};
        return {
          statusCode: isRefused ? 403 : 200,
          data: isRefused ? {message: "You have exceeded a secondary rate limit"} : comment,
          responseOptions: {headers},
        };
      })
      .persist();
  return writes;
}

/** What a person's request writes that ends with a pull request. Returns how long the report took. */
async function simulateRun(address: string, run: number): Promise<number> {
  const github = connect({token: "x", apiUrl: address, repository: `acme/app-${run}`, log: () => {}});
  const trigger = {kind: "comment", id: run} as const;
  const isIt = () => true;
  const eyes = github.react({trigger, content: "eyes"});
  await github.createComment({number: 1, body: "It starts.", isIt});
  await eyes;
  const comment = openLiveComment({github, number: 1, isIt, id: 1});
  comment.show(() => `Working for ${Date.now()} ms.`);
  await new Promise((over) => setTimeout(over, (3 + ((run * 7) % 29)) * MINUTE_MS));
  await github.createComment({number: 2, body: "The pull request, which is one write as well.", isIt});
  const startMs = Date.now();
  const report = await comment.finish(REPORT);
  const tookMs = Date.now() - startMs;
  await github.react({trigger, content: "rocket"});
  await github.unreact({trigger, reaction: 1});
  await github.createComment({number: 1, body: "@ada It is done.", isIt});
  return report.ok ? tookMs : Number.POSITIVE_INFINITY;
}

/** Returns how long the reports took. */
async function simulateRuns(address: string, count: number): Promise<number[]> {
  let isOver = false;
  const reports = Promise.all(Array.from({length: count}, (_, run) => simulateRun(address, run)));
  void reports.finally(() => {
    isOver = true;
  });
  while (!isOver) await vi.advanceTimersByTimeAsync(1_000);
  return reports;
}

test("8 requests at the same moment in one repository never reach them", async () => {
  const writes = simulateGitHub("http://one.test");
  const tookMs = await simulateRuns("http://one.test", 8);
  expect(writes.filter(({isRefused}) => isRefused)).toEqual([]);
  expect(Math.max(...tookMs)).toBeLessThan(3_000);
});

test("40 of one account reach them once, by live edits, which then give way: no report waits", async () => {
  const writes = simulateGitHub("http://all.test");
  const tookMs = await simulateRuns("http://all.test", 40);
  const refused = writes.filter(({isRefused}) => isRefused);
  // At the second 10, after 80 first words: no run knows of the others before that.
  expect(refused.filter(({at, isLiveEdit}) => !isLiveEdit || at > MINUTE_MS)).toEqual([]);
  expect(refused).toHaveLength(40);
  expect(Math.max(...tookMs)).toBeLessThan(3_000);
});

test("a note about a job that is refused is not repeated later, when it could replace the report", async () => {
  const address = "http://note.test";
  const writes = simulateGitHub(address);
  const github = connect({token: "x", apiUrl: address, repository: "acme/app", log: () => {}});
  writes.push(...Array.from({length: 80}, () => ({at: 0, isRefused: false, isLiveEdit: false})));
  const comment = openLiveComment({github, number: 1, isIt: () => true, id: 1});
  const note = comment.note("The job runs.");
  await vi.advanceTimersByTimeAsync(5 * MINUTE_MS);
  await note;
  expect(writes.slice(80).map(({isRefused}) => isRefused)).toEqual([true]);
});
