/** What the doctor says of workflows, tools and tokens; the token against a real server. */
import {createServer} from "node:http";
import {expect, test} from "vitest";
import {exitCode, type Finding, findingLines} from "../../../src/doctor/finding.ts";
import {tokenFinding} from "../../../src/doctor/token.ts";
import {toolFindings} from "../../../src/doctor/tools.ts";
import {workflowFindings} from "../../../src/doctor/workflow.ts";
import {separatedWorkflow} from "../../../src/init/separated-workflow.ts";
import {WORKFLOW_FILE, workflowFile} from "../../../src/init/workflow-file.ts";
import {planOf, projectOf} from "../plan/tree.ts";

const keys = new Set(["ANTHROPIC_API_KEY"]);
const states = (text: string | null) =>
  workflowFindings({project: projectOf(text === null ? {} : {[WORKFLOW_FILE]: text}), keys}).map(({state}) => state);
const good = workflowFile([]);
const CALLER = [
  "on: {issue_comment: {types: [created]}}",
  "jobs:",
  "  assay:",
  "    permissions: {contents: write, issues: write, pull-requests: write, checks: write}",
  "    uses: assay-run/assay/.github/workflows/separated.yml@v0",
  '    secrets: {ANTHROPIC_API_KEY: "${{ secrets.ANTHROPIC_API_KEY }}"}',
].join("\n");

test.each([
  ["none", null, ["missing"]],
  ["the written one", good, ["ok", "ok", "ok", "unknown"]],
  ["the separated one", separatedWorkflow([]), ["ok", "ok", "ok", "unknown"]],
  [
    "one whose publishing job may not write",
    separatedWorkflow([]).replace("contents: write", "contents: read"),
    ["ok", "missing", "ok", "unknown"],
  ],
  ["one that calls ours", CALLER, ["ok", "ok", "unknown"]],
  ["not YAML", `${good}\n\t{[`, ["mistake"]],
  ["other events", good.replace("issue_comment", "label"), ["missing", "ok", "ok", "unknown"]],
  ["a list of events", good.replace(/on:.*\n/, "on: [issue_comment]\n"), ["ok", "ok", "ok", "unknown"]],
  ["read only", good.replace("contents: write", "contents: read"), ["ok", "missing", "ok", "unknown"]],
  ["no permissions", good.replace(/permissions:.*\n/, ""), ["ok", "unknown", "ok", "unknown"]],
  ["all permissions", good.replace(/permissions:.*\n/, "permissions: write-all\n"), ["ok", "advice", "ok", "unknown"]],
  ["no checkout", good.replace(/.*checkout.*\n/, ""), ["ok", "ok", "missing", "unknown"]],
  ["no key", good.replace("ANTHROPIC_API_KEY:", "OTHER:"), ["ok", "ok", "ok", "missing"]],
])("a workflow: %s", (_, text, expected) => {
  expect(states(text)).toEqual(expected);
});

test("a missing tool names its stages and its step; one that only lint needs blocks nothing", async () => {
  const plan = planOf({"Cargo.toml": "[package]\nname = 'a'\nversion = '1.0.0'\n", "src/lib.rs": ""});
  const find = async (name: string) => (name === "cargo" ? {path: "/bin/cargo", version: "1.80.0"} : null);
  const found = await toolFindings({plan, find});
  expect(found.find(({about}) => about === "cargo")).toMatchObject({state: "ok", next: null});
  const lint = found.filter(({about}) => about !== "cargo");
  expect(lint.length).toBeGreaterThan(0);
  expect(lint.map(({state}) => state)).toEqual(lint.map(() => "advice"));
  const none = await toolFindings({plan, find: async () => null});
  const cargo = none.find(({about}) => about === "cargo");
  expect(cargo?.state).toBe("missing");
  expect(cargo?.text).toContain("test");
  expect(cargo?.next).toMatch(/add the step/);
});

test.each([
  [["ok", "advice", "unknown"], 0],
  [["ok", "missing"], 2],
  [["missing", "mistake"], 3],
] as const)("%j ends with %i", (given, expected) => {
  const findings: Finding[] = given.map((state) => ({about: "x", state, text: "y", next: state === "ok" ? null : "z"}));
  expect(exitCode(findings)).toBe(expected);
  expect(findingLines(findings)).toContain("→ z");
});

test.each([
  [200, {permissions: {push: true}}, "ok"],
  [200, {permissions: {push: false}}, "missing"],
  [200, {id: 1}, "unknown"],
  [401, {message: "Bad credentials"}, "missing"],
  [404, {message: "Not Found"}, "missing"],
  [500, {}, "unknown"],
] as const)("a token that GitHub answers with %i %j is %s", async (status, body, expected) => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.url} ${request.headers.authorization}`);
    response.writeHead(status, {"content-type": "application/json"}).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  const finding = await tokenFinding({token: "t0ken", apiUrl: `http://127.0.0.1:${port}`, repository: "o/r"});
  server.close();
  expect(finding.state).toBe(expected);
  expect(asked).toEqual(["/repos/o/r Bearer t0ken"]);
  expect(JSON.stringify(finding)).not.toContain("t0ken");
});

test("without a token, a name or an answer nothing is claimed", async () => {
  const asked = {token: "t", apiUrl: "http://127.0.0.1:1", repository: "o/r"};
  const given = [asked, {...asked, token: ""}, {...asked, repository: ""}];
  const found = await Promise.all(given.map(tokenFinding));
  expect(found.map(({state}) => state)).toEqual(["unknown", "unknown", "unknown"]);
});
