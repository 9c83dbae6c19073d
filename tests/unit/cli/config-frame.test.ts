/** The lines of `verify.json` that the terminal shows with a mistake, and the files that have none to show. */
import {execFileSync} from "node:child_process";
import {mkdtempSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {afterEach, beforeEach, describe, expect, it} from "vitest";
import {configFrame} from "../../../src/cli/config-frame.ts";

describe("the lines of verify.json around a mistake", () => {
  let folder: string;
  const frame = (path: string) => configFrame(folder, {file: "verify.json", path});

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "assay-test-"));
  });
  afterEach(() => rmSync(folder, {recursive: true}));

  it("mark the place", () => {
    writeFileSync(join(folder, "verify.json"), '{\n  "heldOut": "yes"\n}\n');
    expect(frame("heldOut").join("\n")).toContain('> 2 |   "heldOut": "yes"');
  });

  it("mark a byte that is not UTF-8", () => {
    writeFileSync(join(folder, "verify.json"), Buffer.from('{"flaky": ["caf\xe9"]}', "latin1"));
    expect(frame("line 1, column 16")).toHaveLength(2);
  });

  it.skipIf(process.platform === "win32")("are not read from a pipe, which has no end", () => {
    execFileSync("mkfifo", [join(folder, "verify.json")]);
    expect(frame("(the whole file)")).toEqual([]);
  });

  it("are left out where the file is nested too deeply for the parser", () => {
    writeFileSync(join(folder, "verify.json"), "[".repeat(200_000));
    expect(frame("(the whole file)")).toEqual([]);
  });
});
