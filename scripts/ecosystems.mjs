/** Writes docs/ecosystems.md from the list of ecosystems; `--check` only says whether it is current. */
import {existsSync, readFileSync, writeFileSync} from "node:fs";
import {fileURLToPath} from "node:url";
import {ECOSYSTEMS} from "../src/detect/ecosystems/index.ts";

const file = fileURLToPath(new URL("../docs/ecosystems.md", import.meta.url));

const row = (...cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
const codes = (texts) => texts.map((text) => `\`${text}\``).join(", ");

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
  "`assay plan` shows each check with its origin, and below them what does not run, with the reason. It runs nothing.",
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
].join("\n");

const before = existsSync(file) ? readFileSync(file, "utf8") : "";
if (before !== text && process.argv.includes("--check")) {
  console.error("docs/ecosystems.md is stale: run `npm run ecosystems`.");
  process.exit(1);
}
if (before !== text) writeFileSync(file, text);
