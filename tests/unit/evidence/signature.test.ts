/** Equal failures have equal signatures; different ones do not. */
import {describe, expect, it} from "vitest";
import {signature} from "../../../src/evidence/signature.ts";
import type {Diagnostic} from "../../../src/record/evidence.ts";

const base: Diagnostic = {
  tool: "vitest",
  file: "src/a.ts",
  line: 3,
  column: 7,
  code: "E1",
  message: "expected 4 to be 5",
  severity: "error",
  testId: "a > adds",
};

describe("signature", () => {
  it.each([
    ["line and column", {line: 90, column: 1}],
    ["./ in front of the file", {file: "./src/a.ts"}],
    ["blanks", {message: "expected  4 to be 5 "}],
  ])("stays the same whatever the %s", (_what, change) => {
    expect(signature({...base, ...change})).toBe(signature(base));
  });

  it.each([
    ["durations", "failed after 12 ms", "failed after 3.5 s"],
    ["addresses", "SEGV on 0x7f70f4a45249", "SEGV on 0x55c6aa0d31d2"],
    ["temporary folders", "cannot open /tmp/run-12/x/log.txt", "cannot open /tmp/run-7/y/log.txt"],
    ["ports", "connect 127.0.0.1:43121 failed", "connect 127.0.0.1:39002 failed"],
    ["times", "at 2026-01-02T03:04:05Z", "at 2027-11-12T13:14:15.123Z"],
    ["places in the message", "first defined at src/b.ts:3:1, line 7", "first defined at src/b.ts:9:2, line 8"],
  ])("does not depend on %s in the message", (_what, one, other) => {
    expect(signature({...base, message: one})).toBe(signature({...base, message: other}));
  });

  it("does not depend on where the checkout lies", () => {
    const at = (file: string): string => signature({...base, file});
    expect(at("/tmp/assay-1/web/src/a.ts")).toBe(at("/tmp/assay-2/web/src/a.ts"));
    expect(at("/tmp/assay-1/web/src/a.ts")).not.toBe(at("/tmp/assay-1/api/src/a.ts"));
  });

  it.each([
    ["tool", {tool: "jest"}],
    ["file", {file: "src/b.ts"}],
    ["code", {code: "E2"}],
    ["test", {testId: "a > subtracts"}],
    ["message", {message: "expected 4 to be 6"}],
    ["file in a temporary folder", {message: "cannot open /tmp/x/b.txt"}],
  ])("tells failures apart by %s", (_what, change) => {
    expect(signature({...base, ...change})).not.toBe(signature(base));
  });
});
