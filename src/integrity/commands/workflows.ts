/** Reads the steps of the jobs of a CI system as lines of shells, with what decides whether they run and whether their failure counts. */
import {mayHold} from "../../detect/ci/expression.ts";
import {commandOfAction} from "../../detect/ci/known-actions.ts";
import {listOf, mapOf, textAt, valueAt} from "../../detect/files/manifest-values.ts";
import {parseYaml} from "../source/yaml.ts";
import {type CommandPlaces, PASSES, type ShellLine} from "./command-fates.ts";

/** Conditions with which a step also runs after failures, or only on one of several systems. */
const NO_LIMIT =
  /\balways\(\)|!\s*cancelled\(\)|\b(?:failure|cancelled)\(|\b(?:matrix|runner)\.|\bgithub\.repository\b/;

export function workflowPlaces(text: string): CommandPlaces {
  const document = parseYaml(text);
  const steps = valueAt(document, "runs");
  const jobs = mapOf(valueAt(document, "jobs") ?? (steps === undefined ? document : {runs: steps}));
  const places = [...jobs].map(([name, job]) => [name, linesOf(document, job)] as const);
  return new Map(places.filter(([, lines]) => lines.length > 0));
}

function linesOf(document: unknown, job: unknown): ShellLine[] {
  const lists = ["steps", "script", "before_script"].map((key) => valueAt(job, key));
  return lists
    .flatMap((list) => (typeof list === "string" ? [list] : listOf(list)))
    .flatMap((step) => {
      const levels = [document, job, step];
      const line = stepLine(levels, typeof step === "string" ? step : commandOf(step));
      return line === null ? [] : [line];
    });
}

function commandOf(step: unknown): string | null {
  const run = valueAt(step, "run") ?? valueAt(step, "script");
  const action = textAt(step, "uses");
  if (action !== null) return commandOfAction(action, valueAt(step, "with"));
  return typeof run === "string" ? run : textAt(run, "command");
}

/** Null for a step that never runs with the values that the workflow sets. */
function stepLine(levels: readonly unknown[], text: string | null): ShellLine | null {
  const conditions = levels.slice(1).map((level) => String(valueAt(level, "if") ?? ""));
  const variables = new Map(levels.flatMap((level) => [...mapOf(valueAt(level, "env"))]));
  const lookup = ([context, name = ""]: readonly string[]) => {
    const value = context === "env" ? variables.get(name) : undefined;
    return value === undefined || String(value).includes("${{") ? undefined : String(value);
  };
  const mayRun = conditions.every((one) => one === "" || NO_LIMIT.test(one) || mayHold(one, lookup));
  if (text === null || !mayRun) return null;
  // GitHub starts the shell of a step with `-e`, unless the step has a command of its own for it.
  const shells = levels.map((level) => textAt(level, "shell") ?? textAt(level, "defaults", "run", "shell"));
  const shell = shells.findLast((one) => one !== null) ?? "";
  return {
    text,
    stops: !shell.includes("{0}") || /\s-\w*e/.test(shell),
    hasPipefail: shell === "bash" || shell.includes("pipefail"),
    isIgnored:
      isNoShell(shell) ||
      levels.some((level) =>
        ["continue-on-error", "continueOnError", "allow_failure"].some((key) => String(valueAt(level, key)) === "true"),
      ),
    isConditional: conditions.some((one) => one !== "" && !NO_LIMIT.test(one)),
  };
}

/** A command for the shell that does not run its file: `true {0}`, `bash -n {0}`, `bash -c true {0}`. */
function isNoShell(shell: string): boolean {
  const [program = "", ...words] = shell.trim().split(/\s+/);
  if (!words.includes("{0}")) return false;
  const file = program.endsWith("sh") ? words.slice(0, words.indexOf("{0}")) : [];
  return (
    PASSES.test(program) ||
    file.some((word, i) => /^-[a-z]*n/.test(word) || (/^-[a-z]*c$/.test(word) && i < file.length - 1))
  );
}
