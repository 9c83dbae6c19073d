/** `assay verify` on a change that passes its checks because it weakened them. */
import {rmSync} from "node:fs";
import {expect, onTestFinished, test} from "vitest";
import {recordSchema} from "../../src/record/record.ts";
import {assay, gitIn, put, repositoryOf} from "../rig/command-line.ts";

const FILES = {
  "package.json": '{"name": "sums", "type": "module", "scripts": {"test": "node --test"}}',
  "sum.js": "export const sum = (one, other) => one + other;\n",
  "sum.test.js": `import {equal} from "node:assert/strict";
import {test} from "node:test";
import {sum} from "./sum.js";
test("small sums", () => equal(sum(1, 2), 3));
test("large sums", () => equal(sum(100, 2), 102));
`,
};

test("a removed test ends with 1 and names the place, in the folder itself too", () => {
  const folder = repositoryOf(FILES);
  onTestFinished(() => rmSync(folder, {recursive: true, force: true}));
  put(folder, {
    "sum.js": "export const sum = (one, other) => one + (other > 50 ? 0 : other);\n",
    "sum.test.js": FILES["sum.test.js"].replace(/.*large sums.*\n/, ""),
  });
  gitIn(folder)("add", "-A");
  const ended = assay(folder, ["verify", "--json"]);
  const record = recordSchema.parse(JSON.parse(ended.stdout));
  expect([ended.status, record.verdict.kind]).toEqual([1, "tampered"]);
  const finding = {check: "removed-tests", level: "block", path: "sum.test.js"};
  expect(record.integrity).toEqual([expect.objectContaining(finding)]);
  const inPlace = assay(folder, ["verify", "--in-place"]);
  expect([inPlace.status, inPlace.stdout]).toEqual([1, expect.stringMatching(/`large sums`.*\(removed-tests\)/)]);
});
