/** `assay verify --reporter` and `--quiet`: what is on which stream. */
import {rmSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {expect, onTestFinished, test} from "vitest";
import {assay, repositoryOf} from "../rig/command-line.ts";
import {plain} from "../rig/projects.ts";

test("a reporter's document is on stdout, --quiet says nothing after a success, and annotations are commands of the runner", () => {
  const files = Object.entries(plain()).map(([path, content]) => [path, String(content)]);
  const folder = repositoryOf(Object.fromEntries(files));
  onTestFinished(() => rmSync(folder, {recursive: true}));
  expect(assay(folder, ["verify", "--quiet"])).toMatchObject({status: 0, stdout: "", stderr: ""});
  writeFileSync(join(folder, "src/sum.js"), "export const sum = () => 0;\n");
  const annotated = assay(folder, ["verify", "--reporter", "github"]);
  expect(annotated.status).toBe(1);
  expect(annotated.stderr).toBe("");
  const commands = annotated.stdout.split("\n").flatMap((line) => runnerCommand(line) ?? []);
  expect(commands[0]).toMatchObject({command: "error", properties: {title: "Assay: Tests failed"}});
  expect(commands[1]).toMatchObject({command: "error", properties: {file: expect.stringMatching(/\.test\.js$/)}});
  expect(Number(commands[1]?.properties["line"])).toBeGreaterThan(0);
  const junit = assay(folder, ["verify", "--reporter", "junit", "--stage", "test"]);
  expect(junit.stdout).toMatch(/^<\?xml version="1\.0"/);
  expect(junit.stderr).toMatch(/^❌ test /);
});

/** A port of the runner's parser (actions/runner, src/Runner.Common/ActionCommand.cs, TryParseV2). */
function runnerCommand(line: string): {command: string; properties: Record<string, string>; data: string} | null {
  const message = line.trimStart();
  const end = message.indexOf("::", 2);
  if (!message.startsWith("::") || end < 0) return null;
  const [command = "", ...rest] = message.slice(2, end).split(" ");
  const decode = (text: string) =>
    [
      ["%0D", "\r"],
      ["%0A", "\n"],
      ["%3A", ":"],
      ["%2C", ","],
      ["%25", "%"],
    ].reduce((now, [from = "", to = ""]) => now.replaceAll(from, to), text);
  const pairs = rest
    .join(" ")
    .trim()
    .split(",")
    .filter((pair) => pair.includes("="));
  const properties = pairs.map((pair) => [pair.slice(0, pair.indexOf("=")), decode(pair.slice(pair.indexOf("=") + 1))]);
  return {command, properties: Object.fromEntries(properties), data: decode(message.slice(end + 2))};
}
