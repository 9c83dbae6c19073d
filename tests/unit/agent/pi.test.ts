/** The arguments that pi is started with, and the session file that it goes on from. */
import {expect, test} from "vitest";
import type {AgentChoice} from "../../../src/agent/adapters/adapter.ts";
import {pi} from "../../../src/agent/adapters/pi.ts";

const plain: AgentChoice = {model: "", provider: "anthropic", thinking: "", extraArguments: []};

test("without a model pi's own default is used, and no prompt is ever an argument", () => {
  const given = pi.arguments(plain, {file: "/s/x.jsonl"});
  expect(given).not.toContain("--model");
  expect(given).not.toContain("--provider");
  expect(given.slice(given.indexOf("--session"), given.indexOf("--session") + 2)).toEqual(["--session", "/s/x.jsonl"]);
  expect(given.at(-1)).toBe("-p");
});

test("model, provider, thinking and the owner's arguments are handed on, ours first", () => {
  const choice = {...plain, model: "m", thinking: "high", extraArguments: ["--append-system-prompt", "be brief; $(x)"]};
  expect(pi.arguments(choice, {file: "f"}).slice(8)).toEqual([
    "--provider",
    "anthropic",
    "--model",
    "m",
    "--thinking",
    "high",
    "--append-system-prompt",
    "be brief; $(x)",
    "-p",
  ]);
});

test("a resumed session works in the folder it is resumed in, and keeps its entries", () => {
  const stored = '{"type":"session","version":3,"id":"a","cwd":"/gone"}\n{"type":"message","id":"1"}\n{"type":"mess';
  const lines = pi.conversation.resume(stored, "/here").split("\n");
  expect(JSON.parse(lines[0] ?? "")).toEqual({type: "session", version: 3, id: "a", cwd: "/here"});
  expect(lines.slice(1)).toEqual(['{"type":"message","id":"1"}', '{"type":"mess', ""]);
  expect(pi.conversation.resume("no session\n", "/here")).toBe("no session\n");
});
