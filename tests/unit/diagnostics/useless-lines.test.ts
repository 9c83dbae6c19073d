/** Lines that explain no failure give way to those that do. */
import {expect, it} from "vitest";
import {distill} from "../../../src/diagnostics/distill.ts";

const excerpt = (log: string, maxChars: number): string => distill({log, maxChars}).excerpt;
const numbered = (count: number, line: (n: number) => string): string =>
  Array.from({length: count}, (_, n) => line(n)).join("\n");
const setUp = numbered(300, (n) => `package ${n} is unchanged`);

/** A check fails, and then what started it says so. */
const brokenLink = (ending: string): string =>
  `${setUp}\n[404] the page /about\nchecking pages\nERROR: Detected 1 broken link.\n${ending}\n`;

it("shows no time of the CI service", () => {
  const log = `${setUp}\nsrc/a.ts(3,1): error TS2322: wrong\nthe next line\n`;
  const timed = log.replace(/^/gm, "2026-01-02T03:04:05.1234567Z ");
  expect(excerpt(timed, 500)).toContain("src/a.ts(3,1): error TS2322: wrong");
  expect(excerpt(timed, 500)).not.toContain("2026-01-02T");
  expect(excerpt("2026-01-02T03:04:05.1234567Z short\n", 500)).toBe("short");
});

it("shows the reason rather than the lines that repeat that the command failed", () => {
  const npm = [
    "npm ERR! code ELIFECYCLE",
    "npm ERR! errno 1",
    "npm ERR! docs@1.0.0 links: `check-links pages --recurse --silent`",
    "npm ERR! Exit status 1",
    "npm ERR! Failed at the docs@1.0.0 links script.",
    "npm ERR! This is probably not a problem with npm. There is likely additional logging output above.",
    "npm ERR!     /home/user/.npm/_logs/2026-01-02T03_04_05_678Z-debug.log",
  ].join("\n");
  expect(excerpt(brokenLink(npm), 250)).toContain("[404] the page /about");
});

it("shows a reason rather than the folders that make enters and the recipes that failed", () => {
  const make = [
    "Makefile:52: recipe for target 'prove' failed",
    "make[1]: *** [prove] Error 1",
    "make[1]: Leaving directory '/home/user/docs/t'",
    "Makefile:2736: recipe for target 'test' failed",
  ].join("\n");
  expect(excerpt(brokenLink(make), 150)).toContain("[404] the page /about");
});

it("shows none of the many alike steps before a failure", () => {
  const copies = numbered(60, (n) => `cp lib/part${n}.pm blib/lib/part${n}.pm`);
  const seen = excerpt(`${setUp}\n${copies}\nt/a.t .. Connection error at t/a.t line 17.\nResult: FAIL\n`, 2000);
  expect(seen).toContain("Connection error at t/a.t line 17.");
  expect(seen).not.toContain("cp lib/part");
});

it("shows nothing of the script that GitHub prints before a step", () => {
  const script =
    "##[group]Run ./check\n# an error: the build failed\n./check\nshell: /usr/bin/bash -e {0}\n##[endgroup]";
  const log = (group: string) =>
    `${setUp}\n${group}\nthe basket has a hole\n##[error]Process completed with exit code 1.\n`;
  const seen = excerpt(log(script), 500);
  expect(seen).toContain("the basket has a hole");
  expect(seen).not.toContain("the build failed");
  // A group without an end hides only its first line.
  expect(excerpt(log("##[group]Run ./check\nerror: no basket"), 500)).toContain("error: no basket");
});

it("shows nothing of the command that Travis CI repeats when it fails", () => {
  const log = (command: string) =>
    `${setUp}\nthe basket has a hole\n${command}\nif [ $QUICK ]; then\n  report failure: unknown error\nfi\n" exited with 1.\n`;
  const seen = excerpt(log('The command "set -e'), 500);
  expect(seen).toContain("the basket has a hole");
  expect(seen).not.toContain("unknown error");
  // Without the first line of the command, nothing is known of the lines above its end.
  expect(excerpt(log('The command "true" exited with 0.'), 500)).toContain("unknown error");
});

it("shows the sides of a difference that have few letters", () => {
  const log = `${setUp}\nFAIL ./a.test.js\n  ● adds\n\n    expect(received).toEqual(expected)\n\n    - Expected  - 1\n    + Received  + 1\n\n      Array [\n        1,\n    -   4,\n    +   3,\n      ]\n\n      at Object.toEqual (a.test.js:6:49)\n`;
  expect(excerpt(log, 1500)).toContain("    -   4,\n    +   3,");
});

