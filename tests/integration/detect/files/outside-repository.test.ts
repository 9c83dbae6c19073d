/** The files of a folder outside of a repository, which may be a whole disk: only a part is read, and a note says so. */
import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {afterAll, expect, it} from "vitest";
import {listFiles} from "../../../../src/detect/files/list-files.ts";

const folder = mkdtempSync(join(tmpdir(), "assay-outside-"));
afterAll(() => rmSync(folder, {recursive: true, force: true}));

it("reads the nearest files first, and at most 20,000", async () => {
  mkdirSync(join(folder, "a/b"), {recursive: true});
  for (let i = 0; i < 20_001; i++) writeFileSync(join(folder, "a/b", `${i}`), "");
  writeFileSync(join(folder, "near"), "");
  const {files, notes} = await listFiles(folder, {});
  expect(files.has("near")).toBe(true);
  expect(notes).toEqual([{about: ".", text: "this is no git repository: only the first 20000 files were considered"}]);
});
