/** Gives a stage the variables that CI sets for its command. */
import {splitShell} from "../../shell/split.ts";
import {toolOf} from "../../tools/command-name.ts";
import {variablesOf} from "../ci/check-variables.ts";
import type {CandidateStage} from "../proposals/ecosystem.ts";
import {commandsIn} from "./effective-commands.ts";
import {toolsOfLine} from "./stage-tools.ts";

/** One command of CI, without the variables in front of it. */
interface CiRun {
  readonly line: string;
  readonly tool: string;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * The candidate with the variables of the same command of CI. If CI only runs its tests with other options, the candidate
 * gets what all of these runs set to the same value.
 */
export function withCiVariables(candidate: CandidateStage, fromCi: readonly CandidateStage[]): CandidateStage {
  const lines = [candidate.command, ...(candidate.runs ?? [])];
  const own = new Set(lines.flatMap(commandsIn));
  const tools = new Set(lines.flatMap(toolsOfLine));
  const runs = fromCi.filter(({cwd}) => cwd === candidate.cwd).flatMap(runOf);
  const same = runs.find(({line}) => commandsIn(line).every((one) => own.has(one)));
  const similar = candidate.kind === "test" ? runs.filter(({tool}) => tools.has(tool)) : [];
  const variables =
    same?.env ??
    Object.fromEntries(
      Object.entries(similar[0]?.env ?? {}).filter(([name, value]) => similar.every(({env}) => env[name] === value)),
    );
  return Object.keys(variables).length === 0 ? candidate : {...candidate, env: {...variables, ...candidate.env}};
}

function runOf({command, env = {}}: CandidateStage): CiRun[] {
  const [started, ...others] = splitShell(command) ?? [];
  if (started === undefined || others.length > 0) return [];
  const own = variablesOf({env: started.env, ownVariables: Object.keys(started.env)});
  return [{line: started.raws.join(" "), tool: toolOf(started.words), env: {...env, ...own}}];
}
