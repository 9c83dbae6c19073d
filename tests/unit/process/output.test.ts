/** Head and tail of any output, in bounded memory. */
import {describe, expect, test} from "vitest";
import {openCapture} from "../../../src/process/output.ts";

const LIMITS = {headBytes: 1000, tailBytes: 1000};

function captured(chunks: Iterable<string | Uint8Array>, limits = LIMITS) {
  const capture = openCapture(limits);
  for (const chunk of chunks) capture.add(typeof chunk === "string" ? Buffer.from(chunk) : chunk);
  return capture.captured();
}

/** Numbered lines of ten bytes. */
function* numbered(count: number, piece = 7): Generator<string> {
  for (let at = 0; at < count; at += piece) {
    const numbers = Array.from({length: Math.min(piece, count - at)}, (_, index) => at + index);
    yield numbers.map((number) => `${String(number).padStart(9, "0")}\n`).join("");
  }
}

describe("capture", () => {
  test("keeps a short output whole, in the head", () => {
    expect(captured(["one\n", "two"])).toEqual({head: "one\ntwo", tail: "", droppedBytes: 0});
    expect(captured([])).toEqual({head: "", tail: "", droppedBytes: 0});
  });

  test.each([99, 100, 101, 150, 199, 200])("loses nothing of %i lines that fit in head and tail together", (count) => {
    const {head, tail, droppedBytes} = captured(numbered(count));
    expect(head + tail).toBe([...numbered(count)].join(""));
    expect(droppedBytes).toBe(0);
  });

  test.each([201, 300, 599, 600, 601, 650, 10_000])("keeps the first and the last of %i lines, whole", (count) => {
    const {head, tail, droppedBytes} = captured(numbered(count));
    const whole = [...numbered(count)].join("");
    expect(whole.startsWith(head)).toBe(true);
    expect(whole.endsWith(tail)).toBe(true);
    expect(head.endsWith("\n")).toBe(true);
    expect(tail).toMatch(/^\d{9}\n/);
    expect(head.length).toBeGreaterThan(900);
    expect(head.length).toBeLessThanOrEqual(1000);
    expect(tail.length).toBeGreaterThan(900);
    expect(tail.length).toBeLessThanOrEqual(1000);
    expect(head.length + tail.length + droppedBytes).toBe(whole.length);
  });

  test("does not depend on how the output was cut into chunks", () => {
    const whole = Buffer.from([...numbered(5000)].join(""));
    for (const size of [1, 3, 1000, 2999, 3000, 3001, 10_000, whole.length]) {
      const chunks = Array.from({length: Math.ceil(whole.length / size)}, (_, index) =>
        whole.subarray(index * size, (index + 1) * size),
      );
      expect(captured(chunks)).toEqual(captured([whole]));
    }
  });

  test("copies what it keeps: the chunk may be used again", () => {
    const capture = openCapture(LIMITS);
    const chunk = Buffer.from("first\n");
    capture.add(chunk);
    chunk.fill("x");
    expect(capture.captured().head).toBe("first\n");
  });

  test("an escape sequence or a character cut by the ring leaves no debris", () => {
    const line = "\x1b[31m✗ fälschlich\x1b[0m\n";
    const {head, tail} = captured(Array.from({length: 5000}, () => line));
    for (const text of [head, tail]) {
      expect(new Set(text.split("\n").filter((one) => one !== ""))).toEqual(new Set(["✗ fälschlich"]));
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1000);
    }
  });

  test("one endless line becomes two short ones", () => {
    const {head, tail, droppedBytes} = captured(
      Array.from({length: 1000}, () => "x".repeat(10_000)),
      {
        headBytes: 65_536,
        tailBytes: 65_536,
      },
    );
    expect(Buffer.byteLength(head)).toBeLessThanOrEqual(2048);
    expect(Buffer.byteLength(tail)).toBeLessThanOrEqual(2048);
    expect(droppedBytes).toBeGreaterThan(9_500_000);
  });

  test("binary output becomes text without control characters", () => {
    const bytes = Uint8Array.from({length: 100_000}, (_, index) => (index * 7919) % 256);
    const {head, tail} = captured([bytes]);
    expect(head + tail).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/);
  });
});
