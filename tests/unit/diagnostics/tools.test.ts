/** What real tools printed about small broken projects, and what must be read from it. */
import {readFileSync} from "node:fs";
import {describe, expect, it} from "vitest";
import {distill} from "../../../src/diagnostics/distill.ts";
import type {Diagnostic} from "../../../src/record/evidence.ts";
import {PROBLEM_SAMPLES} from "./expected-problems.ts";
import {TEST_SAMPLES} from "./expected-test-failures.ts";

const read = (name: string): string => readFileSync(new URL(`samples/${name}.txt`, import.meta.url), "utf8");

describe("what tools print", () => {
  it.each([...PROBLEM_SAMPLES, ...TEST_SAMPLES])(
    "$sample: every item, no other, and the tests that ran",
    ({sample, items, tests}) => {
      const seen = distill({log: read(sample), maxChars: 4000});
      expect(seen.items).toMatchObject(items);
      expect(seen.tests).toEqual(tests ?? null);
      expect(seen.kind).toBe("code");
      expect(seen.tool).toBe(items[0]?.tool);
    },
  );

  it.each(["vitest-none", "jest-none", "pytest-none"])("%s: nothing was checked", (sample) => {
    const seen = distill({log: read(sample), maxChars: 4000});
    expect(seen.kind).toBe("no-check");
    expect(seen.tests).toEqual({passed: 0, failed: 0, skipped: 0});
  });

  it("reads the same through the prefixes of CI systems and task runners", () => {
    const plain = distill({log: read("vitest"), maxChars: 4000}).items;
    const through = (prefix: string): Diagnostic[] =>
      distill({log: read("vitest").replace(/^/gm, prefix), maxChars: 4000}).items;
    expect(through("2026-01-02T03:04:05.1234567Z ")).toEqual(plain);
    expect(through("test\tRun tests\t2026-01-02T03:04:05.1234567Z ")).toEqual(plain);
    expect(through("@app/web:test: ")).toEqual(plain);
  });

  it("reads the two messages of npm's 404, without its empty lines and its advice", () => {
    const lines = [
      ...["404 Not Found - GET https://registry.npmjs.org/lft-pad", "404", "404  'lft-pad@1' is not in this registry."],
      ...["404", "404 Note that you can also install from a", "404 tarball, folder, http url, or git url."],
    ];
    const log = `npm error code E404\n${lines.map((line) => `npm error ${line}\n`).join("")}`;
    const {items} = distill({log, maxChars: 4000});
    expect(items.map(({message}) => message)).toEqual(["E404", lines[0], lines[2]]);
  });

  it("says equal things once", () => {
    const once = distill({log: read("tsc"), maxChars: 4000}).items;
    expect(distill({log: read("tsc").repeat(3), maxChars: 4000}).items).toEqual(once);
  });
});
