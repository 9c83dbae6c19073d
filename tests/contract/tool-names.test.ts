/** What Assay knows about a tool is in that tool's file: elsewhere no string and no pattern names a tool. */

import {describe, expect, it} from "vitest";
import {parseAst} from "vitest/node";
import {TOOLS} from "../../src/tools/all.ts";
import {readSources} from "./source-graph.ts";

/** Where a tool may be named: its own file, and the files of the ecosystems, which propose its commands. */
const MAY_NAME = /^src\/(?:tools|detect\/ecosystems)\//;

/** Names that are also words, languages, formats or package managers say nothing of a tool. */
const AMBIGUOUS = new Set([
  ...["any tool", "behave", "black", "composer", "dart", "deno", "dotnet", "bun", "go", "java", "ld", "lein", "make"],
  ...["maven", "mix", "node", "npm", "nox", "own runner", "php", "pip", "pnpm", "python", "robot", "ruby", "sanitizer"],
  ...["shell", "standard", "swift", "turbo", "ty", "unknown", "uv", "xo", "yarn", "prove", "gradle", "cargo", "sbt"],
]);
const NAMES = TOOLS.map(({name}) => name).filter((name) => !AMBIGUOUS.has(name));
const NAMED = new RegExp(`(?<![\\w-])(?:${NAMES.join("|")})(?![\\w-])`);

/** What still names tools, by the reason. Nothing may be added here, and what is fixed must be removed. */
const KNOWN: Readonly<Record<string, readonly string[]>> = {
  "classifies command lines, and is loaded by every plan: it needs the names without the patterns of outputs": [
    "src/shell/program.ts",
    "src/shell/stage-kind.ts",
  ],
  "a table of detection that is not yet in the tools' files": [
    "src/changes/path-lists.ts",
    "src/detect/ci/extract-checks.ts",
    "src/detect/ci/known-actions.ts",
    "src/detect/proposals/other-jobs.ts",
    "src/detect/command-analysis/counting-runner.ts",
    "src/detect/command-analysis/stops-early.ts",
    "src/detect/coverage/attribute.ts",
    "src/detect/coverage/members.ts",
    "src/detect/coverage/projects.ts",
    "src/detect/coverage/reach.ts",
    "src/detect/files/list-files.ts",
    "src/detect/proposals/screen-rules.ts",
    "src/detect/proposals/screen.ts",
    "src/detect/scripts/package-scripts.ts",
    "src/detect/selection/affected-projects.ts",
    "src/detect/selection/from-ci.ts",
    "src/detect/selection/stage-tools.ts",
  ],
  "a table of verification that is not yet in the tools' files": [
    "src/verify/commands/isolated-stages.ts",
    "src/verify/stage/foreign-tools.ts",
    "src/verify/toolchain.ts",
  ],
  "names the formats of reports": ["src/diagnostics/reports/json.ts"],
  "weighs the lines of any log, and knows a compiler's call that a build prints": ["src/diagnostics/line-patterns.ts"],
  "installs tools, or looks for their files, for a person": [
    "src/cli/demo.ts",
    "src/cli/doctor.ts",
    "src/onboarding/init/run-steps.ts",
  ],
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

  it("is nowhere but in its own file, its ecosystem's, and those with a reason", () => {
    const files = readSources("src", "lifecycle").filter(({path}) => !MAY_NAME.test(path));
    const offenders = files.filter(({text}) => NAMED.test(text) && namesIn(text).length > 0);
    expect(offenders.map(({path}) => path).sort()).toEqual(Object.values(KNOWN).flat().sort());
  });
});
