/** Reads the arguments of every command; each command is loaded only when it is asked for. */
import {Command, Option} from "commander";
import {SHARDS} from "../handover/shard-counts.ts";
import {DEFAULT_PHRASE} from "../request/default-phrase.ts";
import {VERSION} from "../run/version.ts";

const program = new Command("assay")
  .description("Runs a repository's own checks on a clean checkout, and says what it saw.")
  .version(VERSION)
  .showHelpAfterError()
  // Wrong arguments are 3, as a wrong verify.json is; 1 would say that a stage fails. Help and version end with 0.
  .exitOverride(({exitCode}) => process.exit(exitCode === 0 ? 0 : 3));

const list = (value: string, before: string[]) => [...before, value];

program
  .command("plan")
  .description("what would run here, and why")
  .option("--json", "one assay.plan/1 document on stdout")
  .option("--changed <path...>", "only the projects that these paths touch, and those that need them")
  .action(async (o) => finish((await import("./plan.ts")).planCommand(o)));

program
  .command("verify")
  .description("verifies the working tree, untracked files included, on a fresh checkout")
  .option("--base <rev>", "the commit whose verify.json counts and that changes are counted from", "HEAD")
  .option("--head <rev>", "verify this commit instead of the working tree")
  .addOption(
    new Option("--stage <name>", "only this stage, or kind of stage; can be given again")
      .argParser(list)
      .default([], "all"),
  )
  .option("--in-place", "run in the working folder itself, without a fresh checkout")
  .option("--json", "one assay.record/1 document on stdout")
  .addHelpText(
    "after",
    "\nEnds with 0: verified, 1: failed, 2: unverified, 3: a mistake in verify.json or the arguments.",
  )
  .action(async (o) => finish((await import("./verify.ts")).verifyCommand(o)));

program
  .command("run")
  .description("one whole run for an event payload, as the action does it")
  .requiredOption("--event <file>", "the webhook payload")
  .addOption(new Option("--event-name <name>", "what kind of event it is").choices(["issue_comment", "issues"]))
  .option("--json", "one assay.record/1 document on stdout")
  .action(async (o) => finish((await import("./run.ts")).runCommand(o)));

program
  .command("distill")
  .description("the failures found in a log on stdin, and the excerpt that a fix prompt would carry")
  .option("--tool <name>", "a hint: the tool that wrote the log")
  .option("--max-chars <n>", "longest excerpt", "6000")
  .option("--json", "one document on stdout")
  .action(async (o) => finish((await import("./distill.ts")).distillCommand(o)));

program
  .command("init")
  .description("writes a verify.json and the workflow for what is detected here")
  .addOption(
    new Option("--mode <mode>", "separate jobs, or one job, where the agent's machine holds a token that writes")
      .choices(["separated", "single"])
      .default("separated"),
  )
  .addOption(
    new Option("--shards <n>", "machines that share the stages in separate jobs")
      .choices(SHARDS.map(String))
      .default("1"),
  )
  .option("--trigger <words>", "words that call Assay; empty: every comment is a request", DEFAULT_PHRASE)
  .option("--json", "one assay.init/1 document on stdout")
  .action(async (o) => finish((await import("./init.ts")).initCommand(o)));

program
  .command("doctor")
  .description("what is missing for Assay to work here, and what to do about it")
  .option("--json", "one assay.doctor/1 document on stdout")
  .action(async (o) => finish((await import("./doctor.ts")).doctorCommand(o)));

program
  .command("demo")
  .description("the main job on this machine: real git, real agent, scripted model")
  .option("--report <file>", "where the report goes", "demo-report.md")
  .action(async (o) => finish((await import("./demo.ts")).demoCommand(o)));

async function finish(code: Promise<number>): Promise<void> {
  process.exitCode = await code;
}

/** Runs the command that these arguments ask for; sets the exit code of the process. */
export async function runArguments(args: readonly string[]): Promise<void> {
  await program.parseAsync(args, {from: "user"});
}
