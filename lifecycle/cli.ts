/** The `assay` command line: starts what takes long at once, then reads the arguments and hands over. */
import {listFiles} from "../src/detect/files/list-files.ts";
import {choosePrograms} from "../src/process/own-programs.ts";

// A person's own git is the one that the terminal finds.
choosePrograms({first: process.env["PATH"] ?? ""});
// Who reads may leave early, as `head` does. The exit code still has to be the verdict's.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
const args = process.argv.slice(2);
const [command, ...options] = args;

// `assay plan [--json]` needs no reader of arguments: git lists a large tree while this process loads what plans.
if (command === "plan" && options.every((option) => option === "--json")) {
  const listing = listFiles(process.cwd(), process.env);
  const {planCommand} = await import("../src/cli/plan.ts");
  process.exitCode = await planCommand({json: options.length > 0}, listing);
} else {
  await (await import("../src/cli/arguments.ts")).runArguments(args);
}
