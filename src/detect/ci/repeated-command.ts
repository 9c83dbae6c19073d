/** Distinguishes the runs of a command that a CI job starts several times with different variables. */
import {kindOfWords} from "../../tools/stage-kind.ts";
import {type CiCommand, isPlain} from "../scripts/shell-lines.ts";

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
  return {...command, env: {...Object.fromEntries(own), ...command.env}};
}
