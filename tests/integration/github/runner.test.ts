/** The runner's environment, files and log lines, each in a process of its own as on a runner. */
import {spawn, spawnSync} from "node:child_process";
import {mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync} from "node:fs";
import {createServer} from "node:http";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {expect, onTestFinished, test} from "vitest";
import {z} from "zod";
import {readPairs} from "../../rig/runner/files.ts";

const runner = new URL("../../../src/github/runner.ts", import.meta.url).href;
const key = "sk-0123456789abcdef";
const actions = {GITHUB_ACTIONS: "true", GITHUB_REPOSITORY: "own/repo", "INPUT_GITHUB-TOKEN": "ghs_0123456789"};

/** Runs lines of code with `r` for the module; the code calls `show` once, with what the test looks at. */
function inProcess(code: string, env: Record<string, string>) {
  const script = `import * as r from ${JSON.stringify(runner)};
    const show = (value) => console.log("\\nSHOWN" + JSON.stringify(value));
    ${code}`;
  const child = spawnSync(process.execPath, ["--input-type=module", "-e", script], {env, encoding: "utf8"});
  const shown = child.stdout.split("\nSHOWN")[1];
  if (shown === undefined) throw new Error(`it showed nothing: ${child.stderr}`);
  const value: unknown = JSON.parse(shown);
  return {value, stdout: child.stdout};
}

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "assay-runner-"));
  onTestFinished(() => rmSync(made, {recursive: true}));
  return made;
}

test("inputs come from the step, defaults fill the rest", () => {
  const env = {
    ...actions,
    "INPUT_TRIGGER-PHRASE": "",
    INPUT_MODEL: " gpt-x ",
    INPUT_PROVIDER: "",
    "INPUT_AGENT-ARGS": "--tools\r\nread,bash\n\n",
    "INPUT_AGENT-TIMEOUT-MINUTES": "5",
  };
  expect(inProcess("show(r.openRunner())", env).value).toMatchObject({
    ok: true,
    value: {
      inputs: {
        "github-token": "ghs_0123456789",
        "trigger-phrase": "",
        agent: "pi",
        model: "gpt-x",
        provider: "",
        "agent-args": ["--tools", "read,bash"],
        "agent-timeout-minutes": 5,
        "bot-name": "github-actions[bot]",
      },
    },
  });
});

test("without a step there are defaults and the usual variables, and nothing is printed", () => {
  const code = 'show(r.openRunner({name: "issue_comment", path: "/event.json"}))';
  const {value, stdout} = inProcess(code, {GITHUB_TOKEN: "ghp_0123456789"});
  expect(value).toMatchObject({
    ok: true,
    value: {
      inputs: {"github-token": "ghp_0123456789", "trigger-phrase": "/assay @assay", "agent-timeout-minutes": 30},
      context: {
        eventName: "issue_comment",
        eventPath: "/event.json",
        apiUrl: "https://api.github.com",
        serverUrl: "https://github.com",
        workspace: process.cwd(),
        runUrl: null,
      },
    },
  });
  expect(stdout.startsWith("\nSHOWN")).toBe(true);
});

test("the context is the runner's own", () => {
  const env = {
    ...actions,
    GITHUB_API_URL: "http://127.0.0.1:1/api",
    GITHUB_SERVER_URL: "https://ghe.example.test",
    GITHUB_RUN_ID: "77",
    GITHUB_RUN_ATTEMPT: "2",
    GITHUB_WORKSPACE: "/w",
    RUNNER_TEMP: "/t",
    GITHUB_EVENT_NAME: "issues",
    GITHUB_EVENT_PATH: "/e.json",
    GITHUB_ACTOR: "ada",
  };
  expect(inProcess("show(r.readContext())", env).value).toEqual({
    workspace: "/w",
    temp: "/t",
    eventName: "issues",
    eventPath: "/e.json",
    apiUrl: "http://127.0.0.1:1/api",
    serverUrl: "https://ghe.example.test",
    repository: "own/repo",
    runAttempt: "2",
    runUrl: "https://ghe.example.test/own/repo/actions/runs/77/attempts/2",
  });
});

test("the agent's configuration is outside the checkout, which the agent can change", () => {
  const place = folder();
  const workspace = join(place, "workspace");
  mkdirSync(join(workspace, "agent"), {recursive: true});
  mkdirSync(join(place, "..agent"));
  symlinkSync(join(workspace, "agent"), join(place, "link"));
  const inside = [".", "agent", "./none/agent", workspace, join(workspace, "agent"), join(place, "link")];
  const outside = ["", "../agent", join(place, "..agent"), join(place, "workspace-2"), place];
  const code = `const isAccepted = (path) => {
      Object.assign(process.env, {"INPUT_AGENT-CONFIG": path, "INPUT_GITHUB-TOKEN": "ghs_0123456789"});
      return r.openRunner().ok;
    };
    show(${JSON.stringify([...inside, ...outside])}.map((path) => [path, isAccepted(path)]));`;
  const {value} = inProcess(code, {...actions, GITHUB_WORKSPACE: workspace});
  expect(value).toEqual([...inside.map((path) => [path, false]), ...outside.map((path) => [path, true])]);
});

