/** Distinguishes the runs of a command that a CI job starts several times with different variables. */
import {assignments} from "../../shell/quote.ts";
import {kindOfWords} from "../../tools/stage-kind.ts";
import type {CiCommand} from "../scripts/shell-lines.ts";
import {isPlain} from "../scripts/shell-values.ts";
import {variablesOf} from "./check-variables.ts";
import type {CiScript} from "./jobs.ts";

/** Variables that only affect reports, or that only CI has. */
const NOT_FOR_TESTS = /^(CI|GITHUB_.*|RUNNER_.*|NO_COLOR|FORCE_COLOR|.*(TOKEN|KEY|COVERALLS|CODECOV).*)$/;

type Env = Readonly<Record<string, string>>;

/**
 * Gives a later run of tests the variables that the first run in the job does not have. `firstEnv` has the variables of
 * the first run of each command.
 */
export function withOwnEnv(
  command: CiCommand,
  {env, job}: {readonly env: Env; readonly job?: string},
  firstEnv: Map<string, Env>,
): CiCommand {
  if (job === undefined || kindOfWords(command.words) !== "test") return command;
  const place = `${job}\0${command.cwd}\0${command.raws.join(" ")}`;
  const first = firstEnv.get(place);
  if (first === undefined) {
    firstEnv.set(place, env);
    return command;
  }
  const own = Object.entries(env).filter(
    ([name, value]) => first[name] !== value && isPlain(value) && !NOT_FOR_TESTS.test(name),
  );
  const ownEnv = Object.fromEntries(own);
  return {
    ...command,
    text: [...assignments(ownEnv), command.text].join(" "),
    env: {...ownEnv, ...command.env},
  };
}

/**
 * Why tests of a job are not one more stage: an earlier job runs them with other variables. Null for the first run of a
 * command, whose variables are added to `planned`, and for an equal one.
 */
export function whyOtherVariables(command: CiCommand, script: CiScript, planned: Map<string, Env>): string | null {
  const place = `${command.cwd}\0${[...assignments(command.env), ...command.raws].join(" ")}`;
  const first = planned.get(place);
  const env = variablesOf(script);
  if (first === undefined) planned.set(place, env);
  const other = Object.entries(env).filter(([name, value]) => first !== undefined && first[name] !== value);
  const list = assignments(Object.fromEntries(other)).join(" ");
  return list === "" ? null : `a stage runs it without \`${list.slice(0, 100)}\``;
}
