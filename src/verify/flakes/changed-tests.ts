/** Which tests a change adds or edits, and the command that runs them alone. */
import {posix} from "node:path";
import {isBelow} from "../../detect/files/project.ts";
import {rerunOf} from "../../diagnostics/rerun.ts";
import type {Stage} from "../../record/plan.ts";
import type {Change} from "../../record/verification.ts";
import {TOOLS} from "../../tools/all.ts";

/** As the runners of these languages find them; a helper that fits too is run and has no test in it. */
const TEST_FILES = [
  /\.(?:test|spec)\.[cm]?[jt]sx?$/,
  /(?:^|\/)(?:__tests__|tests?|specs?)\/.*\.[cm]?[jt]sx?$/,
  /(?:^|\/)(?:test_[^/]*|[^/]*_tests?)\.py$/,
  /_test\.(?:go|exs|dart|rb)$|(?:^|\/)test_[^/]*\.rb$|_spec\.rb$/,
  /(?:^|\/)tests\/.*\.rs$/,
  /Tests?\.(?:java|kt|scala|cs|php|swift)$/,
];

/** Test files below the stage's folder that are new, or not as they were. */
export function changedTests(changes: readonly Change[], cwd: string): string[] {
  return changes
    .filter(
      ({path, status}) => status !== "deleted" && isBelow(path, cwd) && TEST_FILES.some((form) => form.test(path)),
    )
    .map(({path}) => path);
}

/** Null where the stage's command cannot be told to run only these files. `scripts` are those of its package.json. */
export function commandFor(o: {
  stage: Pick<Stage, "command" | "cwd">;
  files: readonly string[];
  scripts: Readonly<Record<string, string>>;
}): string | null {
  const {stage, files, scripts} = o;
  const inFolder = files.map((path) => posix.relative(stage.cwd, path));
  for (const {name: tool, rerun: rule} of TOOLS) {
    if (rule === undefined) continue;
    const places = rule.takesFolders === true ? inFolder.map((path) => `./${posix.dirname(path)}`) : inFolder;
    const tests = [...new Set(places)].map((file) => ({file, name: null}));
    const rerun = rerunOf({command: stage.command, cwd: ".", failed: {tool, tests, isComplete: true}, scripts});
    if (rerun !== null) return rerun.command;
  }
  return null;
}
