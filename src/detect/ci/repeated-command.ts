/** Tells apart a command that a job of CI runs several times with other variables. */
import {kindOfWords} from "../../tools/stage-kind.ts";
import {type CiCommand, isPlain} from "../scripts/shell-lines.ts";

/** Variables that only report, or that only CI has. */
const NOT_OF_TESTS = /^(CI|GITHUB_.*|RUNNER_.*|NO_COLOR|FORCE_COLOR|.*(TOKEN|KEY|COVERALLS|CODECOV).*)$/;

type Env = Readonly<Record<string, string>>;

/**
 * The tests of a later step with the variables that the first step with these tests does not have. `firstEnv` holds the
 * variables of that step for each command of a job.
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
    ([name, value]) => first[name] !== value && isPlain(value) && !NOT_OF_TESTS.test(name),
  );
  return {...command, env: {...Object.fromEntries(own), ...command.env}};
}
