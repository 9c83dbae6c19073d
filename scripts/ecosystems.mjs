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
  return [
    `### ${name}`,
    "",
    `Files: ${codes(project.files)}`,
    "",
    "| | command | from |",
    "|---|---|---|",
    ...setup.map(({command, origin}) => row("set-up", `\`${command}\``, `\`${origin.file}\` ${origin.key}`)),
    ...stages.map(({name: stage, command, origin}) =>
      row(stage, `\`${command}\``, `\`${origin.file}\`: ${origin.why}`),
    ),
    "",
  ];
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
  "`assay plan` shows what is detected in a repository, with the origin of each stage, and the checks that do not run, with the reason. It",
  "runs nothing of the repository. An owner's [verify.json](verify-json.md) overrides everything.",
  "",
  "What CI runs on a pull request is what must pass: each such command is a stage as CI writes it, or is listed with the reason why it is none.",
  "It gets the variables that CI gives it, except those of CI's machine: programs, folders, memory, installers, caches and colors. Of a",
  "matrix's versions of what CI installs, one row counts. One set-up serves all checks, so a check that CI runs in a job without an install has",
  "the packages here too. A lint of CI is optional unless `verify.json` requires it.",
  "The files below name checks where CI has none of that kind, or where there is no CI. Next to CI, such a check is `unproved`: it counts as",
  "required if it passes, or if it fails on a change and passes on the base, and as optional if the base fails it too.",
  "",
  "Under “Not run” the plan lists each configured check that does not run, with the reason and the fix: for example",
  "an ESLint configuration without `eslint` in `package.json`.",
  "",
  "## Languages",
  "",
  "Each folder with one of these files is a project, except below folders such as `fixtures`, `examples` or `vendor`.",
  "",
  ...table(languages),
  "## Task runners, hooks and CI",
  "",
  "Assay reads these in the root folder and next to the projects of a language. CI says what the maintainers require: it confirms, chooses",
  "between candidates, and is the fallback where nothing else gives a stage.",
  "",
  ...table(beside),
  "## Examples",
  "",
  "The plans of the projects in `tests/fixtures/ecosystems/`, each tested with the real tools where the machine has them.",
  "",
  ...examples.flat(),
].join("\n");

const before = existsSync(file) ? readFileSync(file, "utf8") : "";
if (before !== text && process.argv.includes("--check")) {
  console.error("docs/ecosystems.md is stale: run `npm run ecosystems`.");
  process.exit(1);
}
if (before !== text) writeFileSync(file, text);
