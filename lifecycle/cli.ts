/** The `assay` command line: starts the slow part of `assay plan` at once, then reads the arguments. */
import {repositoryFolder} from "../src/cli/git-top.ts";
import {listFiles} from "../src/detect/files/list-files.ts";
import {choosePrograms} from "../src/process/own-programs.ts";

// A person's own git is the one that the terminal finds.
choosePrograms({first: process.env["PATH"] ?? ""});
// A reader such as `head` may close the pipe early. The exit code must still be the verdict's.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
const args = process.argv.slice(2);
const [command, ...options] = args;

// `assay plan [--json]` needs no reader of arguments: git lists a large tree while this process loads what plans.
if (command === "plan" && options.every((option) => option === "--json")) {
  const listing = listFiles(repositoryFolder(process.cwd()), process.env);
  const {planCommand} = await import("../src/cli/plan.ts");
  process.exitCode = await planCommand({json: options.length > 0}, listing);
} else {
  await (await import("./arguments.ts")).runArguments(args);
}
