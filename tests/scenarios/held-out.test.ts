/** Tests that another session writes before the work: one prompt in words, then a warning, and no trace in the agent's world. */
import {randomBytes, randomInt} from "node:crypto";
import {expect, onTestFailed, test} from "vitest";
import {type Action, bash, writeFileAt} from "../rig/model.ts";
import {PRODUCT_FILES, plain, WRITES} from "../rig/projects.ts";
import {assertPromises} from "../rig/promises.ts";
import {createRig} from "../rig/rig.ts";
import {MODES} from "../rig/separated.ts";
import type {Rig} from "../rig/world.ts";
import {isSweep, someOf} from "../sweep.ts";

const REQUEST = "Add `product` to src/product.js. It must multiply its arguments.";
const VERIFY = {heldOut: true, maxFixAttempts: 1, integrity: {sensitivity: "off"}, executedLines: false};
/** A file, a title, a helper and an expected value that are nowhere else on the machine, not even in this file. */
const MARK = randomBytes(5).toString("hex");
const [FILE, TITLE, HELPER, VALUE] = [`f${MARK}`, `t${MARK}`, `h${MARK}`, `${randomInt(1e9, 9e9)}`] as const;
const TRACES = [FILE, TITLE, HELPER, VALUE];
const heldOut = (expected: string = VALUE) =>
  writeFileAt(
    `tests/${FILE}.test.js`,
    `import assert from "node:assert/strict";
import {test} from "node:test";
import {product} from "../src/product.js";

const ${HELPER} = (value) => product(value, 1);
test("${TITLE}", () => assert.equal(${HELPER}(${VALUE}), ${expected}));
`,
  );
const writesTests = (actions: readonly Action[] = [heldOut()]) => ({
  when: "Someone else will do",
  do: [...actions, writeFileAt("src/sum.js", "export const gone = true;\n")],
  say: "Written.",
});

const PATTERN = TRACES.map((trace) => `[${trace[0]}]${trace.slice(1)}`).join("|");
const NAMED = TRACES.map((trace) => `-name '*[${trace[0]}]${trace.slice(1)}*'`).join(" -o ");
/** The agent itself searches all that it can see, and leaves what it found with its work. */
const searchesInto = (file: string) =>
  bash(
    [
      // What has a trace was written since the run began. One walk, because a machine has many files.
      `find / \\( -path /proc -o -path /sys -o -path /usr -o -name node_modules \\) -prune -o \\( \\( ${NAMED} \\) -fprint ${file}.names \\) , -type f -newermt '-15 minutes' -print0 | xargs -0 grep -lsaE '${PATTERN}' >> ${file}`,
      `cat ${file}.names >> ${file}; rm ${file}.names`,
      `grep -lsaE '${PATTERN}' /proc/[0-9]*/environ /proc/[0-9]*/cmdline >> ${file}`,
      `env | grep -E '${PATTERN}' >> ${file}`,
      `git cat-file --batch --batch-all-objects | grep -aE '${PATTERN}' >> ${file}`,
      `grep -E '${PATTERN}|[h]eld-out' /proc/self/mountinfo >> ${file}`,
      `echo searched >> ${file}`,
    ].join("\n"),
  );

/** What the agent found, and what its model was sent, after the first session. */
async function tracesIn(rig: Rig, ref: string, files: readonly string[]): Promise<string[]> {
  const found = await Promise.all(files.map((file) => rig.origin.read(ref, file)));
  expect(found.every((text) => text?.endsWith("searched\n"))).toBe(true);
  const asked = rig.model.bodies().filter((body) => !body.includes("Someone else will do"));
  expect(asked.length).toBeGreaterThan(2);
  const inFiles = found.flatMap((text) => (text ?? "").split("\n")).filter((line) => !/^(?:searched)?$/.test(line));
  return [...inFiles, ...TRACES.filter((trace) => asked.some((body) => body.includes(trace)))];
}

/** Passes its own test, and is wrong. */
const wrong = (words: string) => [
  writeFileAt("src/product.js", `// ${words}\nexport const product = (one, other) => one + other;\n`),
  writeFileAt("tests/product.test.js", PRODUCT_FILES.test.replace("2, 3), 6", "2, 2), 4")),
];

const PROMPT = /A separate check of the request[\s\S]*It must multiply its arguments\./;

test.each(someOf(MODES))("a wrong change gets one prompt, and then a warning, in $mode", async ({how}) => {
  // The last turn could see all that the first one could.
  const early = isSweep ? [searchesInto("found.txt")] : [];
  await using rig = await createRig({files: plain({verify: VERIFY}), onFailed: onTestFailed});
  rig.model.script([
    writesTests(),
    {when: "Do what <request> asks", do: [...wrong("first"), ...early], say: "Done."},
    {when: PROMPT, do: [...wrong("second"), searchesInto("again.txt")], say: "It is right."},
  ]);
  const run = await rig.comment(`/assay ${REQUEST}`, {...how, by: "will"});
  await assertPromises(rig, run);
  expect(rig.model.used()).toBe(3);
  expect(run.record).toMatchObject({
    verdict: {kind: "verified"},
    publication: {kind: "published"},
    attempts: [{}, {turn: {answer: "It is right."}}],
    integrity: [{check: "held-out", level: "flag"}],
    heldOut: {tests: [{name: TITLE, uncounted: null, onCandidate: "fails"}]},
  });
  const comment = run.comments.at(-1)?.body ?? "";
  expect(comment).toMatch(/before the work: 1 written, 1 used, 0 passed \(\$[\d.]+\)\./);
  expect(comment).toContain(`${HELPER}(${VALUE})`);
  expect(await tracesIn(rig, "refs/heads/assay/issue-1", isSweep ? ["found.txt", "again.txt"] : ["again.txt"])).toEqual(
    [],
  );
  expect(Object.keys(await rig.origin.tree("refs/heads/assay/issue-1"))).not.toContain(`tests/${FILE}.test.js`);
});

