/** The lookup of new packages: the real npm asks a registry on loopback; other programs are stand-ins with documented answers. */
import {chmod, mkdir, mkdtemp, rm, writeFile} from "node:fs/promises";
import {createServer} from "node:http";
import {delimiter, join} from "node:path";
import {text} from "node:stream/consumers";
import {createGunzip} from "node:zlib";
import {afterAll, beforeAll, expect, test} from "vitest";
import {DEFAULT_CONFIG} from "../../../src/detect/config/config.ts";
import {openCheckouts} from "../../../src/engine/checkout/checkout.ts";
import {chooseSandbox} from "../../../src/engine/isolation/choose-sandbox.ts";
import {stageHome} from "../../../src/engine/isolation/home.ts";
import {openRepository} from "../../../src/git/repository.ts";
import type {Verdict} from "../../../src/record/verification.ts";
import {lookUpPackages} from "../../../src/verify/look-up-packages.ts";
import {git} from "../../rig/git.ts";

const {signal} = new AbortController();
const VULNERABLE = {url: "https://github.com/advisories/GHSA-aaaa-bbbb-cccc", title: "Prototype Pollution", id: 1};
let folder: string;
/** What the registry was asked, and the time that it says the releases are from. */
const asked: string[] = [];
let supportsAudit = true;
let released = "2020-01-01T00:00:00.000Z";

const registry = createServer(async (request, response) => {
  const path = decodeURIComponent(request.url ?? "");
  const isAudit = path.includes("/advisories/bulk");
  const body = isAudit ? await text(request.pipe(createGunzip())) : "";
  asked.push(`${path} ${body}`);
  if (isAudit && !supportsAudit) return void response.writeHead(405).end();
  const name = path.split("/").at(-1) ?? "";
  const manifest = {name, version: "1.0.0", dist: {tarball: "http://127.0.0.1/none.tgz"}};
  const entries = {left: [{...VULNERABLE, severity: "high", vulnerable_versions: "<2.0.0"}]};
  const document = isAudit
    ? Object.fromEntries(Object.entries(entries).filter(([key]) => body.includes(`"${key}"`)))
    : {name, "dist-tags": {latest: "1.0.0"}, versions: {"1.0.0": manifest}, time: {"1.0.0": released}};
  response.setHeader("content-type", "application/json").end(JSON.stringify(document));
});
let address: string;

beforeAll(async () => {
  // Every sandbox has a temporary folder of its own, so this one is elsewhere.
  folder = await mkdtemp(join(import.meta.dirname, "../../../node_modules/.assay-advisories-"));
  await new Promise<void>((resolve) => registry.listen(0, "127.0.0.1", resolve));
  const port = registry.address();
  address = typeof port === "object" && port !== null ? `http://127.0.0.1:${port.port}/` : "";
});
afterAll(async () => {
  registry.close();
  await rm(folder, {recursive: true, force: true, maxRetries: 3});
});

const fence = await chooseSandbox({sandbox: "auto", network: "all", folder: import.meta.dirname});

const npmLock = (packages: Readonly<Record<string, object>>) =>
  JSON.stringify({name: "own", lockfileVersion: 3, packages: {"": {name: "own"}, ...packages}});
const FROM_NPM = {version: "1.0.0", resolved: "https://registry.npmjs.org/x/-/x-1.0.0.tgz"};