test("all wrong inputs are named at once, and their values are not", () => {
  const env = {
    GITHUB_ACTIONS: "true",
    "INPUT_GITHUB-TOKEN": "${{ github.token }}",
    "INPUT_TRIGGER-PHRASE": "/stop-hunter2",
    INPUT_AGENT: "hunter2",
    INPUT_MODEL: "hunter2\nhunter2",
    "INPUT_AGENT-TIMEOUT-MINUTES": "0",
  };
  const {value} = inProcess("show(r.openRunner())", env);
  const {failure} = z
    .object({
      failure: z.object({
        kind: z.literal("config-invalid"),
        mistakes: z.array(z.object({path: z.string(), hint: z.string()})),
      }),
    })
    .parse(value);
  expect(failure.mistakes.map(({path}) => path)).toEqual([
    "github-token",
    "trigger-phrase",
    "agent",
    "model",
    "agent-timeout-minutes",
  ]);
  expect(JSON.stringify(value)).not.toContain("hunter2");
  expect(inProcess("show(r.openRunner())", {}).value).toMatchObject({
    ok: false,
    failure: {mistakes: [{path: "github-token"}]},
  });
});

test("secrets are masked and leave process.env, and the agent's list still has them", () => {
  const env = {
    ...actions,
    ANTHROPIC_API_KEY: key,
    "INPUT_SESSION-KEY": "sixteen-letters!",
    NPM_TOKEN: "short",
    ACTIONS_RUNTIME_TOKEN: "eyJ0123456789",
    ANTHROPIC_CUSTOM_HEADERS: "Content-Type: application/json\nAuthorization: Bearer header-0123",
    EDITOR: "vi",
  };
  const code = `const found = r.openRunner();
    show({left: Object.keys(process.env), key: found.value.variables.ANTHROPIC_API_KEY, secrets: found.value.secrets});`;
  const {value, stdout} = inProcess(code, env);
  const {
    left,
    secrets,
    key: kept,
  } = z.object({left: z.array(z.string()), key: z.string(), secrets: z.array(z.string())}).parse(value);
  expect(left).toContain("EDITOR");
  expect(left.filter((name) => /TOKEN|KEY|HEADERS/.test(name))).toEqual([]);
  expect(kept).toBe(key);
  expect(secrets.toSorted()).toEqual(
    ["eyJ0123456789", "ghs_0123456789", "header-0123", key, "sixteen-letters!"].toSorted(),
  );
  const headers = "Content-Type: application/json%0AAuthorization: Bearer header-0123";
  for (const secret of [...secrets, headers]) expect(stdout).toContain(`::add-mask::${secret}\n`);
});

test("outputs, state and summary go into the runner's files", () => {
  const [output, state, summary] = ["output", "state", "summary"].map((name) => join(folder(), name));
  if (!output || !state || !summary) throw new Error("three files were named");
  for (const file of [output, state, summary]) writeFileSync(file, "");
  const env = {GITHUB_OUTPUT: output, GITHUB_STATE: state, GITHUB_STEP_SUMMARY: summary};
  const outputs = {
    verdict: "failed",
    verified: "false",
    attempts: "2",
    commit: "",
    tree: "",
    branch: "",
    "pull-request": "",
    record: "/r",
  };
  const code = `r.writeOutputs(${JSON.stringify(outputs)});
    r.saveState("closed", "first"); r.saveState("event", "a\\nb"); r.saveState("closed", "last");
    show([await r.writeSummary("# one"), await r.writeSummary("# two"), await r.writeSummary("x".repeat(2_000_000))]);`;
  expect(inProcess(code, env).value).toEqual([true, true, false]);
  expect(readFileSync(output, "utf8")).toMatch(/^verdict<<(\S+)\nfailed\n\1\n/);
  expect(readFileSync(summary, "utf8")).toBe("# two\n");
  expect(readPairs(readFileSync(state, "utf8"))).toEqual({assay_closed: "last", assay_event: "a\nb"});
  const reading = 'show([r.readState("closed"), r.readState("event")])';
  expect(inProcess(reading, {STATE_assay_closed: "last"}).value).toEqual(["last", ""]);
});

test("a missing or spoilt runner file stops nothing", () => {
  const code = `r.writeOutputs({verdict: "x"}); r.saveState("closed", "b"); show([await r.writeSummary("x"), r.readState("closed")])`;
  const {value, stdout} = inProcess(code, {});
  expect(value).toEqual([false, ""]);
  expect(stdout.startsWith("\nSHOWN")).toBe(true);
  expect(inProcess('show(await r.writeSummary("x"))', {GITHUB_STEP_SUMMARY: "/nowhere/at/all"}).value).toBe(false);
});

test("a runner behind a proxy reaches GitHub through it", async () => {
  const asked: string[] = [];
  const proxy = createServer((request, response) => {
    asked.push(request.url ?? "");
    response.end("through the proxy");
  });
  proxy.on("connect", (request, socket) => {
    asked.push(request.url ?? "");
    socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n");
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void proxy.close());
  const address = proxy.address();
  if (address === null || typeof address === "string") throw new Error("the proxy does not listen");
  const script = `import * as r from ${JSON.stringify(runner)};
    r.openRunner();
    await fetch("http://api.example.test/x").catch(() => undefined);`;
  const env = {http_proxy: `http://127.0.0.1:${address.port}`, GITHUB_TOKEN: "ghp_0123456789"};
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {env, stdio: "ignore"});
  await new Promise((resolve) => child.on("exit", resolve));
  expect(asked.join()).toContain("api.example.test");
});
