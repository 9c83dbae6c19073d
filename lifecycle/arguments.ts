/** The commands of `assay` and their options. A command is loaded only when it is used. */
import {Argument, Command, InvalidArgumentError, Option} from "commander";
import {argumentMistakes} from "../src/cli/argument-mistakes.ts";
import {REPORTERS} from "../src/cli/choose-reporter.ts";
import {SHELLS} from "../src/cli/shells.ts";
import {useTerminalPrograms} from "../src/cli/terminal-programs.ts";
import {suggestWord} from "../src/detect/config/closest-word.ts";
import {SHARDS} from "../src/handover/shard-counts.ts";
import {PROVIDERS} from "../src/onboarding/init/providers.ts";
import {HOOK_AGENTS} from "../src/record/agent-names.ts";
import {DEFAULT_COMMANDS, DEFAULT_PHRASE} from "../src/request/default-phrase.ts";
import {TRIGGERS} from "../src/request/triggers.ts";
import {VERSION} from "../src/run/version.ts";

const program = new Command("assay")
  .description("Verify changes with your repository's own checks, in a clean checkout.")
  .version(VERSION)
  .showHelpAfterError("Run `assay --help` for the commands and options.")
  // Exit code 3 for wrong arguments, as for a wrong verify.json: 1 means that a stage fails.
  .exitOverride(({exitCode}) => process.exit(exitCode === 0 ? 0 : 3))
  .hook("preAction", async (_, command) => {
    const mistakes = argumentMistakes(command, process.env["GITHUB_API_URL"]);
    if (command.name() === "try")
      mistakes.push(...(await import("../src/cli/try.ts")).tryMistakes(command.args[0] ?? "", command.opts()));
    if (mistakes.length > 0) command.error(mistakes.map((mistake) => `error: ${mistake}`).join("\n"));
  });

const list = (value: string, previous: string[]) => [...previous, value];

program
  .command("plan")
  .description("show which checks would run here, and why")
  .option("--json", "print one assay.plan/1 document to stdout")
  .option("--changed <path...>", "show only the projects that contain these paths, and projects that depend on them")
  .option("--policy <file>", "show the plan within this policy of an organization")
  .option("--task <text>", "show which specs an agent would get for this request")
  .addOption(
    new Option(
      "--prove [name...]",
      "run these checks once on the last commit, or all that are not required yet",
    ).conflicts(["changed", "policy", "task"]),
  )
  .option("--allow-network <name...>", "with --prove: let these checks use the network")
  .option("--no-sandbox-ok", "with --prove: run the checks without a sandbox if this machine has none")
  .action(async ({prove, allowNetwork = [], sandboxOk, ...options}) => {
    if (prove === undefined) return finish((await import("../src/cli/plan.ts")).planCommand(options));
    const names = prove === true ? [] : prove;
    // Commander reads the option as the negation of another one, which is true by default.
    const settings = {names, allowNetwork, needsSandbox: sandboxOk, json: options.json === true};
    return finish((await import("../src/cli/prove.ts")).proveCommand(settings));
  });

program
  .command("verify")
  .description("verify the working tree, including untracked files, in a fresh checkout")
  .option("--base <rev>", "compare with this commit, and use its verify.json", "HEAD")
  .addOption(new Option("--head <rev>", "verify this commit instead of the working tree").conflicts("inPlace"))
  .addOption(
    new Option("--stage <name>", "run only this check or kind of check; can be repeated")
      .argParser(list)
      .default([], "all"),
  )
  .addOption(
    new Option(
      "--affected",
      "run only the tests and files that the change affects, where the tools can do that",
    ).conflicts("inPlace"),
  )
  .addOption(
    new Option("--watch", "verify again what each change affects, until Ctrl-C").conflicts([
      "inPlace",
      "head",
      "json",
      "reporter",
      "eventLog",
    ]),
  )
  .option("--in-place", "run in the working folder itself instead of a fresh checkout")
  .option("--executed-lines", "then report which changed lines the tests run, with the project's coverage tool")
  .option("--sensitivity", "then inject faults into the changed lines, and report which ones the tests do not notice")
  .argument("[paths...]", "run only the checks that concern these paths")
  .addOption(
    new Option("--reporter <name>", "format of the report; default: tree on a terminal, line otherwise")
      .choices(REPORTERS)
      .conflicts("json"),
  )
  .option("--quiet", "print only failures, and nothing after a success")
  .option("--json", "the same as --reporter json: one assay.record/1 document on stdout")
  .option("--event-log <file>", "write a line of JSON for each event into this file")
  .addHelpText(
    "after",
    "\nExit codes: 0 verified, 1 failed, 2 unverified or partial, 3 a mistake in verify.json or the arguments.",
  )
  .action(async (paths, options) => finish((await import("../src/cli/verify.ts")).verifyCommand(paths, options)));