/** The findings about a change of `path` between two texts, on a machine with these programs besides the usual ones. */
async function lookUp(options: {
  path: string;
  before?: string;
  after: string;
  programs?: Readonly<Record<string, string>>;
  onlyPrograms?: boolean;
  verdict?: Verdict;
  level?: "off";
  isBehind?: boolean;
}) {
  const {path, programs = {}, verdict = {kind: "verified"}, level} = options;
  const at = (name: string) => join(one, name);
  const one = await mkdtemp(join(folder, "one-"));
  await mkdir(at("home"));
  await mkdir(at("bin"));
  await writeFile(at("home/.npmrc"), `registry=${address}\n`);
  for (const [name, script] of Object.entries(programs)) {
    await writeFile(at(`bin/${name}`), script);
    await chmod(at(`bin/${name}`), 0o755);
  }
  await git(one, ["init", "-q", at("origin")]);
  const commits: string[] = [];
  for (const content of [options.before ?? "", options.after]) {
    await writeFile(at(`origin/${path}`), content);
    await git(at("origin"), ["add", "-A"]);
    await git(at("origin"), ["commit", "-q", "--allow-empty", "-m", "Change"]);
    commits.push(await git(at("origin"), ["rev-parse", "HEAD"]));
  }
  const [base = "", commit = ""] = commits;
  const opened = await openRepository({
    ...{folder: at("bot.git"), source: {kind: "local", folder: at("origin")}, variables: process.env},
  });
  if (!opened.ok) throw new Error("no repository");
  await opened.value.fetch(commit);
  await opened.value.fetch(base);
  const usual = options.onlyPrograms === true ? ["/usr/bin", "/bin"] : [process.env["PATH"]];
  const PATH = [at("bin"), ...usual].join(delimiter);
  const checkouts = openCheckouts({
    ...{folder: at("checkouts"), repository: opened.value, base, setup: [], isolation: fence, signal},
    dependencies: {kind: "install"},
    home: stageHome({realHome: at("home"), variables: {PATH}, isolation: fence, private: []}),
    onEvent: () => undefined,
  });
  const candidate = {base, commit, tree: "0".repeat(40)};
  const rules = {...DEFAULT_CONFIG.integrity, level: level === undefined ? {} : {advisories: level}};
  const verification = {changes: [{path, status: "modified" as const}], checkouts};
  const evidence = Promise.resolve({verdict});
  const changeBase = options.isBehind === true ? {base, head: commit, isExact: false} : null;
  const findings = await lookUpPackages({
    changeBase,
    repository: opened.value,
    candidate,
    rules,
    signal,
    verification,
    evidence,
  });
  return findings.map((finding) => `${finding.level} ${finding.path}: ${finding.message}`);
}

test("npm names the vulnerability of a new package, and is asked for nothing but the new ones", async () => {
  asked.length = 0;
  const old = {"node_modules/old": FROM_NPM};
  const after = npmLock({...old, "node_modules/left": FROM_NPM, "node_modules/right": FROM_NPM});
  expect(await lookUp({path: "package-lock.json", before: npmLock(old), after})).toEqual([
    "flag package-lock.json: `left` 1.0.0 has known vulnerabilities: Prototype Pollution (GHSA-aaaa-bbbb-cccc, high)",
  ]);
  expect(asked.some((line) => line.includes(`{"left":["1.0.0"],"right":["1.0.0"]}`))).toBe(true);
  expect(asked.filter((line) => line.includes("old"))).toEqual([]);
});

test("a package without one is said to have none, and a young release is named", async () => {
  released = new Date().toISOString();
  const after = npmLock({"node_modules/right": FROM_NPM});
  expect(await lookUp({path: "package-lock.json", before: npmLock({}), after})).toEqual([
    "note package-lock.json: `npm audit` knows no vulnerability of the new package",
    `note package-lock.json: \`right\` 1.0.0 was released on ${released.slice(0, 10)}, less than 7 days ago`,
  ]);
});

test("names of a private source are shown to nobody", async () => {
  asked.length = 0;
  const own = {version: "1.0.0", resolved: "https://npm.example.org/secret/-/secret-1.0.0.tgz"};
  const after = npmLock({"node_modules/secret": own});
  expect(await lookUp({path: "package-lock.json", before: npmLock({}), after})).toEqual([
    "note package-lock.json: Known vulnerabilities of the new package were not looked up: a private source, or too many",
  ]);
  expect(asked).toEqual([]);
});

test.each(["--registry=http://127.0.0.1:1", "owner/name", "x\n--index-url=http://127.0.0.1:1"])(
  "a name such as %j is given to no program",
  async (name) => {
    asked.length = 0;
    const after = npmLock({[`node_modules/${name}`]: FROM_NPM});
    const [finding] = await lookUp({path: "package-lock.json", before: npmLock({}), after});
    expect(finding).toContain("were not looked up");
    expect(asked).toEqual([]);
  },
);

const PIP_LOCK = (name: string) =>
  `[[package]]\nname = "${name}"\nversion = "0.5"\nsource = { registry = "https://pypi.org/simple" }\n`;
