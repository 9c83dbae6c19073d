/** How a log falls into lines: ends of all sorts, what a terminal overwrites, escape codes, prefixes and endless lines. */
import {describe, expect, it} from "vitest";
import {bodiesOf, bodyAt, LINE_CHARS, readLines, textAt} from "../../../src/diagnostics/lines.ts";
import {cpuClock} from "../report/cpu-time.ts";

const textsOf = (log: string): string[] => {
  const lines = readLines(log);
  return Array.from({length: lines.count}, (_, at) => textAt(lines, at));
};

describe("readLines", () => {
  it.each([
    ["", []],
    ["\n", [""]],
    ["\n\na", ["", "", "a"]],
    ["a\nb", ["a", "b"]],
    ["a\nb\n", ["a", "b"]],
    ["a\r\n\r\nb\r\n", ["a", "", "b"]],
    ["\r", [""]],
    ["10%\r20%\rdone\nnext\r\n", ["10%", "20%", "done", "next"]],
    ["10%\r\r\u001b[K\rdone\r", ["10%", "done"]],
    ["a\r\r\nb", ["a", "", "b"]],
  ])("cuts %j", (log, lines) => {
    expect(textsOf(log)).toEqual(lines);
  });

  it("tells which lines were overwritten", () => {
    const {passing} = readLines("start\n10%\r20%\r100%\nend\r\n");
    expect([...passing]).toEqual([1, 2]);
  });

  it("gives nothing for a line that is not there", () => {
    const lines = readLines("a\nb");
    expect([textAt(lines, -1), textAt(lines, 2), bodyAt(lines, 2)]).toEqual(["", "", ""]);
  });

  it.each([
    ["\u001b[31mred\u001b[0m \u001b]8;;https://x.example\u0007link\u001b]8;;\u0007\u0000\u0001", "red link"],
    ["2026-01-02T03:04:05.1234567Z ##[error]x", "x"],
    ["build\tRun tests\t2026-01-02T03:04:05.1234567Z x", "x"],
    ["@scope/app:test: x", "x"],
    ["#12 1.234 x", "x"],
    ["[2026-01-02T03:04:05.123Z] x", "x"],
    ["[task 2026-01-02T03:04:05.123Z] x", "x"],
    ["2026-01-02T03:04:05.123456Z 01O x", "x"],
    ["[03:04:05] x", "x"],
    // Travis CI on macOS
    ["nl$ make", "$ make"],
    ["nlx", "nlx"],
    ["[task 12] x", "[task 12] x"],
    ["x: y", "x: y"],
    ["2026-01-02T03:04:05Z", ""],
  ])("sets aside what stands in front of %j", (line, body) => {
    expect(bodiesOf(readLines(`${line}\nnext`))).toEqual([body, "next"]);
  });

  it("cuts the middle out of a long line, between characters, and nothing out of one that is short enough", () => {
    const whole = "x".repeat(LINE_CHARS);
    const [first, long = "", ...others] = textsOf(
      `${whole}\n${"\u{1f600}".repeat(LINE_CHARS)}, so it stopped\n${whole}\rb`,
    );
    expect([first, ...others]).toEqual([whole, whole, "b"]);
    expect(long).toMatch(/^(?:\u{1f600})+ \[…\] (?:\u{1f600})+, so it stopped$/u);
    expect(long.length).toBeLessThan(LINE_CHARS + 10);
  });

  it("takes time in proportion to a log of nothing but carriage returns or escapes", () => {
    for (const unit of ["\r", "\u001b[", "\u001b]", "a\r", "\u001b]\r", "\n"]) {
      const from = cpuClock();
      readLines(unit.repeat(400_000));
      expect(cpuClock() - from, JSON.stringify(unit)).toBeLessThan(2_000);
    }
  });
});