it("takes the end of a Travis CI job for no step of its own", () => {
  const log = `$ make check\n${setUp}\nthe basket has a hole\nThe command "make check" exited with 2.\nstore build cache\nnothing changed, not updating cache\n\nDone. Your build exited with 1.\n`;
  const seen = excerpt(log, 120);
  expect(seen).toContain("the basket has a hole");
  expect(seen).not.toContain("nothing changed");
});

it("shows the refusal rather than the list of options below it", () => {
  const options = numbered(30, (n) => `    --option${n} <file>   Write failed tests to <file>.`);
  const log = `$ make check\n${setUp}\nIllegal switch 'j' specified!\n${options}\nThe command "make check" exited with 2.\n`;
  expect(excerpt(log, 120)).toContain("Illegal switch 'j' specified!");
  expect(excerpt(log, 120)).not.toContain("--option");
});

it("shows no skipped test of Go, and not that a test begins", () => {
  const tests = numbered(40, (n) => `=== RUN   TestErrors/error${n}`);
  const skipped = "=== RUN   TestLive\n    live_test.go:27: cannot run without a server\n--- SKIP: TestLive (0.00s)";
  const failed = "=== RUN   TestTotal\n    shop_test.go:16: Total = 3, want 4\n--- FAIL: TestTotal (0.00s)\nFAIL\n";
  const seen = excerpt(`${tests}\n${skipped}\n${failed}`, 600);
  expect(seen).toContain("shop_test.go:16: Total = 3, want 4\n--- FAIL: TestTotal");
  expect(seen).not.toMatch(/TestLive|TestErrors|cannot run/);
});

it("shows the first of the failures of a step first", () => {
  const test = (n: number): string =>
    `${n}) BasketTest::test${n}\nFailed asserting that ${n} is identical to 0.\n\n/app/tests/BasketTest.php:${n}\n`;
  const log = `$ phpunit\nPHPUnit 11.0\n\nThere were 2 failures:\n\n${test(1)}\n${setUp}\n${test(2)}\nFAILURES!\nThe command "phpunit" exited with 1.\n`;
  expect(excerpt(log, 220)).toContain("Failed asserting that 1 is identical to 0.");
});

it("takes the frame of a Ruby program for no complaint", () => {
  const {items} = distill({log: "rake aborted!\n/app/lib/tasks/check.rake:92:in `block in <main>'\n", maxChars: 500});
  expect(items).toEqual([]);
});

it("shows the first of many complaints first", () => {
  const log = `$ lint\n${setUp}\n${numbered(40, (n) => `src/part${n}.c:${n}:1: error: no basket number ${n} in this shop`)}\nThe command "lint" exited with 1.\n`;
  const seen = excerpt(log, 300);
  for (const n of [0, 1, 2]) expect(seen).toContain(`src/part${n}.c`);
  expect(seen).not.toContain("src/part39.c");
});

it.each(["[INFO] BUILD SUCCESS", "BUILD SUCCESSFUL in 4s", "[success] Total time: 3 s", "✨  Done in 3.02s."])(
  "shows the error of the command that failed rather than those of one that ended with %j",
  (end) => {
    const tolerated = numbered(20, (n) => `src/old${n}.c:${n}:1: error: this was known for a long time`);
    const log = `$ ./ci.sh\n${tolerated}\n${end}\n${setUp}\nsrc/new.c:1:1: error: no basket\nThe command "./ci.sh" exited with 1.\n`;
    const seen = excerpt(log, 130);
    expect(seen).toContain("src/new.c:1:1: error: no basket");
    expect(seen).not.toContain("src/old");
  },
);

it("shows what could not be resolved rather than the frames of the bundler", () => {
  const frames = numbered(
    8,
    (n) => `    at step${n} (file:///app/node_modules/bundler/dist/shared/error-CLo6EJKG.mjs:${n}:18)`,
  );
  const reason =
    "[UNRESOLVED_IMPORT] Could not resolve './gone.js' in main.js\n   [ main.js:1:17 ]\n\n 1 | import {x} from './gone.js';";
  const seen = excerpt(`${setUp}\nerror during build:\nBuild failed with 1 error:\n\n${reason}\n${frames}\n`, 250);
  expect(seen).toContain("Could not resolve './gone.js' in main.js");
  expect(seen).not.toContain("node_modules");
});
