/** The `assay` command line: starts the slow part of `assay plan` at once, then reads the arguments. */
import {repositoryFolder} from "../src/cli/git-top.ts";
import {useTerminalPrograms} from "../src/cli/terminal-programs.ts";
import {listFiles} from "../src/detect/files/list-files.ts";
import {isHookAgent} from "../src/record/agent-names.ts";

useTerminalPrograms();
const args = process.argv.slice(2);
const [command, ...options] = args;

// `assay plan [--json]` skips the argument parser: git lists a large tree while this process loads the planner.
if (command === "plan" && options.every((option) => option === "--json")) {
  const listing = listFiles(repositoryFolder(process.cwd()), process.env);
  ignoreClosedPipes();
  const {planCommand} = await import("../src/cli/plan.ts");
  process.exitCode = await planCommand({json: options.length > 0}, listing);
} else if (command === "hook" && options.length === 2 && options[0] === "--agent" && isHookAgent(options[1])) {
  // An agent waits for this answer after each of its turns, so the streams are opened while git runs.
  const answering = (await import("../src/cli/hook/hook.ts")).hookCommand({agent: options[1]});
  ignoreClosedPipes();
  process.exitCode = await answering;
} else {
  ignoreClosedPipes();
  const inspection = command === "inspect" ? readInspectArguments(options) : null;
  if (inspection === null) await (await import("./arguments.ts")).runArguments(args);
  else process.exitCode = await (await import("../src/cli/inspect.ts")).inspectCommand(inspection);
}

/** A reader such as `head` may close the pipe early. The exit code must still be the verdict's. */
function ignoreClosedPipes(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
}

/** Reads `assay inspect` in its usual form, for programs that inspect many commits; null for every other form. */
function readInspectArguments(words: readonly string[]): {base: string; head: string; json: boolean} | null {
  const json = words.at(-1) === "--json";
  const [baseOption, base = "-", headOption, head = "-", ...rest] = json ? words.slice(0, -1) : words;
  const isUsual = baseOption === "--base" && headOption === "--head" && rest.length === 0;
  return isUsual && !base.startsWith("-") && !head.startsWith("-") ? {base, head, json} : null;
}
