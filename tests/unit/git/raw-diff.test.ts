/** Git's raw diff, read exactly or not at all. */
import {describe, expect, it} from "vitest";
import {parseRawDiff, toChange} from "../../../src/git/raw-diff.ts";

const a = "a".repeat(40);
const b = "b".repeat(40);
const none = "0".repeat(40);

describe("parseRawDiff", () => {
  it("reads odd names, renames and type changes exactly", () => {
    const output = [
      `:100644 100644 ${a} ${b} M\0-rf "x"\n\ty\0`,
      `:100644 100755 ${a} ${a} R100\0old name\0:100644 new\0`,
      `:100644 120000 ${a} ${b} T\0link\0`,
      `:000000 100644 ${none} ${b} A\0ünï\0`,
      `:100644 000000 ${a} ${none} D\0gone\0`,
    ].join("");
    expect(parseRawDiff(output).map(toChange)).toEqual([
      {path: '-rf "x"\n\ty', status: "modified"},
      {path: ":100644 new", status: "renamed", from: "old name"},
      {path: "link", status: "type-changed"},
      {path: "ünï", status: "added"},
      {path: "gone", status: "deleted"},
    ]);
  });

  it("gives nothing for no output", () => {
    expect(parseRawDiff("")).toEqual([]);
  });

  it.each([
    ["cut in a path", `:100644 100644 ${a} ${b} M\0half`],
    ["cut after a head", `:100644 100644 ${a} ${b} M\0`],
    ["a rename without its second path", `:100644 100644 ${a} ${b} R90\0one\0`],
    ["of another form", "M\0file\0"],
  ])("throws on output that is %s", (_, output) => {
    expect(() => parseRawDiff(output)).toThrow("raw diff");
  });

  it("throws on a status it does not know", () => {
    const [entry] = parseRawDiff(`:100644 100644 ${a} ${b} U\0x\0`);
    expect(() => entry && toChange(entry)).toThrow("unknown status U");
  });
});
