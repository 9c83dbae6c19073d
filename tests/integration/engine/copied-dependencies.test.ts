/** Dependencies of a folder on another file system than the checkouts are copied, because hard links cannot reach them. */
import {existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {expect, test} from "vitest";
import {copyPaths} from "../../../src/engine/checkout/folders.ts";

/** Linux keeps it in memory, so that it is another file system than most folders. */
const IN_MEMORY = "/dev/shm";

test("a folder on another file system", async () => {
  const from = mkdtempSync(join(existsSync(IN_MEMORY) ? IN_MEMORY : tmpdir(), "assay-from-"));
  const to = mkdtempSync(join(tmpdir(), "assay-to-"));
  try {
    mkdirSync(join(from, "node_modules/one"), {recursive: true});
    writeFileSync(join(from, "node_modules/one/index.js"), "exports.one = 1;\n");
    symlinkSync("one/index.js", join(from, "node_modules/two"));
    const options = {from, to, paths: ["node_modules"], hardLinks: true, signal: new AbortController().signal};
    expect(await copyPaths(options)).toEqual({ok: true, value: null});
    expect(readFileSync(join(to, "node_modules/two"), "utf8")).toBe("exports.one = 1;\n");
    const inode = (folder: string) => statSync(join(folder, "node_modules/one/index.js")).ino;
    expect(inode(from) === inode(to)).toBe(statSync(from).dev === statSync(to).dev);
  } finally {
    for (const folder of [from, to]) rmSync(folder, {recursive: true});
  }
});
