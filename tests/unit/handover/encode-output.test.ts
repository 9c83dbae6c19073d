/** What the jobs hand on as outputs: nothing that the runner could take for a secret, and back again without a loss. */
import {expect, test} from "vitest";
import {parseInputs} from "../../../src/github/inputs.ts";
import {decodeOutput, encodeOutput} from "../../../src/handover/encode-output.ts";

test.each(["", "main", '{"ref":"refs/heads/main"}', "ü 🐛 \u0000", "x".repeat(100_000)])("%j comes back", (text) => {
  expect(decodeOutput(encodeOutput(text))).toBe(text);
});

test("no character of it can be part of a password, a name or a base64 text", () => {
  expect(encodeOutput(JSON.stringify({ref: "refs/heads/main", actor: "admin"}))).toMatch(/^[\u2800-\u28ff]+$/);
});

test.each([
  "main",
  encodeOutput("main").slice(0, 3),
  `${encodeOutput("main")}x`,
  "\u2801\u2802",
  encodeOutput("a".repeat(2_000_000)),
])("%j is nothing", (text) => {
  expect(decodeOutput(text)).toBe("");
});

test("the longest comment fits into an input, and the variable of that into Linux's 128 KiB", () => {
  const words = Array.from({length: 10_000}, (_, at) => `word${(at * 7919) % 10_007}`).join(" ");
  const admission = encodeOutput(words.slice(0, 65_536));
  expect(Buffer.byteLength(`INPUT_ADMISSION=${admission}`)).toBeLessThan(128 * 1024);
  const parsed = parseInputs((name) => ({admission, "github-token": "t"})[name]);
  expect(parsed.ok).toBe(true);
});