program
  .command("try")
  .description(
    "let an agent work on a request in a copy of this repository, verify its work, and put it on a local branch",
  )
  .argument("<request>", "what to do, in words")
  .option("--agent <name>", "the coding agent, as in the input `agent`; default: pi")
  .option(
    "--agent-args <lines>",
    "more arguments of the agent, one per line; for the agent `command`, first its program",
  )
  .option("--provider <name>", "the model's provider; default: the first one with a key in the environment")
  .option("--model <name>", "the model; default: the agent's own")
  .option("--agent-config <folder>", "a folder with the agent's configuration, as in the input `agent-config`")
  .option("--report <file>", "where to write the page with the report; default: in the git directory")
  .option("--no-sandbox-ok", "let the agent run without a sandbox if this machine has none")
  .action(async (request, {sandboxOk, ...options}) => {
    const [{tryCommand}, {runJob}] = await Promise.all([import("../src/cli/try.ts"), import("./run.ts")]);
    return finish(tryCommand(request, {...options, needsSandbox: sandboxOk, runJob}));
  });

program
  .command("run")
  .description("handle one event payload, as the action does")
  .requiredOption("--event <file>", "file with the webhook payload")
  .addOption(
    new Option("--event-name <name>", "name of the event").choices([...new Set(TRIGGERS.map(({event}) => event))]),
  )
  .option("--event-log <file>", "write a line of JSON for each event into this file")
  .option("--dry-run", "write nothing to GitHub, and print what would have been posted and pushed")
  .option("--json", "print one assay.record/1 document to stdout")
  .action(async (options) => finish((await import("./run-event.ts")).runCommand(options)));

program
  .command("distill")
  .description("find the failures in a log on stdin, and print the excerpt for a fix prompt")
  .option("--tool <name>", "the tool that wrote the log")
  .option("--max-chars <n>", "maximum length of the excerpt in characters", "6000")
  .option("--json", "print one JSON document to stdout")
  .action(async (options) => finish((await import("../src/cli/distill.ts")).distillCommand(options)));

program
  .command("inspect")
  .description("show how a change weakens its own checks: between two commits, without running anything")
  .requiredOption("--base <rev>", "the commit before the change; its verify.json applies")
  .option("--head <rev>", "the commit after the change", "HEAD")
  .option("--json", "print one assay.inspect/1 document to stdout")
  .addOption(new Option("--sarif", "print one SARIF 2.1.0 document to stdout").conflicts("json"))
  .addHelpText("after", "\nExit codes: 0 no blocking finding, 1 blocking findings, 2 git failed, 3 wrong arguments.")
  .action(async (options) => finish((await import("../src/cli/inspect.ts")).inspectCommand(options)));

program
  .command("replay")
  .description("run the verification of a record or a commit again in this clone, and compare the two")
  .argument("<source>", "a record file, a commit of Assay, or the number of a pull request")
  .option("--trust-commands", "also run commands of the record that are not in this clone's plan")
  .option("--json", "print one assay.replay/1 document to stdout")
  .addHelpText("after", "\nExit codes: 0 reproduced, 1 differs or refused, 2 could not be decided, 3 wrong arguments.")
  .action(async (source, {trustCommands = false, json = false}) =>
    finish((await import("../src/cli/replay/replay.ts")).replayCommand(source, {trustCommands, json})),
  );

