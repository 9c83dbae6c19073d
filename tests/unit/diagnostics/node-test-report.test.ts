/** What node:test's events say of tests, in the form in which the reporter writes them, and reports that are forged. */
import {describe, expect, it} from "vitest";
import {readJson} from "../../../src/diagnostics/reports/json.ts";
import {openTally} from "../../../src/diagnostics/reports/tally.ts";
import {cpuClock} from "../report/cpu-time.ts";

describe("node:test's events", () => {
  const start = (name: string, nesting = 0, file = "/work/a.test.js") => ({type: "test:start", name, nesting, file});
  const end = (type: "pass" | "fail", options: object = {}) => ({
    ...{type: `test:${type}`, nesting: 0, isSpared: false, isSuite: false, message: "no\nmore"},
    ...options,
  });
  const read = (events: unknown) => {
    const tally = openTally({isLenient: false});
    return readJson({text: JSON.stringify(events), form: "nodeTestEvents", tally}) ? tally.result() : null;
  };
  it("count a suite by what is in it, and one of which a hook fails as a test", () => {
    const inside = [start("s"), start("a", 1), end("fail", {nesting: 1})];
    const {counts, failed} = read([...inside, end("fail", {isSuite: true, why: "subtestsFailed"})]) ?? {};
    expect(counts).toEqual({passed: 0, failed: 1, skipped: 0});
    expect(failed).toEqual([{file: "/work/a.test.js", name: "a", title: "s > a", message: "no"}]);
    const hook = read([start("s"), start("a", 1), end("pass", {nesting: 1}), end("fail", {isSuite: true})]);
    expect(hook).toMatchObject({counts: {passed: 1, failed: 1}, failed: [{name: "s"}]});
  });
  it("name a file that could not be loaded, as each version of Node does", () => {
    for (const name of ["sub/b.test.js", "/work/sub/b.test.js"]) {
      const report = read([start(name, 0, "/work/sub/b.test.js"), end("fail")]);
      expect(report?.failed).toMatchObject([{file: "/work/sub/b.test.js", name: null, title: name}]);
    }
  });
  it("of what is skipped or still to do are no failures", () => {
    expect(read([start("a"), end("fail", {isSpared: true})])?.counts).toEqual({passed: 0, failed: 0, skipped: 1});
  });
  it.each([
    ["an end without a start", [end("pass")]],
    ["another kind of event", [{type: "test:plan"}]],
    ["a depth without bounds", [{...start("a"), nesting: 1e9}]],
    ["a name that is none", [{...start("a"), name: {length: 1e9}}]],
    ["one event", start("a")],
  ])("are not read from %s", (_, events) => {
    expect(read(events)).toBeNull();
  });
  it.each([
    ["deep", Array.from({length: 40_000}, (_, at) => [start("x".repeat(40), at % 1000)])],
    [
      "with one name that is long",
      [[start("x".repeat(400_000))], ...Array.from({length: 20_000}, () => [end("fail")])],
    ],
    [
      "with long names above short ones",
      [
        ...Array.from({length: 1000}, (_, at) => [start("x".repeat(4_000), at)]),
        ...Array.from({length: 20_000}, () => [start("a", 999), end("fail", {nesting: 999})]),
      ],
    ],
  ])("that are forged, %s, are read in time", (_, events) => {
    const before = cpuClock();
    read(events.flat());
    expect(cpuClock() - before).toBeLessThan(3_000);
  });
});