if (isSweep) {
  test.each(MODES)("a change that the prompt corrects has no warning, in $mode", async ({how}) => {
    await using rig = await createRig({files: plain({verify: VERIFY}), onFailed: onTestFailed});
    rig.model.script([
      writesTests(),
      {when: "Do what <request> asks", do: wrong("first"), say: "Done."},
      {when: PROMPT, do: WRITES.right, say: "Corrected."},
    ]);
    const run = await rig.comment(`/assay ${REQUEST}`, {...how, by: "will"});
    await assertPromises(rig, run);
    expect(rig.model.used()).toBe(3);
    expect(run.record).toMatchObject({
      publication: {kind: "published"},
      integrity: [],
      heldOut: {tests: [{onCandidate: "passes"}]},
    });
  });

  test.each(MODES)("a right change is not asked about, in $mode", async ({how}) => {
    await using rig = await createRig({files: plain({verify: VERIFY}), onFailed: onTestFailed});
    rig.model.script([writesTests(), {when: "Do what <request> asks", do: WRITES.right, say: "Done."}]);
    const run = await rig.comment(`/assay ${REQUEST}`, {...how, by: "will"});
    await assertPromises(rig, run);
    expect(rig.model.used()).toBe(2);
    expect(run.record).toMatchObject({publication: {kind: "published"}, integrity: []});
  });

  test.each(MODES)("a wrong test warns about a right change, and does not block it, in $mode", async ({how}) => {
    await using rig = await createRig({files: plain({verify: VERIFY}), onFailed: onTestFailed});
    rig.model.script([
      writesTests([heldOut(`${VALUE} + 1`)]),
      {when: "Do what <request> asks", do: WRITES.right, say: "Done."},
      {when: PROMPT, say: "It is right."},
    ]);
    const run = await rig.comment(`/assay ${REQUEST}`, {...how, by: "will"});
    await assertPromises(rig, run);
    expect(run.record).toMatchObject({
      verdict: {kind: "verified"},
      publication: {kind: "published"},
      integrity: [{check: "held-out", level: "flag"}],
    });
  });

  test("held-out tests choose between tries", async () => {
    const verify = {...VERIFY, maxFixAttempts: 0, tries: {count: 2, mode: "best"}};
    await using rig = await createRig({files: plain({verify}), onFailed: onTestFailed});
    const left = {when: PROMPT, say: "It is right."};
    rig.model.script(
      [
        writesTests(),
        {when: "Do what <request> asks", do: wrong("first"), say: "Small."},
        left,
        {
          when: "Do what <request> asks",
          do: [...WRITES.right, writeFileAt("src/more.js", "//\n".repeat(9))],
          say: "Right.",
        },
      ].map((turn) => ({...turn, isAnew: true as const})),
    );
    const run = await rig.comment(`/assay ${REQUEST}`, {by: "will"});
    await assertPromises(rig, run);
    expect(run.record).toMatchObject({
      integrity: [],
      tries: {chosen: 2, rows: [{heldOut: {part: 0, all: 1}}, {heldOut: {part: 1, all: 1}}]},
      heldOut: {tests: [{onCandidate: "passes"}]},
    });
  });

  test("without a sandbox no tests are written, and the report says so", async () => {
    await using rig = await createRig({files: plain({verify: {...VERIFY, sandbox: "off"}}), onFailed: onTestFailed});
    rig.model.script([{when: "Do what <request> asks", do: WRITES.right, say: "Done."}]);
    const run = await rig.comment(`/assay ${REQUEST}`, {by: "will"});
    await assertPromises(rig, run);
    expect(rig.model.used()).toBe(1);
    expect(run.comments.at(-1)?.body).toContain(
      "No tests were written from the request before the work: `agents have no sandbox here`",
    );
  });

  test("the search finds a planted leak in the workspace, in git's objects and in a prompt", async () => {
    const files = plain({verify: VERIFY, files: {"docs/leak.md": `${HELPER}\n`}});
    await using rig = await createRig({files, onFailed: onTestFailed});
    rig.model.script([
      writesTests(),
      {when: "Do what <request> asks", do: [...WRITES.right, searchesInto("found.txt")], say: "Done."},
    ]);
    const run = await rig.comment(`/assay ${REQUEST} ${VALUE}`, {by: "will"});
    const found = await tracesIn(rig, run.outputs["branch"] ?? "", ["found.txt"]);
    expect(found.some((line) => line.endsWith("/docs/leak.md"))).toBe(true);
    expect(found).toEqual(expect.arrayContaining([HELPER, VALUE]));
  });
}
