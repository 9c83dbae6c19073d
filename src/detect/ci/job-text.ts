/** The texts of a GitHub job that show what it does with the values of its matrix. */
import {plainPath} from "../../git/paths.ts";
import {listOf, mapOf, textAt, valueAt} from "../files/manifest-values.ts";
import type {Project} from "../files/project.ts";
import {findFirst} from "../proposals/candidate-stages.ts";
import {readsVariable, textValues} from "./step-variables.ts";
import {isHelper, OWN_FILE} from "./steps.ts";

/** An input of a set-up action that selects what it installs; others name a folder, a cache or an option. */
const VERSION_INPUT = /version|toolchain|compiler/i;
/**
 * The words of a line that select a toolchain, `cargo +1.80`, `rustup default 1.80`, `uv run --python 3.12` and `hatch run
 * +py=3.12`, or the version of a package, `pnpm add react@$REACT_VER` (pmndrs/zustand).
 */
const SELECTS_TOOL =
  /(?:(?:^|\s)(?:rustup|uv python|nvm)\s.*?|\s\+(?:py=)?|\s--python[ =]|\buvx? (?:\S+ )*-p )["']?\$\{\{.*?\}\}|\b(?:install|add|require) [^;&|\n]*/gm;

/** What of a job may change what it runs: everything but the names that people read. */
export function textOfWork(job: unknown): string {
  const steps = listOf(valueAt(job, "steps")).map((step) => [...mapOf(step)].filter(([key]) => key !== "name"));
  return JSON.stringify(
    [...mapOf(job)].map(([key, value]) =>
      key === "steps" ? steps : ["name", "strategy"].includes(key) ? null : value,
    ),
  );
}

/** What the started files select with their inputs, each read once. */
type TextsOfFiles = Map<string, string>;

/** What of a job, with its workflow, selects its machine, its images, and the versions of what it installs. */
export function textOfTools(
  project: Project,
  workflow: unknown,
  job: unknown,
  started: TextsOfFiles = new Map(),
): string {
  const places = ["runs-on", "container", "services"].map((key) => JSON.stringify(valueAt(job, key) ?? null));
  const uses = textAt(job, "uses") ?? "";
  const ofCalled = startedText(started, OWN_FILE.test(uses) ? uses.replace(OWN_FILE, "") : null, (file) => {
    const called = project.yaml(file);
    return [...mapOf(valueAt(called, "jobs")).values()].map((one) => textOfTools(project, called, one, started));
  });
  const steps = toolTexts(project, valueAt(job, "steps"), started);
  const text = [...places, ...steps, ...inputsIn(valueAt(job, "with"), ofCalled)].join("\n");
  return [text, ...[workflow, job].flatMap((holder) => variablesIn(text, holder))].join("\n");
}

/** The values of the variables that a text reads. */
const variablesIn = (text: string, holder: unknown): string[] =>
  Object.entries(textValues(valueAt(holder, "env"))).flatMap(([name, value]) =>
    reads(text, "env", name) || readsVariable(text, name) ? [value] : [],
  );

function toolTexts(project: Project, steps: unknown, started: TextsOfFiles): string[] {
  return listOf(steps).flatMap((step) => {
    const uses = textAt(step, "uses") ?? "";
    const given = valueAt(step, "with");
    if (!OWN_FILE.test(uses)) {
      const inputs = isHelper(uses) ? [...mapOf(given)].filter(([name]) => VERSION_INPUT.test(name)) : [];
      const lines = (textAt(step, "run") ?? "").match(SELECTS_TOOL) ?? [];
      return [...inputs.map(([, value]) => String(value)), ...lines, ...variablesIn(lines.join("\n"), step)];
    }
    const action = findFirst(project, plainPath(uses.replace(OWN_FILE, "")), ["action.yml", "action.yaml"]);
    const ofAction = startedText(started, action, (file) =>
      toolTexts(project, valueAt(project.yaml(file), "runs", "steps"), started),
    );
    return inputsIn(given, ofAction);
  });
}

function startedText(started: TextsOfFiles, file: string | null, read: (file: string) => readonly string[]): string {
  if (file === null) return "";
  // What starts itself adds nothing to its own text.
  if (!started.has(file)) started.set(file, "").set(file, read(file).join("\n"));
  return started.get(file) ?? "";
}

/** The values that what is started passes on to its tools. */
const inputsIn = (given: unknown, text: string): string[] =>
  [...mapOf(given)].flatMap(([name, value]) => (reads(text, "inputs", name) ? [String(value)] : []));

const reads = (text: string, context: string, name: string): boolean =>
  Array.from(text.matchAll(/\b(env|inputs)\.([\w-]+)/g)).some(([, of, key]) => of === context && key === name);
