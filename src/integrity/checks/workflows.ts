/** Finds workflows that start for fewer events, and checks with a new condition. A part of the check `scripts`. */
import {mayHold} from "../../detect/ci/expression.ts";
import {mapOf, valueAt} from "../../detect/files/manifest-values.ts";
import type {IntegrityFinding} from "../../record/finding.ts";
import {hasChecks} from "../commands/compare-commands.ts";
import type {InspectedFile} from "../source/inspected-change.ts";
import {parseYaml} from "../source/yaml.ts";
import {addedLines, findingAt} from "./script-finding.ts";

const WORKFLOW = /^\.github\/workflows\/[^/]+\.ya?ml$/;
/** Conditions with which a step also runs after failures, or only on one of several systems. */
const NO_LIMIT = /\balways\(\)|!\s*cancelled\(\)|\b(?:matrix|runner)\./;
/** Without `-e`, a shell continues after a failing command (docs.github.com, "Workflow syntax", `shell`). */
const LENIENT_SHELL = /^\s*(?:-\s*)?shell\s*:\s*["']?(?:ba)?sh(?!.*\s-\w*e)\s.*\{0\}/;

export function workflowFindings(file: InspectedFile): IntegrityFinding[] {
  if (!WORKFLOW.test(file.basePath)) return [];
  const flag = (message: string, text: string | null = null) => [findingAt({file, level: "flag", message, text})];
  if (file.status === "renamed" && !WORKFLOW.test(file.path))
    return flag("GitHub runs workflows only in `.github/workflows`");
  if (file.before === null || file.after === null) return [];
  const [before, after] = [documentOf(file.before), documentOf(file.after)];
  const lenient = addedLines(file, LENIENT_SHELL).flatMap(({text}) =>
    flag(`\`${text.trim()}\` continues after a failure`, text),
  );
  const triggers = triggersOf(after);
  if (after === null) return lenient;
  const isLost = triggersOf(before).has("pull_request") && !/^(?:pull_request|merge)/m.test([...triggers].join("\n"));
  const lost =
    isLost && checksIn(before).size > 0 ? flag("The workflow does not start for pull requests any more") : [];
  const conditions = checksIn(after);
  const limited = [...checksIn(before)].flatMap(([run, condition]) => {
    const current = conditions.get(run);
    const message = `A step with \`${run.split("\n")[0]}\` runs only if \`${current}\``;
    return condition === "" && current && !NO_LIMIT.test(current) ? flag(message, current) : [];
  });
  return [
    ...lenient,
    ...lost,
    ...(limited.length > 0 ? limited : stoppedSteps(before, after).flatMap((name) => flag(name))),
  ];
}

/** The steps that ran, and that never run with the values that the workflow sets. */
function stoppedSteps(before: unknown, after: unknown): string[] {
  const earlier = conditionsIn(before);
  const stopped = [...conditionsIn(after)].find(([name, {mayRun}]) => !mayRun && earlier.get(name)?.mayRun === true);
  if (stopped === undefined) return [];
  const [name, {text}] = stopped;
  return [`The step with \`${name.split("\n")[0]}\` does not run any more: \`${text}\` is false`];
}

/** Actions that check nothing. */
const PREPARES = /^(?:actions|docker)\/|^[\w.-]+\/(?:setup|install|cache|upload|download|publish|deploy|release)/;

/** The condition of each step with checks or another action, and whether it can hold with the variables that the workflow sets. */
function conditionsIn(document: unknown): Map<string, {text: string; mayRun: boolean}> {
  const jobs = [...mapOf(valueAt(document, "jobs")).values()];
  const entries = jobs.flatMap((job) =>
    stepsOf(job).flatMap((step) => {
      const [run, uses] = [valueAt(step, "run"), valueAt(step, "uses")];
      const isCheck = typeof run === "string" ? hasChecks(run) : !PREPARES.test(String(uses ?? "actions/"));
      const text = String(valueAt(step, "if") ?? "");
      const levels = [document, job, step].map((level) => mapOf(valueAt(level, "env")));
      const variables = new Map(levels.flatMap((level) => [...level]).map(([name, value]) => [name, literalOf(value)]));
      const lookup = ([context, name = ""]: readonly string[]) =>
        context === "env" ? (variables.get(name) ?? undefined) : undefined;
      // A step after failures runs in other runs.
      const mayRun = text === "" || /\b(?:failure|cancelled)\(/.test(text) || mayHold(text, lookup);
      return isCheck ? [[String(run ?? uses), {text, mayRun}] as const] : [];
    }),
  );
  return new Map(entries);
}

const literalOf = (value: unknown): string | null => {
  const text = String(value);
  return text.includes("${{") ? null : text;
};

function stepsOf(job: unknown): unknown[] {
  const list = valueAt(job, "steps");
  return Array.isArray(list) ? list : [];
}

/** Null for a text that is no YAML. */
function documentOf(text: string): unknown {
  try {
    return parseYaml(text);
  } catch {
    return null;
  }
}

/** `on: push`, `on: [push]` or `on: {push: …}`. */
function triggersOf(document: unknown): Set<string> {
  const on = valueAt(document, "on");
  if (typeof on === "string") return new Set([on]);
  return new Set(Array.isArray(on) ? on.map(String) : mapOf(on).keys());
}

/** The commands of the steps that check something, with the conditions of the step. */
function checksIn(document: unknown): Map<string, string> {
  const steps = [...mapOf(valueAt(document, "jobs")).values()].flatMap(stepsOf);
  return new Map(
    steps.flatMap((step: unknown) => {
      const run = valueAt(step, "run");
      const condition = valueAt(step, "if");
      return typeof run === "string" && hasChecks(run) ? [[run, String(condition ?? "")] as const] : [];
    }),
  );
}
