/** Finds the tools that a candidate stage starts, directly and through the project's scripts and targets. */

import {memoize} from "../../shell/memoize.ts";
import {splitShell} from "../../shell/split.ts";
import {COMMANDS} from "../../tools/all-commands.ts";
import {STARTS_SCRIPTS, toolOf} from "../../tools/command-name.ts";
import {nameSet} from "../../tools/names.ts";
import type {CandidateStage} from "../proposals/ecosystem.ts";

/** Shell commands around a check in a script, which check nothing. */
const NO_CHECK = nameSet(
  "for case esac fi done } [ [[ test echo printf cd export eval set mkdir rm cp mv cat exit true false :",
  "trap shopt unset local return wait sleep tee grep sed awk tail head touch ls which",
);
/** Tools that start another tool. */
const WRAPPED_TOOLS: ReadonlyMap<string, readonly string[]> = new Map(
  COMMANDS.flatMap(({starts = {}}) => Object.entries(starts)),
);
/** Tools that start a script or target of the project by its name. */
const PROJECT_SCRIPT = new RegExp(`^(script|make|just|task|composer|mise|rake|${[...STARTS_SCRIPTS].join("|")}) `);

/** Each candidate is compared with many others. */
const cache = new WeakMap<CandidateStage, ReadonlySet<string>>();

/** The tools that a candidate starts, including those in the known bodies of its scripts and targets. */
export function startedTools(candidate: CandidateStage): ReadonlySet<string> {
  const cached = cache.get(candidate);
  if (cached !== undefined) return cached;
  const toolNames = [candidate.command, ...(candidate.runs ?? [])].flatMap(toolsOfLine);
  const checks = toolNames.filter((tool) => !NO_CHECK.has(tool));
  const tools = new Set(
    (checks.length > 0 ? checks : toolNames).flatMap((tool) => [
      tool,
      ...(WRAPPED_TOOLS.get(tool) ?? []),
      ...(/^mvn (.* )?verify( |$)/.test(tool) ? ["mvn test"] : []),
    ]),
  );
  cache.set(candidate, tools);
  return tools;
}

/** The tools that do the work, without the scripts and targets that lead to them. */
export function finalTools(candidate: CandidateStage): ReadonlySet<string> {
  if (candidate.runs === undefined || candidate.runs.length === 0) return startedTools(candidate);
  const tools = startedTools({...candidate, command: ""});
  const direct = toolsOfLine(candidate.command);
  const final = [...tools].filter((tool) => !PROJECT_SCRIPT.test(tool) || !direct.includes(tool));
  return final.length > 0 ? new Set(final) : tools;
}

/** The tools in one line itself. */
export const toolsOfLine = memoize((line): readonly string[] =>
  (splitShell(line) ?? []).filter(({words}) => words.length > 0).map(({words}) => toolOf(words)),
);
