/** One contract, told in three places: the typed tables, action.yml and docs/inputs.md. */
import {execFileSync, spawnSync} from "node:child_process";
import {cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {expect, onTestFinished, test} from "vitest";
import {parse} from "yaml";
import {z} from "zod";
import {BETWEEN_JOBS, INPUTS, OUTPUTS, parseInputs} from "../../src/github/inputs.ts";

const root = new URL("../..", import.meta.url).pathname;
const action = z
  .strictObject({
    name: z.string(),
    description: z.string(),
    author: z.string(),
    branding: z.strictObject({icon: z.string(), color: z.string()}),
    inputs: z.record(z.string(), z.strictObject({description: z.string(), default: z.string()})),
    outputs: z.record(z.string(), z.strictObject({description: z.string()})),
    runs: z.strictObject({using: z.string(), main: z.string(), post: z.string()}),
  })
  .parse(parse(readFileSync(join(root, "action.yml"), "utf8")));
const page = readFileSync(join(root, "docs/inputs.md"), "utf8");

/** The cells of the table between `<!-- name -->` and `<!-- /name -->`, without its two head lines. */
function table(name: string): string[][] {
  const found = new RegExp(`<!-- ${name} -->\n([\\s\\S]*?)<!-- /${name} -->`).exec(page)?.[1] ?? "";
  const rows = found.trim().split("\n").slice(2);
  return rows.map((row) =>
    row
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

test("action.yml runs the bundles with the runner's Node 24", () => {
  expect(action.runs).toEqual({using: "node24", main: "dist/main.js", post: "dist/post.js"});
});

test("action.yml has exactly the inputs and outputs of the tables", () => {
  const inputs = INPUTS.map(({name, description, default: value}) => [name, {description, default: value}]);
  const outputs = Object.entries(OUTPUTS).map(([name, description]) => [name, {description}]);
  expect(Object.entries(action.inputs)).toEqual(inputs);
  expect(Object.entries(action.outputs)).toEqual(outputs);
});

test("the page has exactly the inputs and outputs of the tables that a user sets or reads", () => {
  const code = (text: string) => (text === "" ? "" : `\`${text}\``);
  const inputs = INPUTS.filter(({name}) => !BETWEEN_JOBS.has(name));
  const outputs = Object.entries(OUTPUTS).filter(([name]) => !BETWEEN_JOBS.has(name));
  expect(inputs.length + outputs.length).toBeGreaterThan(30);
  expect(table("inputs")).toEqual(inputs.map((one) => [code(one.name), code(one.default), one.description]));
  expect(table("outputs")).toEqual(outputs.map(([name, text]) => [code(name), text]));
});

test("every input is described, and every default but the token's is a value that it takes", () => {
  for (const input of INPUTS)
    expect([input.name, input.description]).toEqual([input.name, expect.stringMatching(/^[A-Z].+\.$/)]);
  const given = Object.fromEntries(Object.entries(action.inputs).map(([name, input]) => [name, input.default]));
  expect(parseInputs((name) => (name === "github-token" ? "a-token" : given[name]))).toMatchObject({ok: true});
});

test("the script that writes the tables notices a stale one, and mends it", () => {
  const folder = mkdtempSync(join(tmpdir(), "assay-contract-"));
  onTestFinished(() => rmSync(folder, {recursive: true}));
  for (const path of ["action.yml", "docs/inputs.md", "docs/steering-files.md", "src", "scripts", "package.json"]) {
    cpSync(join(root, path), join(folder, path), {recursive: true});
  }
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  const script = join(folder, "scripts/inputs.mjs");
  expect(spawnSync(process.execPath, [script, "--check"]).status).toBe(0);

  const stale = readFileSync(join(folder, "docs/inputs.md"), "utf8").replace("| `model` |", "| `modell` |");
  writeFileSync(join(folder, "docs/inputs.md"), stale);
  writeFileSync(
    join(folder, "action.yml"),
    readFileSync(join(root, "action.yml"), "utf8").replace("  model:", "  modell:"),
  );
  const checked = spawnSync(process.execPath, [script, "--check"], {encoding: "utf8"});
  expect([checked.status, checked.stderr]).toEqual([1, expect.stringContaining("docs/inputs.md, action.yml")]);

  execFileSync(process.execPath, [script]);
  for (const path of ["docs/inputs.md", "action.yml"]) {
    expect(readFileSync(join(folder, path), "utf8")).toBe(readFileSync(join(root, path), "utf8"));
  }
});
