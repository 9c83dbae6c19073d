/** Writes the skeleton of a new tool, ecosystem or test reader, with a failing test: `node scripts/new.mjs tool|ecosystem|language NAME [FOLDER]`. */
import {existsSync, globSync, mkdirSync, readFileSync, writeFileSync} from "node:fs";
import {dirname, join} from "node:path";

const [kind = "", name = "", root = join(import.meta.dirname, "..")] = process.argv.slice(2);
const fail = (text) => {
  console.error(text);
  process.exit(3);
};
if (!["tool", "ecosystem", "language"].includes(kind) || !/^[a-z][a-z0-9-]*$/.test(name))
  fail("usage: npm run new -- tool|ecosystem|language NAME, with a name such as `ruff` or `node-test`");

const at = (path) => join(root, path);
const identifier = name.replaceAll(/-(.)/g, (_, letter) => letter.toUpperCase());

function create(path, text) {
  if (existsSync(at(path))) fail(`${path} exists already`);
  mkdirSync(dirname(at(path)), {recursive: true});
  writeFileSync(at(path), text);
  console.log(`wrote ${path}`);
}

/** Inserts `text` before the first match of `anchor`, which is a line of the file. */
function insert(path, anchor, text) {
  const before = readFileSync(at(path), "utf8");
  const place = before.search(anchor);
  if (place < 0) fail(`${path} has no line ${anchor}: insert this by hand:\n${text}`);
  writeFileSync(at(path), before.slice(0, place) + text + before.slice(place));
  console.log(`changed ${path}`);
}

if (kind === "tool") {
  create(
    `src/tools/${name}.ts`,
    `/** ${name}. */
import type {Tool} from "./tool.ts";
import type {ToolCommand} from "./tool-command.ts";

export const ${identifier}: Tool = {
  name: "${name}",
  output: {
    markers: ["${name}"],
    lines: [/^(?<file>[^:]+):(?<line>\\d+): (?<message>.*)$/],
  },
};

export const ${identifier}Command: ToolCommand = {
  programs: ["${name}"],
};
`,
  );
  insert("src/tools/all.ts", /^import /m, `import {${identifier}} from "./${name}.ts";\n`);
  insert("src/tools/all.ts", /^ {2}anyTool,$/m, `  ${identifier},\n`);
  insert("src/tools/all-commands.ts", /^import /m, `import {${identifier}Command} from "./${name}.ts";\n`);
  insert("src/tools/all-commands.ts", /^ {2}zigCommand,$/m, `  ${identifier}Command,\n`);
  create(
    `tests/unit/diagnostics/samples/${name}.txt`,
    `Replace this line by what ${name} prints about a small broken project.\n`,
  );
  insert(
    "tests/unit/diagnostics/expected-problems.ts",
    /^\];$/m,
    `  {\n    sample: "${name}",\n    items: [{tool: "${name}", file: "a", line: 1, message: "replace me"}],\n  },\n`,
  );
} else if (kind === "language") {
  const cwd = at("node_modules");
  const [grammar] = globSync([`tree-sitter-${name}/*.wasm`, `@*/tree-sitter-${name}/*.wasm`], {cwd}).toSorted();
  if (grammar === undefined)
    fail(`no package tree-sitter-${name} with a .wasm is installed: see the recipe in CONTRIBUTING.md`);
  create(
    `src/test-code/languages/${name}.ts`,
    `/** Tests of ${name}. */
import {oneOf, type TestLanguage} from "./language.ts";

export const ${identifier}: TestLanguage = {
  name: "${name}",
  endings: [".${name}"],
  grammar: "${grammar}",
  hint: /^\\s*test\\(/m,
  rules: [
    {is: "test", on: "replace_me", name: "arguments.0", where: {function: oneOf("test")}},
    {is: "group", on: "replace_me", name: "name"},
    {is: "unit", on: "replace_me", name: "name"},
    {is: "skip", on: "replace_me", at: "name", where: {name: oneOf("skip")}},
    {is: "asserts", on: "replace_me", where: {function: oneOf("assert")}},
    {is: "branch", on: ["replace_me"]},
  ],
};
`,
  );
  insert("src/test-code/languages.ts", /^import /m, `import {${identifier}} from "./languages/${name}.ts";\n`);
  insert("src/test-code/languages.ts", /^];$/m, `  ${identifier},\n`);
  insert(
    "tests/unit/test-code/read-source.test.ts",
    /^} as const;$/m,
    `  "test/a_test.${name}": \`replace this by a group "a" with the tests "b" and "c", as in the other rows\`,\n`,
  );
} else {
  create(
    `src/detect/ecosystems/${name}.ts`,
    `/** ${name}. */
import {inside} from "../files/project.ts";
import {originOf} from "../proposals/candidate-stages.ts";
import type {Ecosystem} from "../proposals/ecosystem.ts";

const TOOL = {name: "${name}", hint: "add a step that installs ${name} before Assay"};

export const ${identifier}: Ecosystem = {
  name: "${name}",
  title: "${name}",
  manifests: ["${name}.toml"],
  where: "anywhere",
  detect: ({root}) => ({
    tool: TOOL,
    origin: originOf(inside(root, "${name}.toml"), "a ${name} project"),
    checks: [{kind: "test", command: "${name} test"}],
  }),
};
`,
  );
  insert("src/detect/ecosystems/index.ts", /^import /m, `import {${identifier}} from "./${name}.ts";\n`);
  insert("src/detect/ecosystems/index.ts", /^ {2}shell,$/m, `  ${identifier},\n`);
  create(`tests/fixtures/ecosystems/${name}/${name}.toml`, "");
  insert(
    "tests/ecosystems/projects.ts",
    /^\];$/m,
    `  {folder: "${name}", programs: ["${name}"], bugs: [subtracts("replace-me")]},\n`,
  );
}
console.log("Next: npm run format, then follow the recipe in CONTRIBUTING.md.");
