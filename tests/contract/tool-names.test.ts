/** What Assay knows about a tool is in that tool's file: elsewhere no string and no pattern names a tool. */

import {describe, expect, it} from "vitest";
import {parseAst} from "vitest/node";
import {TOOLS} from "../../src/tools/all.ts";
import {readSources} from "./source-graph.ts";

/** Where a tool may be named: in its own file, those of the ecosystems, which propose its commands, and those that read tests. */
const MAY_NAME = /^src\/(?:(?:tools|detect\/ecosystems|test-code\/languages)\/|integrity\/checks\/tricks\.ts$)/;
/** These files of `src/tools` serve all tools, so they may name none. */
const SERVES_ALL =
  /^src\/tools\/(?:all|all-commands|all-integrity|command-name|stage-kind|tool|tool-command|tool-integrity|file-kinds)\.ts$/;

/** Names that are also words, languages, formats or package managers say nothing of a tool. */
const AMBIGUOUS = new Set([
  ...["any tool", "behave", "black", "composer", "dart", "deno", "dotnet", "bun", "go", "java", "ld", "lein", "make"],
  ...["maven", "mix", "node", "npm", "nox", "own runner", "php", "pip", "pnpm", "python", "robot", "ruby", "sanitizer"],
  ...[
    "shell",
    "standard",
    "swift",
    "turbo",
    "ty",
    "unknown",
    "uv",
    "xo",
    "yarn",
    "prove",
    "gradle",
    "cargo",
    "sbt",
    "zig",
    "erlang",
    "julia",
    "nim",
    "ocaml",
    "perl",
    "tap",
    "forge",
  ],
]);
const NAMES = TOOLS.map(({name}) => name).filter((name) => !AMBIGUOUS.has(name));
const NAMED = new RegExp(`(?<![\\w-])(?:${NAMES.join("|")})(?![\\w-])`);

/** What still names tools, with the reason. Nothing may be added here, and what is fixed must be removed. */
const KNOWN: Readonly<Record<string, string>> = {
  "src/tools/stage-kind.ts": "knows the names that people give to scripts, and `test:vitest` is one",
  "src/changes/path-lists.ts": "knows the endings of source code, and `.cmake` is one",
  "src/detect/proposals/screen-rules.ts":
    "knows the parts of names that mark a script as unsafe, and `playwright` is one",
  "src/detect/files/list-files.ts": "skips folders with installed files, and `.terraform` is one",
  "src/detect/selection/affected-projects.ts": "knows the manifests that name other folders, and `meson.build` is one",
  "src/diagnostics/line-patterns.ts": "weighs the lines of any log, and knows a compiler's call that a build prints",
  "src/engine/stage/places.ts": "looks for the folder of a file that Go prints without one",
  "src/engine/toolchain.ts": "watches interpreters and compilers of the machine, most of which are no tools",
  "src/proof/gate-proof/tested-languages.ts": "writes tests that a runner skips, and needs the words of that runner",
  "src/onboarding/init/run-steps.ts": "installs tools on a runner, with pipx, rustup and Go",
};

/** The texts of a file's strings, templates and patterns; not its imports. */
function literalsIn(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(literalsIn);
  if (typeof node !== "object" || node === null || !("type" in node)) return [];
  if (node.type === "ImportDeclaration" || node.type === "ImportExpression") return [];
  const own =
    node.type === "Literal" && "raw" in node
      ? [String(node.raw)]
      : node.type === "TemplateElement" && "value" in node
        ? [JSON.stringify(node.value)]
        : [];
  return [...own, ...Object.values(node).flatMap(literalsIn)];
}

const namesIn = (text: string): string[] =>
  literalsIn(parseAst(text, {lang: "ts"})).filter((literal) => NAMED.test(literal));

describe("a tool's name", () => {
  it("is found in strings, templates and patterns only", () => {
    const text =
      'import {a} from "./eslint.ts"; // eslint\nconst eslint = [a, "eslintrc", /^eslint$/, `run ${a} pytest`];';
    expect(namesIn(text)).toEqual(["/^eslint$/", expect.stringContaining("pytest")]);
  });

  it("is only in its own file, its ecosystem's, and those with a reason", () => {
    const files = readSources("src", "lifecycle").filter(({path}) => !MAY_NAME.test(path) || SERVES_ALL.test(path));
    const offenders = files.filter(({text}) => NAMED.test(text) && namesIn(text).length > 0);
    expect(offenders.map(({path}) => path).sort()).toEqual(Object.keys(KNOWN).sort());
    expect(Object.keys(KNOWN).length).toBeLessThanOrEqual(10);
  });
});
