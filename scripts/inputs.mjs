/**
 * Writes the tables of inputs and outputs into action.yml and docs/inputs.md, and the table of files that steer agents into
 * docs/steering-files.md; `--check` only says whether they are current.
 */
import {readFileSync, writeFileSync} from "node:fs";
import {BETWEEN_JOBS, INPUTS, OUTPUTS} from "../src/github/inputs.ts";
import {STEERING_FILES} from "../src/publish/steering-files.ts";

const root = new URL("..", import.meta.url);
const code = (text) => (text === "" ? "" : `\`${text}\``);
const cell = (text) => text.replaceAll("|", "\\|");
const outputs = Object.entries(OUTPUTS);

const inputsTable = [
  "| input | default | |",
  "|---|---|---|",
  ...INPUTS.filter((input) => !BETWEEN_JOBS.has(input.name)).map(
    (input) => `| \`${input.name}\` | ${cell(code(input.default))} | ${cell(input.description)} |`,
  ),
];
const outputsTable = [
  "| output | |",
  "|---|---|",
  ...outputs
    .filter(([name]) => !BETWEEN_JOBS.has(name))
    .map(([name, description]) => `| \`${name}\` | ${cell(description)} |`),
];
// JSON's quoted strings are YAML's, too
const inputsYaml = INPUTS.map(
  (input) =>
    `  ${input.name}:\n    description: ${JSON.stringify(input.description)}\n    default: ${JSON.stringify(input.default)}`,
);
const outputsYaml = outputs.map(([name, description]) => `  ${name}:\n    description: ${JSON.stringify(description)}`);

const filesTable = (level) => [
  "| read by | files |",
  "|---|---|",
  ...STEERING_FILES.filter((one) => one.level === level).map(
    ({reader, files, source}) => `| [${reader}](${source}) | ${files.map(code).join(", ")} |`,
  ),
];

/** @type {[string, (text: string) => string][]} */
const files = [
  ["docs/inputs.md", (text) => block(block(text, "inputs", inputsTable), "outputs", outputsTable)],
  [
    "docs/steering-files.md",
    (text) => block(block(text, "steering-files", filesTable("blocked")), "flagged-files", filesTable("flagged")),
  ],
  ["action.yml", (text) => section(section(text, "inputs", inputsYaml), "outputs", outputsYaml)],
];
const stale = files.filter(([name, renew]) => {
  const file = new URL(name, root);
  const before = readFileSync(file, "utf8");
  const after = renew(before);
  if (before !== after && !process.argv.includes("--check")) writeFileSync(file, after);
  return before !== after;
});
if (process.argv.includes("--check") && stale.length > 0) {
  console.error(`Not current: ${stale.map(([name]) => name).join(", ")}. Run: node scripts/inputs.mjs`);
  process.exitCode = 1;
}

/** Replaces what stands between `<!-- name -->` and `<!-- /name -->`. */
function block(text, name, lines) {
  const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const from = text.indexOf(start);
  const to = text.indexOf(end);
  if (from < 0 || to < from) throw new Error(`there is no block ${start} … ${end}`);
  return `${text.slice(0, from + start.length)}\n${lines.join("\n")}\n${text.slice(to)}`;
}

/** Replaces the indented lines below a top-level key. */
function section(text, name, lines) {
  const form = new RegExp(`^${name}:\n(?:[ ].*\n)*`, "m");
  if (!form.test(text)) throw new Error(`action.yml has no key ${name}`);
  return text.replace(form, () => `${name}:\n${lines.join("\n")}\n`);
}
