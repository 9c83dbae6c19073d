/** `assay stats` on 5,000 finished requests: 15,000 comments, 5,000 pull requests and as many commits, given by a server on this machine. */
import {spawn} from "node:child_process";
import {createServer} from "node:http";
import {fileURLToPath} from "node:url";
import {runMarker} from "../src/github/marker.ts";

const CLI = fileURLToPath(new URL("../dist/cli.js", import.meta.url));
const REQUESTS = 5_000;
/** A request, the report, and the reply to the requester. */
const COMMENTS = 3 * REQUESTS;
const REPORT = "A line of a report, as long as most of them are in a comment on GitHub.\n".repeat(110);
const NEWEST_MS = Date.now() - 3_600_000;
const say = "process.on('exit',()=>process.stderr.write('\\nPEAK '+process.resourceUsage().maxRSS+'\\n'))";
const PEAK = `data:text/javascript,${encodeURIComponent(say)}`;

export async function measure() {
  const server = createServer((request, response) => {
    const chunks = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      const url = new URL(request.url ?? "", "http://x");
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(answerTo(url, Buffer.concat(chunks).toString())));
    });
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", () => listening(null)));
  try {
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("the server has no port");
    const run = await stats(`http://127.0.0.1:${address.port}`);
    const {runs, reverted, pullRequests} = JSON.parse(run.stdout);
    if (runs !== REQUESTS || reverted !== REQUESTS / 10 || pullRequests.merged !== REQUESTS)
      throw new Error(`other figures than were made: ${runs}, ${reverted}, ${pullRequests.merged}`);
    const bounds = [
      {what: "time for 5,000 requests", value: run.ms / 1000, bound: 10, unit: "s"},
      {what: "peak memory", value: run.megabytes, bound: 200, unit: "MB"},
    ];
    return {bounds};
  } finally {
    server.close();
  }
}

const shaOf = (at) => (at + 1).toString(16).padStart(40, "0");
/** The newest first, one every 20 minutes. */
const timeOf = (at) => new Date(NEWEST_MS - at * 1_200_000).toISOString();
const pageOf = (all, page, make) =>
  Array.from({length: Math.max(0, Math.min(100, all - (page - 1) * 100))}, (_, at) => make((page - 1) * 100 + at));

function answerTo(url, body) {
  const page = Number(url.searchParams.get("page") ?? 1);
  if (url.pathname.endsWith("/issues/comments")) return pageOf(COMMENTS, page, commentAt);
  if (url.pathname.endsWith("/pulls")) return pageOf(REQUESTS, page, pullAt);
  const {after} = JSON.parse(body).variables;
  const start = Number(after ?? 0);
  const nodes = pageOf(REQUESTS, start / 100 + 1, commitAt);
  const history = {nodes, pageInfo: {hasNextPage: start + 100 < REQUESTS, endCursor: String(start + 100)}};
  return {data: {repository: {defaultBranchRef: {target: {history}}}}};
}

function commentAt(at) {
  const number = Math.floor(at / 3);
  const time = timeOf(number);
  const isReport = at % 3 === 1;
  const user = isReport ? {login: "github-actions[bot]", id: 1, type: "Bot"} : {login: "ada", id: 2, type: "User"};
  /** @type {import("../src/record/run-facts.ts").RunFacts} */
  const facts = {
    attempts: 1,
    checks: [["test", "passed", "", 40]],
    flaky: [],
    findings: [],
    failures: [],
    pull: number,
  };
  const marker = {run: `comment-${at}`, session: null, spent: {usd: 0.5, minutes: 4}, verdict: "verified", facts};
  const text = isReport ? `${runMarker(marker)}\n${REPORT}` : "Please fix it";
  return {id: at + 1, body: text, user, created_at: time, updated_at: time};
}

function pullAt(at) {
  const time = timeOf(at);
  const head = {sha: shaOf(at + REQUESTS), ref: `assay/issue-${at}`, repo: {full_name: "own/repo"}};
  const times = {created_at: time, closed_at: time, merged_at: time};
  return {number: at + 1, ...times, merge_commit_sha: shaOf(at), head, body: "Closes #9"};
}

/** Each tenth commit reverts the one before it. */
function commitAt(at) {
  const message = at % 10 === 0 ? `Revert\n\nThis reverts commit ${shaOf(at + 1)}.` : "Add a line";
  return {oid: shaOf(at), committedDate: timeOf(at), message, statusCheckRollup: {state: "SUCCESS"}};
}

function stats(url) {
  return new Promise((resolve, reject) => {
    const from = performance.now();
    const argv = ["--import", PEAK, CLI, "stats", "--repository", "own/repo", "--json"];
    const env = {...process.env, GITHUB_TOKEN: "x", GITHUB_API_URL: url};
    const child = spawn(process.execPath, argv, {env});
    let [stdout, stderr] = ["", ""];
    child.stdout.on("data", (part) => (stdout += part));
    child.stderr.on("data", (part) => (stderr += part));
    child.on("close", (code) => {
      if (code !== 0) return reject(new Error(`stats ended with ${code}: ${stderr}`));
      const megabytes = Number(/PEAK (\d+)/.exec(stderr)?.[1]) / 1024;
      return resolve({ms: performance.now() - from, megabytes, stdout});
    });
  });
}
