/** What a killed bot left of its pipes goes, and nobody else's. */
import {spawnSync} from "node:child_process";
import {mkdir, mkdtemp, readdir, rm, writeFile} from "node:fs/promises";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {expect, test} from "vitest";
import {removeAbandonedPipes} from "../../../src/process/pipes.ts";

test("only the folders of processes that are gone are removed", async () => {
  const folder = await mkdtemp(join(tmpdir(), "pipes-test-"));
  const {pid: gone} = spawnSync("true");
  const names = [`assay-pipes-${gone}-abc123`, `assay-pipes-${process.pid}-abc123`, "assay-pipes-x", "other"];
  for (const name of names) await mkdir(join(folder, name));
  await writeFile(join(folder, names[0] ?? "", "0"), "");
  await removeAbandonedPipes(folder);
  expect((await readdir(folder)).toSorted()).toEqual(names.slice(1).toSorted());
  await rm(folder, {recursive: true});
});
