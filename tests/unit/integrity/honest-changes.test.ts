/** Honest changes of real repositories, in short: none of them is a finding. */
import {expect, it} from "vitest";
import {inspectChange} from "../../../src/integrity/inspect.ts";
import type {InspectedFile} from "../../../src/integrity/source/inspected-change.ts";
import {loadYaml} from "../../../src/integrity/source/yaml.ts";
import "./all-grammars.ts";

function changed(path: string, before: string | null, after: string): InspectedFile {
  return {path, basePath: path, status: before === null ? "added" : "modified", before, after, isExecutable: false};
}

await loadYaml({files: [changed("a.yml", null, "")]});

const workflow = (job: string, ...runs: string[]): string =>
  `jobs:\n  ${job}:\n    steps:\n${runs.map((run) => `      - run: |\n${run.replace(/^/gm, "          ")}\n`).join("")}`;
const goTest = (body: string): string =>
  `package calc\n\nimport "testing"\n\nfunc TestAdds(t *testing.T) {\n${body}}\n`;
const versionTests =
  'it("reads", () => {\n  expect(kindOf(["beta", 2])).toBe("number");\n  expect(message(13)).toBe("the queue is flushed");\n});\n';

it.each([
  {
    name: "a step of one command, whose shell stops at a failure by itself",
    path: ".github/workflows/ci.yml",
    before: workflow("notes", "set -euo pipefail\n./notes.ts > notes.md\ncat notes.md"),
    after: workflow("notes", "./notes.ts"),
  },
  {
    name: "a new command with a harmless option, next to the same checks",
    path: ".github/workflows/ci.yml",
    before: workflow("test", "make units"),
    after: workflow("test", "curl -fsSL $URL | tar -xz\njj --version", "make units"),
  },
  {name: "the public source of a new Gemfile", path: "Gemfile", before: null, after: 'source "https://rubygems.org"\n'},
  {
    name: "alternatives in a condition",
    path: ".github/workflows/ci.yml",
    before: workflow("verify", 'if [ -z "$ID" ]; then\n  exit 1\nfi'),
    after: workflow("verify", 'if [ -z "$ID" ] || printf %s "$ID" | grep -q x; then\n  exit 1\nfi'),
  },
  {name: "the packages of tests", path: "test/Project.toml", before: 'A = "1"\nB = "2"\n', after: 'A = "1"\n'},
  {
    name: "an assertion of Go that goes through a table",
    path: "calc_test.go",
    before: goTest("\tif got := Add(1, 2); got != 3 {\n\t\tt.Fatal(got)\n\t}\n"),
    after: goTest(
      "\tfor _, row := range [][3]int{{1, 2, 3}, {2, 2, 4}} {\n\t\tif got := Add(row[0], row[1]); got != row[2] {\n\t\t\tt.Fatal(got)\n\t\t}\n\t}\n",
    ),
  },
  {
    name: "comparisons in several lines",
    path: "src/version.ts",
    before: "export const kindOf = read;\n",
    after:
      "export const isBeta = (pre: unknown[]) =>\n  pre.length === 2 &&\n  pre[0] === 'beta' &&\n  typeof pre[1] === 'number';\n",
  },
  {
    name: "overloads with other types",
    path: "src/current.ts",
    before: "export function current<T>(value: T): T\nexport function current(value: any): any {\n",
    after: "export function current<T>(value: Draft<T>): T\nexport function current(value: Draft<any>): any {\n",
  },
  {
    name: "a message that moves into a table",
    path: "src/messages.ts",
    before: 'log("the queue is flushed");\nlog("the queue is empty");\n',
    after: 'const messages = {\n  13: "the queue is flushed",\n  14: "the queue is empty",\n};\n',
  },
  {
    name: "the fields of a result, of which some are computed",
    path: "src/result.ts",
    before: "",
    after:
      'export const resultOf = (name: string) => ({\n  kind: "number",\n  "beta": 2,\n  name,\n  status: read(name),\n  "flushed": 13,\n});\n',
  },
  {
    name: "a number with its noun",
    path: "src/text.ts",
    before: "",
    after: 'export const text = (n: number) => `${n} ${n === 13 ? "queue" : "queues"}`;\n',
  },
  {
    name: "a program that shows the product",
    path: "example/a.ts",
    before: "",
    after: 'if (kind === "beta") {\n  return "number";\n}\nif (code === 13) return "the queue is flushed";\n',
  },
  {
    name: "a recorded result of a file that the product reads",
    path: "grammars/tests/__snapshots__/grammar.snap",
    before: "exports[`text`] = `comment`;\n",
    after: "exports[`text`] = `string`;\n",
    cause: changed("grammars/graphql.json", '{"name": "comment"}\n', '{"name": "string"}\n'),
  },
])("leaves $name alone", ({path, before, after, cause}) => {
  const tests = path.endsWith(".ts") ? [versionTests] : [];
  const files = [changed(path, before, after), ...(cause === undefined ? [] : [cause])];
  const findings = inspectChange({files, relatedTests: tests, plan: null});
  expect(findings.filter(({level}) => level !== "note")).toEqual([]);
});