const PIP_ANSWER = {
  dependencies: [{name: "flask", version: "0.5", vulns: [{id: "PYSEC-2019-179", description: "Flask is weak. More."}]}],
};
const OSV_ANSWER = {
  results: [
    {packages: [{package: {name: "flask"}, vulnerabilities: [{id: "X-1", aliases: ["GHSA-1"], summary: "Weak"}]}]},
  ],
};
const CARGO_ANSWER = {
  vulnerabilities: {list: [{advisory: {id: "RUSTSEC-1", title: "Unsound"}, package: {name: "flask", version: "0.5"}}]},
};
const answers = (document: object) => `#!/bin/sh\nls > /dev/null\necho '${JSON.stringify(document)}'\nexit 1\n`;

test.each([
  ["uv.lock", "pip-audit", PIP_ANSWER, "Flask is weak. (PYSEC-2019-179)"],
  ["Cargo.lock", "cargo-audit", CARGO_ANSWER, "Unsound (RUSTSEC-1)"],
  ["uv.lock", "osv-scanner", OSV_ANSWER, "Weak (GHSA-1)"],
])("%s: the answer of %s is read", async (path, program, answer, words) => {
  const source = path === "Cargo.lock" ? `source = "registry+https://github.com/rust-lang/crates.io-index"` : "";
  const after = path === "Cargo.lock" ? `[[package]]\nname = "flask"\nversion = "0.5"\n${source}\n` : PIP_LOCK("flask");
  const programs = {[program]: answers(answer)};
  expect(await lookUp({path, after, programs, onlyPrograms: true})).toEqual([
    `flag ${path}: \`flask\` 0.5 has known vulnerabilities: ${words}`,
  ]);
});

test("no program, and one that does not answer, are said", async () => {
  const [none] = await lookUp({path: "uv.lock", after: PIP_LOCK("flask"), onlyPrograms: true});
  expect(none).toMatch(/were not looked up: this machine has no `pip-audit` or `osv-scanner`$/);
  const programs = {"pip-audit": "#!/bin/sh\necho 'no network' >&2\nexit 1\n"};
  const [refused] = await lookUp({path: "uv.lock", after: PIP_LOCK("flask"), programs, onlyPrograms: true});
  expect(refused).toMatch(/were not looked up: `pip-audit`: no network$/);
});

test("a package that the program does not know is not said to be safe", async () => {
  const reason = "Dependency not found on PyPI and could not be audited: flask (0.5)";
  const programs = {"pip-audit": answers({dependencies: [{name: "flask", skip_reason: reason}], fixes: []})};
  expect(await lookUp({path: "uv.lock", after: PIP_LOCK("flask"), programs, onlyPrograms: true})).toEqual([
    "note uv.lock: Known vulnerabilities of the new package were not looked up: `pip-audit` does not know them",
  ]);
});

test("a registry that does not support the lookup is named", async () => {
  supportsAudit = false;
  const after = npmLock({"node_modules/right": FROM_NPM});
  const [finding] = await lookUp({path: "package-lock.json", before: npmLock({}), after});
  supportsAudit = true;
  expect(finding).toMatch(/^note .* were not looked up: `npm audit`: 405 Method Not Allowed/);
});

test("a lock file that cannot be read, and a head behind its base, are not silent", async () => {
  const damaged = {path: "uv.lock", after: "[[package]\n"};
  expect(await lookUp(damaged)).toEqual([
    "note uv.lock: Known vulnerabilities of new packages were not looked up: the file could not be read",
  ]);
  expect(await lookUp({path: "uv.lock", after: PIP_LOCK("flask"), isBehind: true})).toEqual([
    "note uv.lock: Known vulnerabilities of new packages were not looked up: the pull request is behind its base",
  ]);
});

test("nothing runs for a failed change, without new packages, or where the owner has switched it off", async () => {
  const after = PIP_LOCK("flask");
  const quiet = {path: "uv.lock", after, onlyPrograms: true};
  expect(await lookUp({...quiet, verdict: {kind: "failed", stages: ["test"]}})).toEqual([]);
  expect(await lookUp({...quiet, before: after})).toEqual([]);
  expect(await lookUp({...quiet, level: "off"})).toEqual([]);
});
