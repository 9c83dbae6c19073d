/** A stream of JSON lines is split the same way wherever it is cut. */
import {expect, test} from "vitest";
import {splitLines} from "../../../src/agent/adapters/json-lines.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

function split(chunks: readonly Uint8Array[], maxBytes = 1000) {
  const lines: string[] = [];
  const splitter = splitLines({maxBytes, onLine: (line) => lines.push(line)});
  for (const chunk of chunks) splitter.push(chunk);
  splitter.end();
  return {lines, dropped: splitter.dropped};
}

test("only LF ends a line", () => {
  expect(split([bytes('{"a":"x\u2028y\u2029z\u0085"}\r\nb\n')]).lines).toEqual([
    '{"a":"x\u2028y\u2029z\u0085"}\r',
    "b",
  ]);
});

test("wherever the stream is cut, the lines are the same", () => {
  const text = 'é🙂\n\n{"k":"日本"}\nlast without an end';
  const whole = split([bytes(text)]).lines;
  expect(whole).toEqual(["é🙂", "", '{"k":"日本"}', "last without an end"]);
  for (let at = 0; at <= bytes(text).length; at++) {
    expect(split([bytes(text).subarray(0, at), bytes(text).subarray(at)]).lines).toEqual(whole);
  }
  expect(split([...bytes(text)].map((byte) => Uint8Array.of(byte))).lines).toEqual(whole);
});

test("an overlong line is passed over, and the next is read again", () => {
  const long = "x".repeat(40);
  expect(split([bytes(`a\n${long}`), bytes(`${long}\nb\n`)], 50)).toEqual({lines: ["a", "b"], dropped: 1});
  expect(split([bytes(`${"x".repeat(51)}`)], 50)).toEqual({lines: [], dropped: 1});
  expect(split([bytes(`${"x".repeat(50)}\n`)], 50)).toEqual({lines: ["x".repeat(50)], dropped: 0});
});

test("a giver that uses its buffer again does not spoil the line", () => {
  const buffer = bytes("abc");
  const lines: string[] = [];
  const splitter = splitLines({maxBytes: 100, onLine: (line) => lines.push(line)});
  splitter.push(buffer);
  buffer.set(bytes("xyz"));
  splitter.push(bytes("\n"));
  expect(lines).toEqual(["abc"]);
});
