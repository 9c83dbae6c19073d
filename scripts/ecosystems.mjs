/** Writes docs/ecosystems.md from the list of ecosystems and the plans of their fixture projects; `--check` only says whether it is current. */
import {existsSync, readdirSync, readFileSync, writeFileSync} from "node:fs";
import {fileURLToPath} from "node:url";
import {DEFAULT_CONFIG} from "../src/detect/config/config.ts";
import {ECOSYSTEMS} from "../src/detect/ecosystems/index.ts";
import {openProject} from "../src/detect/files/open-project.ts";
import {plan} from "../src/detect/plan.ts";

const file = fileURLToPath(new URL("../docs/ecosystems.md", import.meta.url));
const fixtures = fileURLToPath(new URL("../tests/fixtures/ecosystems/", import.meta.url));

const row = (...cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
const codes = (texts) => texts.map((text) => `\`${text}\``).join(", ");

async function example(name) {
  const project = await openProject(`${fixtures}${name}`, {HOME: process.env.HOME});
  const made = plan({project, config: DEFAULT_CONFIG});
  if (!made.ok) throw new Error(`${name} cannot be planned`);
  const {setup, stages} = made.value;
  const origins = [...setup, ...stages].map(({origin}) => origin.file);
  return row(codes([...new Set(origins)]), ...[setup, stages].map((list) => codes(list.map(({command}) => command))));
}

const examples = await Promise.all(readdirSync(fixtures).sort().map(example));
const languages = ECOSYSTEMS.filter(({where}) => where === "anywhere");
const beside = ECOSYSTEMS.filter(({where}) => where === "beside");
const table = (list) => [
  "| | looks at |",
  "|---|---|",
  ...list.map(({title, manifests}) => row(title, codes(manifests))),
  "",
];
const text = [
  "# What does Assay detect in a repository?",
  "",
  "<!-- Written by `npm run ecosystems` from src/detect/ecosystems/; do not edit. -->",
  "",
  "`assay plan` shows each check with its origin, and under “Not run” the others with the reason and the fix. It runs nothing.",
  "[verify.json](verify-json.md) overrides everything.",
  "",
  "- Each command that CI runs on a pull request is a check as CI writes it, with CI's variables except those of CI's machine, or it is listed with",
  "  the reason why it is none. Of a matrix, one row counts. One setup serves all checks.",
  "- A lint is optional unless `verify.json` requires it.",
  "- The files below name checks where CI has none of that kind. Next to CI, such a check is `unproved`:",
  "  optional if the default branch fails it too, else required.",
  "",
  "## Languages",
  "",
  "Each folder with one of these files is a project, except below folders such as `fixtures`, `examples` or `vendor`.",
  "",
  ...table(languages),
  "## Task runners, hooks and CI",
  "",
  "These are read in the root folder and next to the projects of a language.",
  "",
  ...table(beside),
  "## Examples",
  "",
  "Plans of the projects in `tests/fixtures/ecosystems/`, without CI.",
  "",
  "| found in | setup | checks |",
  "|---|---|---|",
  ...examples,
  "",
].join("\n");

const before = existsSync(file) ? readFileSync(file, "utf8") : "";
if (before !== text && process.argv.includes("--check")) {
  console.error("docs/ecosystems.md is stale: run `npm run ecosystems`.");
  process.exit(1);
}
if (before !== text) writeFileSync(file, text);
