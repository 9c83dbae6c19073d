/** Prints why a command of the terminal could not start: the error, its details, and what to do next. */
import {showInvisible} from "../markdown/escape.ts";
import {escapeLog} from "../process/escape-log.ts";
import type {Failure} from "../record/failure.ts";
import {failureLines} from "../run/failure-lines.ts";
import {configFrame} from "./config-frame.ts";
import {repositoryFolder} from "./git-top.ts";
import type {WrongArgument} from "./local-setup.ts";

/** Returns the exit code: 3 for a mistake in the arguments or in verify.json, else 2. */
export function printFailure(failure: Failure | WrongArgument): 2 | 3 {
  const lines = failure.kind === "wrong-argument" ? [failure.sentence] : withFrames(failure);
  const [first = "", ...rest] = lines;
  const text = [first.startsWith("error: ") ? first : `error: ${first}`, ...rest].join("\n");
  process.stderr.write(`${escapeLog(showInvisible(text), "")}\n`);
  return failure.kind === "wrong-argument" || failure.kind === "config-invalid" ? 3 : 2;
}

/** Each mistake of verify.json with the lines that have it. */
function withFrames(failure: Failure): string[] {
  const lines = failureLines(failure);
  if (failure.kind !== "config-invalid") return lines;
  const {file, mistakes} = failure;
  const folder = repositoryFolder(process.cwd());
  return lines.flatMap((line) => {
    const mistake = mistakes.find(({path}) => line.startsWith(`  ${path}: `));
    const frame = mistake === undefined ? [] : configFrame(folder, {file, path: mistake.path});
    return [line, ...frame.map((row) => `    ${row}`)];
  });
}