program
  .command("check")
  .description("check whether a signed statement holds for a commit, by the rules of its branch now")
  .argument("<commit>", "the commit to check, such as HEAD")
  .option("--statement <file>", "read the statement from this file; default: the notes in refs/notes/assay")
  .option("--repository <owner/name>", "the repository whose jobs may sign; default: the one of `origin`")
  .option("--workflow <path>", "the workflow file that may sign, also as PATH@REF", ".github/workflows/assay.yml")
  .option("--base <branch>", "the branch with the rules; default: the default branch of `origin`")
  .addOption(
    new Option("--max-age <days>", "refuse older verifications, also if they are still valid").argParser((value) =>
      /^[1-9]\d{0,3}$/.test(value) ? Number(value) : wrongNumber("--max-age", "days"),
    ),
  )
  .option("--policy <file>", "the organization's policy, within which the commit must have been verified")
  .option("--trusted-root <file>", "the keys of the signing service; default: those of the public Sigstore")
  .option("--allow-unsigned", "accept a statement without a signature, and say so")
  .option("--again", "if it does not hold, verify the commit here, as `assay verify` does")
  .option("--json", "print one assay.check/1 document to stdout")
  .addHelpText("after", "\nExit codes: 0 it holds, 1 it does not, 2 that is not known, 3 wrong arguments.")
  .action(async (commit, options) => finish((await import("../src/cli/check.ts")).checkCommand(commit, options)));

program
  .command("stats")
  .description("count what Assay's runs came to: verdicts, cost, failures, and what became of the pull requests")
  .addOption(
    new Option("--days <days>", "how far back")
      .argParser((value) => (/^[1-9]\d{0,3}$/.test(value) ? Number(value) : wrongNumber("--days", "days")))
      .default(90),
  )
  .option("--repository <owner/name>", "the repository on GitHub; default: the one of `origin`")
  .addOption(
    new Option("--org <owner>", "all repositories of this owner that have Assay's workflow").conflicts("repository"),
  )
  .option("--author <login>", "the account that writes Assay's comments", "github-actions[bot]")
  .option("--page <file>", "write the figures as one HTML page, too")
  .option("--json", "print one assay.stats/1 document to stdout")
  .action(async (options) => finish((await import("../src/cli/stats.ts")).statsCommand(options)));

program
  .command("hook")
  .description("answer the stop hook of a coding agent: block the agent only for failures that it can fix")
  .addOption(new Option("--agent <name>", "the agent that calls the hook").choices(HOOK_AGENTS).makeOptionMandatory())
  .option("--base <rev>", "compare with this commit; default: where HEAD left its upstream branch, else origin/HEAD")
  .addOption(
    new Option("--timeout <seconds>", "allow the stop if the verification takes longer; default: 570").argParser(
      (value) => (/^[1-9]\d{0,4}$/.test(value) ? Number(value) : wrongNumber("--timeout")),
    ),
  )
  .addHelpText("after", "\nThe hook's input is read from stdin, and the answer is printed. Always exits with 0.")
  .action(async (options) => finish((await import("../src/cli/hook/hook.ts")).hookCommand(options)));

program
  .command("init")
  .description("write a verify.json and the workflow for the detected checks")
  .addOption(
    new Option(
      "--mode <mode>",
      "separate jobs (default), or one job, in which the agent's machine holds a write token",
    ).choices(["separated", "single"]),
  )
  .addOption(new Option("--provider <name>", "the model's provider").choices(PROVIDERS))
  .addOption(
    new Option("--shards <n>", "number of machines that share the checks in separate jobs")
      .choices(SHARDS.map(String))
      .default("1"),
  )
  .addOption(
    new Option("--agent <name>", "write the agent's stop hook instead of verify.json and the workflow")
      .choices(HOOK_AGENTS)
      .conflicts(["mode", "provider", "shards", "trigger", "commands", "on", "attest", "update"]),
  )
  .option("--trigger <words>", "words that start a request; empty: every comment is a request", DEFAULT_PHRASE)
  .option("--commands <words>", "the commands that are for Assay, if another bot has some of them", DEFAULT_COMMANDS)
  .option(
    "--on <triggers>",
    "more triggers, separated by commas: reviews, label[:NAME], assignment:LOGIN, dispatch, schedule:CRON, ci, update",
    "",
  )
  .option("--attest", "sign a statement about each verified commit, for `assay check`")
  .addOption(
    new Option("--pin <what>", "the commit of this version, or the moving tag of its major version")
      .choices(["commit", "major"])
      .default("commit"),
  )
  .option("--update", "compare the workflow with the one of this version, and write it after a yes")
  .option("--no-prove", "do not run the checks that are not required yet once on the last commit")
  .option("--yes", "write without asking, also into a folder that is not a git repository")
  .option("--json", "print one assay.init/1 document to stdout")
  .action(async (options) => finish((await import("../src/cli/init.ts")).initCommand(options)));

