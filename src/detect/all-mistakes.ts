/** Completes the mistakes of a `verify.json` with the overrides that name no detected stage, so that one run reports all. */
import {parse} from "jsonc-parser";
import type {Failure} from "../record/failure.ts";
import {DEFAULT_CONFIG} from "./config/config.ts";
import {MAX_MISTAKES} from "./config/mistakes.ts";
import type {Project} from "./files/project.ts";
import {plan} from "./plan.ts";

/** Takes the failure of a configuration, and the project that it belongs to. */
export function allMistakes(failure: Failure, project: Project): Failure {
  if (failure.kind !== "config-invalid") return failure;
  const entries = entriesOf(project.text(failure.file) ?? "");
  if (!isObject(entries) || !isObject(entries["overrides"]) || "stages" in entries) return failure;
  // The schema reports the other names.
  const names = Object.keys(entries["overrides"]).filter((name) => /^[\w$@.:/+-]{1,60}$/.test(name));
  const overrides = Object.fromEntries(names.map((name) => [name, {}]));
  const result = plan({project, config: {...DEFAULT_CONFIG, file: failure.file, overrides}});
  if (result.ok || result.failure.kind !== "config-invalid") return failure;
  return {...failure, mistakes: [...failure.mistakes, ...result.failure.mistakes].slice(0, MAX_MISTAKES)};
}

function entriesOf(text: string): unknown {
  try {
    return parse(text, [], {allowTrailingComma: true});
  } catch {
    // It is nested too deeply for the parser, which is one of the mistakes.
    return null;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
