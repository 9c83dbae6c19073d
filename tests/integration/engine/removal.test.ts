/** Large folders are removed by several programs, and nothing outside of them is. */
import {existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {expect, onTestFinished, test} from "vitest";
import {openRemover} from "../../../src/engine/checkout/folders.ts";

test.each([2, 100, 1_100])("a folder with %d folders is removed without what its links lead to", async (count) => {
  const root = mkdtempSync(join(tmpdir(), "assay-removal-"));
  onTestFinished(() => rmSync(root, {recursive: true, force: true}));
  const at = (path: string) => join(root, path);
  mkdirSync(at("outside/kept"), {recursive: true});
  for (let index = 0; index < count; index++) {
    mkdirSync(at(`gone/venv/lib/-${index}/deep`), {recursive: true});
    writeFileSync(at(`gone/venv/lib/-${index}/deep/file`), "");
  }
  for (const path of ["gone/file", "gone/venv/file"]) writeFileSync(at(path), "");
  for (const path of ["gone/link", "gone/venv/lib/link"]) symlinkSync(at("outside"), at(path));
  await openRemover()(at("gone"));
  expect(readdirSync(root)).toEqual(["outside"]);
  expect(existsSync(at("outside/kept"))).toBe(true);
});
