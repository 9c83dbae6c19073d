/** What the doctor says of workflows, tools and tokens; the token against a real server. */
import {createServer} from "node:http";
import {expect, test} from "vitest";
import {repositoryAddress} from "../../../../src/github/server.ts";
import {filterFindings} from "../../../../src/onboarding/doctor/filters.ts";
import {serverFindings} from "../../../../src/onboarding/doctor/server.ts";
import {tokenFinding} from "../../../../src/onboarding/doctor/token.ts";
import {toolFindings} from "../../../../src/onboarding/doctor/tools.ts";
import {workflowFindings} from "../../../../src/onboarding/doctor/workflow.ts";
import {exitCode, type Finding, findingLines} from "../../../../src/onboarding/finding.ts";
import {separatedWorkflow} from "../../../../src/onboarding/init/separated-workflow.ts";
import {SETUP_ACTION, setupAction} from "../../../../src/onboarding/init/setup-action.ts";
import {callerWorkflow, singleWorkflow, WORKFLOW_FILE} from "../../../../src/onboarding/init/workflow-file.ts";
import {DEFAULT_PHRASE} from "../../../../src/request/default-phrase.ts";
import {planOf, projectOf} from "../../detect/tree.ts";

const keys = new Set(["ANTHROPIC_API_KEY"]);
const findingsOf = (text: string | null, more: Readonly<Record<string, string>> = {}, setup = true) =>
  workflowFindings({
    project: projectOf(text === null ? {} : {[WORKFLOW_FILE]: text, ...more}),
    keys,
    page: null,
    setup: {steps: setup ? ["- uses: x"] : [], comments: []},
  });
const states = (text: string | null) => findingsOf(text).map(({state}) => state);
const caller = callerWorkflow(DEFAULT_PHRASE);
const single = singleWorkflow([], DEFAULT_PHRASE);
const separated = separatedWorkflow([]);
/** What `init` wrote before: any slash started a run, and the default `@assay` did not. */
const old = single.replace(
  /if: >-\n(?: {6}.*\n)+/,
  "if: contains(github.event.comment.body || github.event.issue.body, '/')\n",
);

test.each([
  ["a call of our workflow", caller, [/^separate jobs hand over/]],
  ["all jobs in one file", separated, [/^separate jobs hand over/]],
  ["one job for github.com", single, [/^uses `deployment` and `queue`;/]],
  ["one job for this server", singleWorkflow([], DEFAULT_PHRASE, {hasNewKeys: false}), []],
  ["no workflow", null, []],
])("%s on a server of one's own", (_, text, expected) => {
  const project = projectOf(text === null ? {} : {[WORKFLOW_FILE]: text});
  const found = serverFindings({project, server: "git.example.com"});
  expect(found).toEqual(expected.map((form) => expect.objectContaining({text: expect.stringMatching(form)})));
  expect(serverFindings({project, server: null})).toEqual([]);
});

test.each([
  ["none", null, ["missing"]],
  ["the written one, without its action", caller, ["ok", "ok", "ok", "advice", "unknown"]],
  ["one job", single, ["ok", "ok", "ok", "ok", "ok", "unknown"]],
  ["all jobs in one file", separated, ["ok", "ok", "ok", "ok", "ok", "unknown"]],
  [
    "one whose publishing job may not write",
    separated.replace("contents: write", "contents: read"),
    ["ok", "ok", "missing", "ok", "ok", "unknown"],
  ],
  ["not YAML", `${caller}\n\t{[`, ["mistake"]],
  ["other events", caller.replace("issue_comment", "label"), ["missing", "ok", "ok", "advice", "unknown"]],
  [
    "a list of events",
    single.replace(/on:\n(?: .*\n)+/, "on: [issue_comment]\n"),
    ["ok", "ok", "ok", "ok", "ok", "unknown"],
  ],
  ["read only", caller.replace("contents: write", "contents: read"), ["ok", "ok", "missing", "advice", "unknown"]],
  [
    "no permissions",
    caller.replace(/ +permissions:\n(?: {6}.*\n)+|permissions: \{\}\n/g, ""),
    ["ok", "ok", "unknown", "advice", "unknown"],
  ],
  [
    "all permissions",
    single.replace(/permissions:\n(?: {6}.*\n)+/, "permissions: write-all\n"),
    ["ok", "ok", "advice", "ok", "ok", "unknown"],
  ],
  [
    "no checkout",
    single.replace(/ +- uses: actions\/checkout.*\n.*\n.*\n/, ""),
    ["ok", "ok", "ok", "missing", "ok", "unknown"],
  ],
  [
    "no sandbox",
    separated.replace(/ +- name: Install the sandbox\n(?: {8}.*\n)+/, ""),
    ["ok", "ok", "ok", "ok", "advice", "unknown"],
  ],
  ["no key", single.replace("ANTHROPIC_API_KEY:", "OTHER:"), ["ok", "ok", "ok", "ok", "ok", "missing"]],
  ["any slash", old, ["ok", "missing", "ok", "ok", "ok", "unknown"]],
  ["no condition", single.replace(/ +if: >-\n(?: {6}.*\n)+/, ""), ["ok", "advice", "ok", "ok", "ok", "unknown"]],
])("a workflow: %s", (_, text, expected) => {
  expect(states(text)).toEqual(expected);
});

