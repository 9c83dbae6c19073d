/** Equal failures have equal signatures; different ones do not. */
import {describe, expect, it} from "vitest";
import {signature} from "../../../src/diagnostics/signature.ts";
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
    ["sockets that Linux names", "write unixgram @1aa7b->/run/x: no file", "write unixgram @8e138->/run/x: no file"],
    ["temporary folders", "cannot open /tmp/run-12/x/log.txt", "cannot open /tmp/run-7/y/log.txt"],
    ["ports", "connect 127.0.0.1:43121 failed", "connect 127.0.0.1:39002 failed"],
    ["times", "at 2026-01-02T03:04:05Z", "at 2027-11-12T13:14:15.123Z"],
    ["places in the message", "first defined at src/b.ts:3:1, line 7", "first defined at src/b.ts:9:2, line 8"],
  ])("does not depend on %s in the message", (_what, one, other) => {
    expect(signature({...base, message: one})).toBe(signature({...base, message: other}));
  });

  it.each([
    ["2026-01-02 03:04:05", "2026-11-12T13:14:15,5Z"],
    ["0xdeadbeef", "0xDEADBEEF01234567"],
    ["3f2b8c1e-1111-4a2b-9c3d-0123456789ab", "A1B2C3D4-2222-4A2B-9C3D-ABCDEF012345"],
    ["/private/tmp/one/log.txt", "/tmp/log.txt"],
    ["/var/folders/xy/T/log.txt", "/var/tmp/other/log.txt"],
    ...["5ns", "5 µs", "5us", "5 ms", "5s", "5 sec", "5 secs", "1 second", "5 seconds", "1 minute", "2.5 minutes"].map(
      (time): [string, string] => [time, "12 ms"],
    ),
    ["localhost:4312", "localhost:43121"],
    ["2.75 s", "12 ms"],
    ["line 3, column 15", "line 40, column 6"],
    ["lib/x.py:3:12", "lib/x.py:40"],
    ["lib/deep-er/x.y.test:3", "lib/deep-er/x.y.test:40"],
    ["0.0.0.0:4312", "0.0.0.0:9999"],
    ["pid 12", "PID=345"],
    ["pid: 12", "pid 99"],
    ["line 3", "Line 40"],
    ["line 3, column 5", "line 40, column 6"],
    ["line 3 col 5", "line 40 col 6"],
    ["lib/x.py:3", "lib/x.py:40"],
    ["lib/x.py:3:1", "lib/x.py:40"],
  ])("%s and %s are the same", (one, other) => {
    const of = (message: string) => signature({...base, message: `so ${message} it is`});
    expect(of(one)).toBe(of(other));
  });

  it.each([
    ["12 items", "13 items"],
    ["0xbad", "0xbed"],
    ["unix @name1", "unix @name2"],
    ["mail @faced", "mail @decaf"],
    ["5 stones", "6 stones"],
    ["example.com:80", "example.org:80"],
    ["rapid 5", "rapid 6"],
    ["outline 3", "outline 4"],
    ["/tmp/x/a.txt", "/tmp/x/b.txt"],
    ["/tmp/x/a", "/tmp/x/b"],
    ["/tmp/x/long-a", "/tmp/x/long-b"],
    ["(/tmp/a) b", "(/tmp/a) c"],
    ["lib/x.extension:3", "lib/x.extension:4"],
    ["/home/tmp.txt", "/home/tmp2.txt"],
    ["deadbeef-1111", "deadbeef-2222"],
  ])("%s and %s differ", (one, other) => {
    const of = (message: string) => signature({...base, message: `so ${message} it is`});
    expect(of(one)).not.toBe(of(other));
  });

  it.each([
    ["C:\\work\\a\\web\\src\\a.ts", "D:/other/web/src/a.ts"],
    ["web\\src\\a.ts", "./web/./src/a.ts"],
  ])("the file %s is %s", (one, other) => {
    expect(signature({...base, file: one})).toBe(signature({...base, file: other}));
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

describe("the file of a signature", () => {
  const of = (file: string) => signature({...base, file});
  it.each([
    ["/one/two/three/src/a.ts", "/other/three/src/a.ts", true],
    ["C:\\one\\two\\src\\a.ts", "D:\\other\\two\\src\\a.ts", true],
    ["one/two/three/src/a.ts", "other/two/three/src/a.ts", false],
    ["abC:/one/two/src/a.ts", "abD:/one/two/src/a.ts", false],
    ["C:x/one/two/src/a.ts", "D:x/one/two/src/a.ts", false],
  ])("%s and %s are the same: %s", (one, other, isSame) => expect(of(one) === of(other)).toBe(isSame));

  it("may come from a temporary folder, with its name", () => {
    const at = (message: string) => signature({...base, message});
    expect(at("no /tmp/ab-12/c_1.txt")).toBe(at("no /tmp/x/c_1.txt"));
    expect(at("no /tmp/ab-12/c_1.txt")).not.toBe(at("no /tmp/x/c_2.txt"));
  });
});