program
  .command("doctor")
  .description("check whether Assay can work here, and show how to fix what is missing")
  .option("--prove", "plant faults into scratch commits, and show which checks notice them")
  .option("--json", "print one assay.doctor/1 document to stdout")
  .action(async ({prove, ...options}) => {
    if (prove) return finish((await import("../src/cli/doctor-prove.ts")).doctorProveCommand(options));
    return finish((await import("../src/cli/doctor.ts")).doctorCommand(options));
  });

program
  .command("demo")
  .description("run Assay on an example on this machine: real git, real agent, scripted model")
  .option("--report <file>", "write the report to this file", "demo-report.md")
  .action(async (options) => finish((await import("../src/cli/demo.ts")).demoCommand(options)));

program
  .command("completion")
  .description("print the script with which a shell completes commands and options")
  .addArgument(new Argument("<shell>", "the shell that reads the script").choices(SHELLS))
  .action(async (shell) => {
    const {completionScript} = await import("../src/cli/completion.ts");
    process.stdout.write(completionScript(shell, program));
  });

const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  plan: ["assay plan", "assay plan --prove lint"],
  verify: ["assay verify --base origin/main", "assay verify --affected --watch"],
  try: ['assay try "Fix the rounding in total()"'],
  run: ["GITHUB_REPOSITORY=ada/shop assay run --event event.json --dry-run"],
  distill: ["npm test 2>&1 | assay distill"],
  inspect: ["assay inspect --base origin/main"],
  stats: ["GITHUB_TOKEN=$(gh auth token) assay stats --days 30"],
  replay: ["assay replay record.json", "assay replay HEAD"],

  check: ["assay check HEAD", "assay check HEAD --base main --max-age 7 --again"],
  hook: ["assay hook --agent claude < stop.json"],
  init: ["assay init", "assay init --mode single --provider openai"],
  doctor: ["assay doctor", "assay doctor --prove"],
  demo: ["assay demo --report demo.md"],
  completion: ['eval "$(assay completion bash)"'],
};

for (const command of program.commands)
  command
    .addHelpText("after", ["", "Examples:", ...(EXAMPLES[command.name()] ?? [])].join("\n  ").replace("\n  E", "\nE"))
    .showHelpAfterError(`Run \`assay ${command.name()} --help\` for its options.`)
    .configureOutput({outputError: (text, write) => write(withSuggestion(text))});

/** Commander lists the choices of a mistyped value, but names the closest one only for commands and options. */
function withSuggestion(text: string): string {
  const [, value, choices] = /'([^']*)' is invalid[^.]*\. Allowed choices are (.*)\.$/m.exec(text) ?? [];
  const hint = value === undefined ? "" : suggestWord(value, choices?.split(", ") ?? [], "");
  return hint === "" ? text : `${text.trimEnd()}\n(${hint.replace("did", "Did").replaceAll("`", "")})\n`;
}

function wrongNumber(option: string, unit = "seconds"): never {
  throw new InvalidArgumentError(`${option} needs a number of ${unit}`);
}

async function finish(code: Promise<number>): Promise<void> {
  process.exitCode = await code;
}

/** Runs a command and sets the exit code of the process. */
export async function runArguments(args: readonly string[]): Promise<void> {
  useTerminalPrograms();
  await program.parseAsync(args, {from: "user"});
}