test("the condition has to know the words that call Assay", () => {
  const about = (text: string) => findingsOf(text).find((one) => one.about.endsWith(" if"));
  expect(about(old)?.text).toContain("/assay, @assay, /verify");
  expect(about(callerWorkflow("/fix"))?.state).toBe("ok");
  expect(about(caller.replace("with:\n", "with:\n      trigger-phrase: /fix\n"))?.state).toBe("advice");
  expect(about(callerWorkflow("/fix").replaceAll("'/fix'", "'/mend'"))?.text).toContain("/fix");
});

test("the condition has to read the texts of the workflow's triggers", () => {
  const of = (text: string) => findingsOf(text).filter(({about}) => /assay\.yml(?: if)?$/.test(about));
  const on = ["reviews", "label:assay", "dispatch", "schedule:0 5 * * 1"];
  for (const text of [
    singleWorkflow([], DEFAULT_PHRASE, {on}),
    separatedWorkflow([], {on}),
    callerWorkflow("/fix", on),
  ]) {
    expect(of(text).map(({state, text}) => [state, text])).toEqual([
      ["ok", "runs on comments, reviews, label, dispatch, schedule"],
      ["ok", "starts a run for every command"],
    ]);
    expect(of(text.replaceAll(" || github.event.review.body", ""))[1]).toMatchObject({
      state: "missing",
      text: "does not check github.event.review.body, so some events of pull_request_review start no run",
      next: expect.stringContaining("--on reviews,label:NAME,dispatch,schedule:CRON` in an empty folder"),
    });
  }
});

