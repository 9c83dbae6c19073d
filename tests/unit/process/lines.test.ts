/** Clean lines from whatever a program prints. */
import {describe, expect, test} from "vitest";
import {cleanText, eachLine, MAX_LINE_BYTES, openLines} from "../../../src/process/lines.ts";
import {cpuClock} from "../report/cpu-time.ts";

describe("cleanText", () => {
  test.each([
    ["colours", "\x1b[1;31merror\x1b[0m: no", "error: no"],
    ["cursor and erase", "\x1b[2K\x1b[1Gdone\x1b[?25h", "done"],
    ["a title", "\x1b]0;npm test\x07ok", "ok"],
    ["a link", "\x1b]8;;https://example.org/\x1b\\text\x1b]8;;\x1b\\", "text"],
    ["a one-byte CSI", "\u009b31mred", "red"],
    ["a character set", "\x1b(Bplain", "plain"],
    ["a broken sequence at the end", "text\x1b[31", "text31"],
    ["a string sequence without an end", "\x1b]0;the rest stays", "0;the rest stays"],
    ["progress on one line", "10%\r20%\r100%\n", "100%\n"],
    ["Windows line ends", "one\r\ntwo\r\n", "one\ntwo\n"],
    ["tabs and umlauts", "\tgrün ✓ 😀", "\tgrün ✓ 😀"],
    ["NUL and bell", "a\0b\x07c", "abc"],
  ])("%s", (_, raw, clean) => {
    expect(cleanText(raw)).toBe(clean);
  });

  test("no line is longer than the limit, in bytes, and none ends within a character", () => {
    for (const character of ["x", "é", "✓", "😀"]) {
      const cut = cleanText(`${character.repeat(100_000)}\nshort`);
      const [long = "", short] = cut.split("\n");
      expect(Buffer.byteLength(long)).toBeLessThanOrEqual(MAX_LINE_BYTES);
      expect(Buffer.byteLength(long)).toBeGreaterThan(MAX_LINE_BYTES - 32);
      expect(long).toMatch(/ … \(line cut\)$/);
      expect(long).not.toContain("\ufffd");
      expect(short).toBe("short");
    }
    expect(cleanText("x".repeat(MAX_LINE_BYTES))).toBe("x".repeat(MAX_LINE_BYTES));
  });

  test.each([
    ["ESC", "\x1b"],
    ["CSI", "\x1b["],
    ["CSI with parameters", "\x1b[1;"],
    ["digits after one CSI", "1"],
    ["OSC", "\x1b]"],
    ["OSC text", "\x1b]0;x"],
    ["spaces after ESC", " "],
    ["carriage returns", "\r"],
  ])("takes linear time for endless %s", (_, piece) => {
    const time = (length: number): number => {
      const text = `\x1b[${piece.repeat(length / piece.length)}`;
      const began = cpuClock();
      cleanText(text);
      return cpuClock() - began;
    };
    time(100_000);
    // A quadratic rule would take minutes for this length.
    expect(time(4_000_000)).toBeLessThan(3000);
  });
});

describe("lines", () => {
  const split = (chunks: readonly string[]): string[] => {
    const seen: string[] = [];
    const lines = openLines(eachLine((line) => seen.push(line)));
    for (const chunk of chunks) lines.add(Buffer.from(chunk));
    lines.end();
    return seen;
  };

  test("are whole, however the chunks were cut", () => {
    const text = "first\n\x1b[31msecond ✓\x1b[0m\n\nfourth";
    const bytes = Buffer.from(text);
    for (let size = 1; size <= bytes.length; size += 1) {
      const seen: string[] = [];
      const lines = openLines(eachLine((line) => seen.push(line)));
      for (let at = 0; at < bytes.length; at += size) lines.add(bytes.subarray(at, at + size));
      lines.end();
      expect(seen).toEqual(["first", "second ✓", "", "fourth"]);
    }
  });

  test("of two streams are not mixed", () => {
    const seen: string[] = [];
    const write = eachLine((line) => seen.push(line));
    const [out, err] = [openLines(write), openLines(write)];
    out.add(Buffer.from("half "));
    err.add(Buffer.from("error\n"));
    out.add(Buffer.from("a line\n"));
    expect(seen).toEqual(["error", "half a line"]);
  });

  test("that are overlong come once, cut, and the next one is right again", () => {
    const seen = split([...Array.from({length: 100}, () => "x".repeat(10_000)), "end\nnext\n"]);
    expect(seen).toHaveLength(2);
    expect(seen[0]).toMatch(/^x+ … \(line cut\)$/);
    expect(seen[1]).toBe("next");
  });
});
