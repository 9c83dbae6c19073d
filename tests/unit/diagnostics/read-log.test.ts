/** Logs of any size: small ones whole, large ones as head, tail and the lines that speak of failure. */
import {describe, expect, it} from "vitest";
import {readLog} from "../../../src/diagnostics/read-log.ts";

async function* chunksOf(texts: Iterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for (const text of texts) yield encoder.encode(text);
}

function* manyLines(count: number, special: ReadonlyMap<number, string>): Generator<string> {
  for (let n = 0; n < count; n++) yield special.get(n) ?? `line ${n} ${"x".repeat(90)}\n`;
}

describe("readLog", () => {
  it("gives a small log as it is, whatever the chunks", async () => {
    expect(await readLog(chunksOf(["one\ntw", "o\nthr", "ee"]))).toBe("one\ntwo\nthree");
  });

  it("puts characters together that two chunks share", async () => {
    const bytes = new TextEncoder().encode("a ✖ b");
    async function* halves(): AsyncGenerator<Uint8Array> {
      yield bytes.slice(0, 3);
      yield bytes.slice(3);
    }
    expect(await readLog(halves())).toBe("a ✖ b");
  });

  it("keeps head, tail and the failure between, and marks the rest", async () => {
    const special = new Map([[40_000, "error: the one that counts\n"]]);
    const log = await readLog(chunksOf(manyLines(120_000, special)));
    expect(log.length).toBeLessThan(3_300_000);
    expect(log).toContain("line 0 x");
    expect(log).toContain("line 119999 x");
    expect(log).toContain("error: the one that counts\nline 40001 ");
    expect(log).not.toContain("line 50000 x");
    expect(log).toMatch(/\[… \d+ lines not read …\]/);
  });

  it("does not keep a line as long as the log", async () => {
    const log = await readLog(chunksOf([..."abcdefgh"].map((letter) => letter.repeat(1_000_000)).concat(["\nend"])));
    expect(log.length).toBeLessThan(20_000);
    expect(log.endsWith("\nend")).toBe(true);
  });
});
