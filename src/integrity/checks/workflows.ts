/** Finds workflows that start for fewer events. A part of the check `scripts`. */
import {mapOf, valueAt} from "../../detect/files/manifest-values.ts";
import type {IntegrityFinding} from "../../record/finding.ts";
import {hasChecks} from "../commands/compare-commands.ts";
import {workflowPlaces} from "../commands/workflows.ts";
import type {InspectedFile} from "../source/inspected-change.ts";
import {parseYaml} from "../source/yaml.ts";
import {findingAt} from "./script-finding.ts";

const WORKFLOW = /^\.github\/workflows\/[^/]+\.ya?ml$/;

export function workflowFindings(file: InspectedFile): IntegrityFinding[] {
  if (!WORKFLOW.test(file.basePath)) return [];
  const flag = (message: string) => [findingAt({file, level: "flag", message, text: null})];
  if (file.status === "renamed" && !WORKFLOW.test(file.path))
    return flag("GitHub runs workflows only in `.github/workflows`");
  const [before, after] = [triggersOf(file.before), triggersOf(file.after)];
  const isLost = before.includes("pull_request") && !after.some((one) => /^(?:pull_request|merge)/.test(one));
  return isLost && after.length > 0 && checksSomething(file.before)
    ? flag("The workflow does not start for pull requests any more")
    : [];
}

const checksSomething = (text: string | null): boolean =>
  [...workflowPlaces(text ?? "").values()].some((lines) => lines.some((line) => hasChecks(line.text)));

/** `on: push`, `on: [push]` or `on: {push: …}`; none for a text that is no YAML. */
function triggersOf(text: string | null): string[] {
  try {
    const on = text === null ? undefined : valueAt(parseYaml(text), "on");
    if (typeof on === "string") return [on];
    return Array.isArray(on) ? on.map(String) : [...mapOf(on).keys()];
  } catch {
    return [];
  }
}