test("the advice about the model's key names the place and the secret", () => {
  const adviceOf = (text: string) => findingsOf(text).find(({about}) => about.endsWith("model key"))?.next;
  const renamed = "ANTHROPIC_API_KEY: ${{ secrets.MODEL_KEY }}";
  const without = (text: string) => text.replace(/ +ANTHROPIC_API_KEY: .*\n/, "");
  expect(adviceOf(caller.replace(/ANTHROPIC_API_KEY: .*/, renamed))).toBe(
    "add the secret MODEL_KEY, unless `gh secret list` shows it: Settings → Secrets and variables → Actions",
  );
  expect(adviceOf(without(caller))).toContain("under `secrets:` of the job");
  expect(adviceOf(without(single))).toMatch(/^add `env: .* to the step$/);
});

test("the action that installs the repository's tools", () => {
  const of = (action: string | null, setup = true) =>
    findingsOf(caller, action === null ? {} : {[SETUP_ACTION]: action}, setup).find((one) => one.about === SETUP_ACTION)
      ?.state;
  expect(of("runs:\n  using: composite\n  steps: []\n")).toBe("ok");
  expect(of(setupAction({steps: [], comments: ["# add the step `dtolnay/rust-toolchain`"]}))).toBe("advice");
  expect(of("runs:\n  using: node24\n")).toBe("mistake");
  expect(of(null)).toBe("advice");
  expect(of(null, false)).toBeUndefined();
});

test("Git LFS and other filters: what holds, and whether the workflow brings the content", () => {
  const attributes = "# *.x filter=none\n*.bin filter=lfs diff=lfs\n*.key  filter=git-crypt\n";
  const findings = (workflow: string) =>
    filterFindings(projectOf({".gitattributes": attributes, [WORKFLOW_FILE]: workflow}));
  expect(findings(single).map(({about, state}) => `${about}: ${state}`)).toEqual([
    "Git LFS: advice",
    "filter git-crypt: advice",
  ]);
  const withContent = single.replace("persist-credentials: false", "persist-credentials: false, lfs: true");
  expect(findings(withContent)[0]?.state).toBe("ok");
  expect(filterFindings(projectOf({".gitattributes": "*.txt text\n"}))).toEqual([]);
});

test("a tool of the machine does not stand in for one of the project's environment", async () => {
  const files = {
    "pyproject.toml": '[project]\nname = "a"\n[tool.mypy]\n',
    "a/__init__.py": "",
    "test_a.py": "import pytest\n",
  };
  const find = async (name: string) => ({path: `/usr/bin/${name}`, version: "9"});
  const findings = await toolFindings({plan: planOf(files), find, read: () => null});
  expect(Object.fromEntries(findings.map(({about, state}) => [about, state]))).toEqual({
    python3: "ok",
    mypy: "advice",
    pytest: "unknown",
  });
});

test.each([
  ["CI's own install may bring (hukkin/tomli)", "pip install -e '.[all]'"],
  ["the environment installs (kjd/idna)", "pip install mypy"],
])("no tool is called missing that %s", async (_, install) => {
  const ci = `on: push\njobs:\n  a:\n    steps:\n      - run: ${install}\n      - run: mypy src\n`;
  const manifest = '[project]\nname = "a"\n[project.optional-dependencies]\nall = ["mypy"]\n[tool.mypy]\n';
  const plan = planOf({"pyproject.toml": manifest, ".github/workflows/a.yml": ci});
  const found = await toolFindings({
    ...{plan, read: () => null},
    find: async (name) => (name === "python3" ? {path: "/p", version: "3"} : null),
  });
  expect(found.find(({about}) => about === "mypy")).toMatchObject({
    state: "unknown",
    text: expect.stringMatching(/^the setup .* it/),
  });
});

test.each([
  ["mypy==1.2\n", /^the setup may install it, for typecheck/],
  ["black\n", /^not found here, and the set-up does not name it, for typecheck/],
])("of a set-up that CI writes, a file with %j says which tools it brings (hukkin/tomli)", async (dev, text) => {
  const ci = "on: push\njobs: {a: {steps: [{run: pip install . -r dev.txt}, {run: python -m unittest}]}}\n";
  const files = {
    ...{"pyproject.toml": '[project]\nname = "a"\n[tool.mypy]\n', "dev.txt": dev, ".github/workflows/a.yml": ci},
    "tests/test_a.py": "import unittest\n",
  };
  const read = (path: string) => new Map(Object.entries(files)).get(path) ?? null;
  const found = await toolFindings({plan: planOf(files), find: async () => null, read});
  expect(found.find(({about}) => about === "mypy")?.text).toMatch(text);
});

test("a missing tool names its stages and its step; one that only lint needs blocks nothing", async () => {
  const plan = planOf({"Cargo.toml": "[package]\nname = 'a'\nversion = '1.0.0'\n", "src/lib.rs": ""});
  const find = async (name: string) => (name === "cargo" ? {path: "/bin/cargo", version: "1.80.0"} : null);
  const found = await toolFindings({plan, find, read: () => null});
  expect(found.find(({about}) => about === "cargo")).toMatchObject({state: "ok", next: null});
  const lint = found.filter(({about}) => about !== "cargo");
  expect(lint.length).toBeGreaterThan(0);
  expect(lint.map(({state}) => state)).toEqual(lint.map(() => "advice"));
  const none = await toolFindings({plan, find: async () => null, read: () => null});
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

test("the last line says what could not be checked, and the lines of a message stay together", () => {
  const ok: Finding = {about: "a", state: "ok", text: "y", next: null};
  const unknown: Finding = {about: "b", state: "unknown", text: "y", next: "z"};
  const missing: Finding = {about: "c", state: "missing", text: "one\ntwo", next: "z"};
  const lastLine = (...findings: Finding[]) => findingLines(findings).trimEnd().split("\n").at(-1);
  expect(lastLine(ok)).toBe("Nothing is missing.");
  expect(lastLine(ok, unknown)).toBe("No problems found. Could not be checked: b. Follow the → below each ❔.");
  expect(lastLine(missing)).toBe("1 to fix.");
  expect(lastLine(missing, unknown)).toBe("1 to fix. Could not be checked: b. Follow the → below each ❔.");
  expect(findingLines([missing])).toContain("❌ c: one\n   two\n   → z\n");
});

test.each([
  ["assay.yml", /^\.github\/workflows\/assay\.yml is in this repository, but cannot be read/],
  [
    "main.yml",
    /^one of the workflows that cannot be read .*: \.github\/workflows\/a\.yml, \.github\/workflows\/main\.yml$/,
  ],
])("of unreadable workflows, only one with the name that `init` gives is called Assay's: %s", (name, text) => {
  const unreadable = "\0";
  const project = projectOf({".github/workflows/a.yml": unreadable, [`.github/workflows/${name}`]: unreadable});
  const [finding] = workflowFindings({project, keys, setup: null, page: null});
  expect(finding).toMatchObject({about: "workflow", state: "unknown", text: expect.stringMatching(text)});
});

test.each([
  ["git@github.com:ada/shop.git", "https://github.com/ada/shop"],
  ["https://ada:secret@github.com/ada/shop/", "https://github.com/ada/shop"],
  ["ssh://git@git.example.com:2222/ada/shop.git", "https://git.example.com/ada/shop"],
  ["/home/ada/shop.git", null],
  ["work:ada/shop", null],
  ["https://github.com/ada/a shop", null],
])("the repository with the remote %s has the page %s", (address, page) => {
  expect(repositoryAddress(address)).toBe(page);
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
  expect(found.map(({state}) => state)).toEqual(["unknown", "ok", "unknown"]);
});
