/** The release script points the shipped workflows at the right commits, and changes nothing else. */
import {execFileSync, spawnSync} from "node:child_process";
import {cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {expect, onTestFinished, test} from "vitest";
import {bareGitEnvironment} from "../rig/git.ts";

const root = new URL("../..", import.meta.url).pathname;
const PARTS = [
  "src",
  "lifecycle",
  "scripts",
  "docs",
  "dist",
  ".github",
  "README.md",
  "package.json",
  "package-lock.json",
];

test("two commits: the called workflow runs the action, and the callers call that workflow", () => {
  const folder = mkdtempSync(join(tmpdir(), "assay-pin-"));
  onTestFinished(() => rmSync(folder, {recursive: true}));
  for (const part of PARTS) cpSync(join(root, part), join(folder, part), {recursive: true});
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  const names = {GIT_AUTHOR_NAME: "Ada", GIT_AUTHOR_EMAIL: "ada@example.com"};
  const env = {
    ...process.env,
    ...bareGitEnvironment(),
    ...names,
    GIT_COMMITTER_NAME: "Ada",
    GIT_COMMITTER_EMAIL: "a@b.c",
  };
  const git = (...args: string[]) => execFileSync("git", args, {cwd: folder, env, encoding: "utf8"}).trim();
  const pin = () => spawnSync(process.execPath, ["scripts/pin.mjs", "v9.9.9"], {cwd: folder, env, encoding: "utf8"});
  git("init", "-q");
  writeFileSync(join(folder, ".git/info/exclude"), "node_modules\n");
  expect(pin().stderr).toMatch(/^Commit everything first/);
  git("add", "--all");
  git("commit", "-q", "-m", "All");

  expect(pin()).toMatchObject({status: 0, stderr: ""});
  const build = spawnSync("node_modules/.bin/bun", ["scripts/build.mjs", "--check"], {cwd: folder, env});
  expect(build.status).toBe(0);
  const [called, action] = [git("rev-parse", "HEAD~1"), git("rev-parse", "HEAD~2")];
  const at = (commit: string, file: string) => git("show", `${commit}:${file}`);
  expect(git("log", "--format=%s", "-2")).toBe("Call the workflow that runs v9.9.9\nRun v9.9.9 in the called workflow");
  const uses = (text: string) => [...new Set([...text.matchAll(/uses: (assay-run\/.*)/g)].map(([, name]) => name))];
  expect(uses(at(called, ".github/workflows/separated.yml"))).toEqual([
    `assay-run/assay@${action} # v9.9.9`,
    `assay-run/assay/setup@${action} # v9.9.9`,
  ]);
  const caller = [`assay-run/assay/.github/workflows/separated.yml@${called} # v9.9.9`];
  for (const file of ["docs/workflows/assay.yml", ".github/workflows/assay.yml", "README.md"])
    expect(uses(readFileSync(join(folder, file), "utf8"))).toEqual(caller);
  const changed = git("diff", "--name-only", action).split("\n");
  expect(
    changed.filter((file) => !/workflows\/|^dist\/|^README\.md$|^src\/onboarding\/init\/action-pins\.ts$/.test(file)),
  ).toEqual([]);
});
