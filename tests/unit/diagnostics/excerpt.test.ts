/** The excerpt: never too long, never broken, and with the lines that a reader needs. */
import {readFileSync} from "node:fs";
import {describe, expect, it} from "vitest";
import {distill} from "../../../src/diagnostics/distill.ts";

const sample = (name: string): string => readFileSync(new URL(`samples/${name}.txt`, import.meta.url), "utf8");
const chatter = (lines: number): string =>
  Array.from({length: lines}, (_, n) => `Compiling part ${n} of the world`).join("\n");
const excerpt = (log: string, maxChars: number): string => distill({log, maxChars}).excerpt;

describe("the excerpt", () => {
  it("is the whole log where that fits", () => {
    expect(excerpt("one\ntwo\n", 100)).toBe("one\ntwo");
  });

  it("finds a failure in the middle of much that went well, and marks what it leaves out", () => {
    const log = `${chatter(2000)}\n${sample("cargo-build")}\n${chatter(2000)}`;
    const seen = excerpt(log, 1500);
    expect(seen).toContain("error[E0425]: cannot find value `missing` in this scope");
    expect(seen).toContain("--> src/lib.rs:2:9");
    expect(seen).toMatch(/\[… \d+ lines left out …\]/);
    expect(seen.match(/left out …\]/g)).toHaveLength(1);
    expect(seen.length).toBeLessThanOrEqual(1500);
  });

  it("prefers the step that failed to one that merely talked of errors", () => {
    const talk = Array.from({length: 60}, (_, n) => `error: attempt ${n} failed, trying mirror ${n}`).join("\n");
    const log = `$ install\n${talk}\nThe command "install" exited with 0.\n$ check\n${chatter(300)}\nthe basket has a hole\nThe command "check" exited with 1.\n`;
    expect(excerpt(log, 800)).toContain("the basket has a hole");
  });

  it("prefers it too where each line of the log has its time in front, and steps of cleaning up follow", () => {
    const talk = Array.from({length: 60}, (_, n) => `error: attempt ${n} failed, trying mirror ${n}`);
    const cleaning = Array.from({length: 60}, (_, n) => `error: nothing to clean in ${n}`);
    const steps = ["##[group]Run install", ...talk, "##[group]Run check", "##[endgroup]", "the basket has a hole"];
    const log = [...steps, "##[error]Process completed with exit code 1.", "##[group]Run clean", ...cleaning]
      .map((line, n) => `2026-01-02T03:04:05.${1_000_000 + n}Z ${line}\n`)
      .join("");
    expect(excerpt(log, 1500)).toContain("the basket has a hole");
  });

  it("keeps the first failing test whole rather than the names of many", () => {
    const test = (n: number): string =>
      `${n}) BasketTest::test${n}\nFailed asserting that ${n} is 0.\n${`detail ${n} `.repeat(12)}\n/app/tests/BasketTest.php:${n}\n`;
    const log = `PHPUnit 11.0\n\nThere were 60 failures:\n\n${Array.from({length: 60}, (_, n) => test(n + 1)).join("\n")}\nFAILURES!\nTests: 60, Assertions: 60, Failures: 60.\n`;
    const seen = excerpt(log, 1200);
    expect(seen).toContain("1) BasketTest::test1\n");
    expect(seen).toContain("Failed asserting that 1 is 0.");
    expect(seen).toContain("/app/tests/BasketTest.php:1\n");
  });

  it("shows errors as the tool printed them, whatever the number of warnings that pass", () => {
    const warnings = Array.from(
      {length: 40},
      (_, n) => `m${n}.c:1:9: warning: unused variable 'x' [-Wunused-variable]`,
    );
    const errors = ["bad.c:3:33: error: 'struct S' has no member named 'b'", "make: *** [Makefile:6: bad.o] Error 1"];
    const seen = excerpt([...warnings, ...errors].join("\n"), 1000);
    for (const error of errors) expect(seen).toContain(error);
    expect(seen).not.toContain("unused variable");
  });

  it("ends when nothing that explains the failure is left", () => {
    const log = `${chatter(1000)}\n${sample("cargo-build")}\n${chatter(1000)}`;
    expect(excerpt(log, 20_000).length).toBeLessThan(sample("cargo-build").length + 1_000);
  });

  it("does not let warnings crowd out the one error", () => {
    const warnings = Array.from(
      {length: 300},
      (_, n) => `  ${n + 1}:1  warning  Unexpected console statement  no-console`,
    );
    const log = `\n/app/a.js\n${warnings.join("\n")}\n\n/app/b.js\n  7:3  error  'left' is not defined  no-undef\n\n✖ 301 problems\n`;
    const seen = excerpt(log, 1500);
    expect(seen).toContain("'left' is not defined");
    expect(seen).toContain("b.js");
  });

  it.each([0, 1, 2, 27, 28, 29, 100, 333, 1000, 2500])("is at most %i long and never half a character", (maxChars) => {
    for (const log of [
      sample("pytest"),
      "💥 error: 🙈🙉🙊\n".repeat(500),
      `error: ${"🙈".repeat(5000)}`,
      "x".repeat(9999),
    ]) {
      const seen = excerpt(log, maxChars);
      expect(seen.length).toBeLessThanOrEqual(maxChars);
      expect(seen.isWellFormed()).toBe(true);
    }
  });

  it("shows whole lines of the log and nothing else but its marks", () => {
    const log = `${chatter(500)}\n${sample("cargo-test")}\n${chatter(500)}\n${sample("pytest")}`;
    const lines = new Set(log.split("\n").map((line) => line.replace(/\s+/g, " ").trim()));
    for (const maxChars of [300, 900, 1700]) {
      for (const line of excerpt(log, maxChars).split("\n")) {
        if (!/^\[… \d+ lines?(?: left out)? …\]$/.test(line)) expect(lines).toContain(line.replace(/\s+/g, " ").trim());
      }
    }
  });

  it("shows the name of a failed test with what it says, however long the name is", () => {
    const name = `shop.BasketTest > total[${"a very long parameter, ".repeat(12)}]`;
    const frames = Array.from({length: 38}, (_, at) => `        at shop.Basket.total${at}(Basket.java:${at})`);
    const test = `${name} FAILED\n    AssertionError: 3 is not 4\n${frames.join("\n")}`;
    const log = `> Task :test\n${chatter(100)}\n${test}\n\n${chatter(200)}\n`;
    expect(excerpt(log, 1500)).toContain(`${name} FAILED\n    AssertionError: 3 is not 4`);
  });

  it("spends no room on blank lines between gaps", () => {
    const errors = Array.from(
      {length: 300},
      (_, n) => `error: part ${n} of the world ${"is broken ".repeat(9)}\n\n\n\n`,
    );
    expect(excerpt(errors.join("\n"), 2000)).not.toMatch(/ …\]\n\n\[…/);
  });

  it("shows what a script printed before it failed rather than what went before that script", () => {
    const earlier = Array.from({length: 90}, (_, n) => `warning: could not fetch ${n}, error 404, trying again`).join(
      "\n",
    );
    for (const end of ["error Command failed with exit code 1.", " ELIFECYCLE  Command failed with exit code 1."]) {
      const log = `$ install\n${earlier}\n$ list-unformatted\n\nsrc/basket.js\n\n${end}\n$ other\n${earlier}\nThe command "lint" exited with 1.\n`;
      expect(excerpt(log, 900)).toContain("src/basket.js");
    }
  });

  it("shows no file that a job packed into its log in place of what the job said", () => {
    const packed = Array.from({length: 60}, (_, n) => Buffer.from(`${n} `.repeat(30)).toString("base64").slice(0, 76));
    const log = `$ check\n${chatter(200)}\nthe basket has a hole\n${packed.join("\n")}\nThe command "check" exited with 1.\n`;
    const seen = excerpt(log, 800);
    expect(seen).toContain("the basket has a hole");
    expect(seen).not.toContain(packed[30]);
  });

  it("shows no escape codes and only the last state of a progress line's worth", () => {
    const progress = Array.from({length: 400}, (_, n) => `\r${n} of 400 packages`).join("");
    const seen = excerpt(`${progress}\n\u001b[31merror: \u001b[1mit broke\u001b[0m\n\u001b]0;title\u0007end\n`, 300);
    expect(seen).toContain("error: it broke\nend");
    expect(seen).not.toContain("\u001b");
  });

  it("gives what it can for hostile input", () => {
    for (const log of [
      "\u0000\u0001\u0002",
      "\r\r\r\r",
      "\n".repeat(5000),
      "a".repeat(500_000),
      "(".repeat(20_000),
      ": ".repeat(20_000),
      "at ".repeat(20_000),
    ]) {
      expect(excerpt(log, 500).length).toBeLessThanOrEqual(500);
    }
  });
});
