/** `assay verify --affected` and `--watch`: less than everything is never called verified. */
import {spawn} from "node:child_process";
import {once} from "node:events";
import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {expect, onTestFinished, test} from "vitest";
import {assay} from "../rig/command-line.ts";
import {git} from "../rig/git.ts";
import {PRODUCT} from "../rig/runner.ts";

const testOf = (name: string, sum: number) =>
  `require("node:test").test("${name}", () => require("node:assert").equal(1 + 2, ${sum}));\n`;

/** A repository with two files of tests that `node --test` can run one by one. */
async function twoTests(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "assay-affected-"));
  onTestFinished(() => rmSync(folder, {recursive: true}));
  mkdirSync(join(folder, "test"));
  writeFileSync(join(folder, "package.json"), '{"scripts": {"test": "node --test"}}');
  for (const name of ["a", "b"]) writeFileSync(join(folder, `test/${name}.test.js`), testOf(name, 3));
  await git(folder, ["init", "-q"]);
  await git(folder, ["add", "."]);
  await git(folder, ["-c", "user.name=ada", "-c", "user.email=ada@example.com", "commit", "-qm", "First"]);
  return folder;
}

test("a run of the affected tests is partial, and has no green icon", async () => {
  const folder = await twoTests();
  writeFileSync(join(folder, "test/b.test.js"), `${testOf("b", 3)}${testOf("c", 3)}`);
  const {status, stdout} = assay(folder, ["verify", "--affected"]);
  expect({status, stdout}).toMatchObject({status: 2, stdout: expect.stringContaining("passed, 2 tests (node --test")});
  expect(stdout).toContain("Run only for what the change affects: test");
  expect(stdout).not.toContain("✅");
});

test("a failure in an affected test is a failure, and where nothing can be narrowed, all checks run", async () => {
  const folder = await twoTests();
  writeFileSync(join(folder, "test/b.test.js"), `${testOf("b", 3)}${testOf("c", 4)}`);
  expect(assay(folder, ["verify", "--affected"])).toMatchObject({
    status: 1,
    stdout: expect.stringContaining("❌ test"),
  });
  await git(folder, ["checkout", "-q", "."]);
  writeFileSync(join(folder, "index.js"), "module.exports = 1;\n");
  expect(assay(folder, ["verify", "--affected"])).toMatchObject({
    status: 0,
    stdout: expect.stringContaining("2 tests"),
  });
});

test("`--watch` verifies again what a change affects, and ends with the exit code of the last verdict", async () => {
  const folder = await twoTests();
  writeFileSync(join(folder, "test/b.test.js"), `${testOf("b", 3)}${testOf("c", 4)}`);
  const child = spawn(process.execPath, [join(PRODUCT, "dist/cli.js"), "verify", "--watch"], {
    cwd: folder,
    env: {...process.env, NO_COLOR: "1"},
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (output += text));
  const rounds = () => output.match(/Waiting for a change/g)?.length ?? 0;
  await expect.poll(rounds, {timeout: 60_000}).toBe(1);
  // The two streams end in any order.
  await expect.poll(() => output, {timeout: 60_000}).toContain("❌ Tests failed");
  const [first] = [output.length];
  writeFileSync(join(folder, "test/b.test.js"), `${testOf("b", 3)}${testOf("d", 3)}`);
  await expect.poll(rounds, {timeout: 60_000}).toBe(2);
  await expect.poll(() => output.slice(first), {timeout: 60_000}).toContain("☑️ Requested checks passed");
  expect(output.slice(first)).not.toContain("✅");
  // The same files need no other verdict.
  const second = output.length;
  writeFileSync(join(folder, "test/b.test.js"), `${testOf("b", 3)}${testOf("d", 3)}`);
  await expect.poll(rounds, {timeout: 60_000}).toBe(3);
  expect(output.slice(second)).toBe("Waiting for a change. Ctrl-C ends.\n");
  child.kill("SIGINT");
  expect(await once(child, "exit")).toEqual([2, null]);
});
