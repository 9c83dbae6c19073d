/** The action's public contract: its inputs and outputs, in one table each, which action.yml and the README repeat. */
import {AGENT_NAMES, type AgentName} from "../record/agent-names.ts";
import type {Failure} from "../record/failure.ts";
import {ok, type Result, refused} from "../record/words.ts";
import {commandsIn, TAKEN_WORD, takenWords} from "../request/command.ts";
import {DEFAULT_COMMANDS, DEFAULT_LABEL, DEFAULT_PHRASE} from "../request/default-phrase.ts";

/** What the README and action.yml show about an input. */
interface InputFacts {
  readonly description: string;
  /** as in action.yml */
  readonly default: string;
  /**
   * true if an empty value is used as it is; for other inputs it means the default, because an unset variable expands
   * to an empty text
   */
  readonly mayBeEmpty?: true;
  readonly read: ReadInput<unknown>;
}

/** Without a library, whose schemas of the inputs would be half of the action's start. The failure ends a sentence. */
type ReadInput<Value> = (given: string) => Result<Value, string>;

/** GitHub replaces this before the action starts; unreplaced, it is not a token. */
const TOKEN_EXPRESSION = "${{ github.token }}";

const textOf =
  (longest: number): ReadInput<string> =>
  (given) =>
    given.trim().length <= longest ? ok(given.trim()) : refused(`must have at most ${longest} characters`);
const text: ReadInput<string> = (given) =>
  /[\r\n\0]/.test(given.trim()) ? refused("must be one line") : textOf(1_000)(given);
const parts = (given: string, separator: RegExp): string[] =>
  given
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== "");
const list: ReadInput<readonly string[]> = (given) => ok(given.split(",").map((part) => part.trim()));
const words: ReadInput<readonly string[]> = (given) => ok(parts(given, /[\s,]+/));
const oneOf =
  <Word extends string>(choices: readonly Word[]): ReadInput<Word> =>
  (given) => {
    const word = choices.find((choice) => choice === given);
    return word === undefined ? refused(`must be one of ${choices.join(", ")}`) : ok(word);
  };
const yesOrNo: ReadInput<boolean> = (given) =>
  ["true", "false"].includes(given) ? ok(given === "true") : refused("must be true or false");
const count =
  ({from, to}: {from: number; to: number}): ReadInput<number> =>
  (given) => {
    if (!/^\d{1,4}$/.test(given.trim())) return refused("must be a whole number");
    return Number(given) < from || Number(given) > to ? refused(`must be from ${from} to ${to}`) : ok(Number(given));
  };
/** The program of `command` is in the workflow, so that a request cannot switch to it. */
const CHOSEN_AGENTS = AGENT_NAMES.filter((name) => name !== "command");
const chosenAgents: ReadInput<readonly AgentName[]> = (given) => {
  const named = parts(given, /[\s,]+/);
  const agents = named.flatMap((word) => CHOSEN_AGENTS.find((name) => name === word) ?? []);
  return agents.length === named.length ? ok(agents) : refused(`may have these words: ${CHOSEN_AGENTS.join(", ")}`);
};
const isWebAddress = (given: string): boolean =>
  URL.canParse(given.trim()) && ["https:", "http:"].includes(new URL(given.trim()).protocol);
const isSigningService = (given: string): boolean => ["true", "false"].includes(given.trim()) || isWebAddress(given);
/** The number of this machine and of all machines. */
const shard: ReadInput<{readonly number: number; readonly of: number}> = (given) => {
  const [number = 1, of = 1] = given.trim() === "" ? [] : given.trim().split("/").map(Number);
  if (!/^([1-8]\/[1-8])?$/.test(given.trim())) return refused("must be like 1/3, and at most 8/8");
  return number <= of ? ok({number, of}) : refused("must be like 1/3");
};

/**
 * An input is an environment variable, which Linux limits to 128 KiB; a character of an opaque text may take three
 * bytes.
 */
export const MAX_ENCODED_CHARS = 43_000;

/** `all` is a run in one job; the others are its parts, in their order. */
const JOBS = [
  "all",
  "answer",
  "cache",
  "admit",
  "progress",
  // of workflows that `init` wrote until this version
  "work-done",
  "work",
  "hand-over",
  "verify",
  "judge",
  "publish",
] as const;

/** The keys of a step's `with:`. verify.json decides how a repository is verified and published. */
const INPUT_TABLE = {
  "github-token": {
    read: (given: string) => (given.trim() === TOKEN_EXPRESSION ? refused("is missing") : text(given)),
    description: "Token for reading, comments, pushes and pull requests.",
    default: TOKEN_EXPRESSION,
  },
  "trigger-phrase": {
    read: (given: string) => (takenWords(given).length === 0 ? text(given) : refused(TAKEN_WORD)),
    description: "Words that start a request at the beginning of a comment. Empty: every comment is a request.",
    default: DEFAULT_PHRASE,
    mayBeEmpty: true,
  },
  commands: {
    read: (given: string) => {
      const commands = commandsIn(given);
      return commands.length === parts(given, /[\s,]+/).length
        ? ok(commands)
        : refused(`may have these words, each once: ${DEFAULT_COMMANDS}`);
    },
    description: "The commands that are for Assay. Leave out those that another bot answers in this repository.",
    default: DEFAULT_COMMANDS,
  },
  label: {
    read: text,
    description: "The label that gives an issue to Assay, in a workflow with `--on label`.",
    default: DEFAULT_LABEL,
  },
  assignee: {
    read: text,
    description: "The account that gives an issue to Assay when it is assigned, in a workflow with `--on assignment`.",
    default: "",
  },
  "schedule-text": {
    read: textOf(10_000),
    description: "The request of each scheduled run, in a workflow with `--on schedule:CRON`.",
    default: "",
  },
  agent: {
    read: oneOf(AGENT_NAMES),
    description: `The coding agent: ${AGENT_NAMES.map((name) => `\`${name}\``).join(", ")}. See docs/agents.md.`,
    default: "pi",
  },
  provider: {
    read: text,
    description:
      "The model's provider. Empty: the first provider with a key in `env:` of the step, such as `ANTHROPIC_API_KEY`.",
    default: "",
  },
  model: {
    read: text,
    description: "The agent's name for the model. Empty: the agent's default.",
    default: "",
  },
  thinking: {
    read: text,
    description: "The agent's thinking level, such as `low` or `high`. Empty: the agent's default.",
    default: "",
  },
  "allowed-agents": {
    read: chosenAgents,
    description: "The agents that a request may name, as in `/assay agent=codex …`, separated by spaces. Empty: none.",
    default: "",
  },
  "allowed-models": {
    read: words,
    description: "The models that a request may name, as in `/assay model=… …`, separated by spaces. Empty: none.",
    default: "",
  },
  "agent-args": {
    read: (given: string) => ok(parts(given, /\r?\n/)),
    description:
      "More arguments for the agent's command line, one per line. With `agent: command`, the first line is the program.",
    default: "",
  },
  "agent-config": {
    read: text,
    description: "Folder outside the checkout with the agent's configuration. Empty: a new folder. See docs/agents.md.",
    default: "",
  },
  "protect-key": {
    read: yesOrNo,
    description:
      "With `true`, the agent does not get the model's key: Assay adds it to the agent's requests. See docs/agents.md.",
    default: "true",
  },
  "session-key": {
    read: text,
    description: "A secret of at least 16 characters that encrypts saved conversations. Empty: the model's key.",
    default: "",
  },
  "agent-timeout-minutes": {
    read: count({from: 1, to: 350}),
    description: "Time limit of each agent turn.",
    default: "30",
  },
  "runs-per-hour": {
    read: count({from: 1, to: 9_999}),
    description: "Maximum number of runs per hour on one issue or pull request.",
    default: "20",
  },
  "automatic-runs-per-day": {
    read: count({from: 0, to: 9_999}),
    description:
      "Maximum number of runs in 24 hours that new issues, labels, assignments and schedules start in the repository.",
    default: "5",
  },
  "bot-name": {
    read: text,
    description: "Author of Assay's commits.",
    default: "github-actions[bot]",
  },
  "bot-email": {
    read: text,
    description: "Email address of that author.",
    default: "41898282+github-actions[bot]@users.noreply.github.com",
  },
  "sign-commits": {
    read: yesOrNo,
    description: "With `true`, GitHub creates and signs the published commit.",
    default: "false",
  },
  attest: {
    read: (given: string) => (isSigningService(given) ? text(given) : refused("must be true, false or a URL")),
    description:
      "With `true`, a statement about the verification is signed and attached to the commit; see docs/policy.md. Or the URL of your own Sigstore.",
    default: "false",
  },
  policy: {
    read: (given: string) =>
      /^([\w.-]+\/[\w.-]+)?$/.test(given.trim()) ? ok(given.trim()) : refused("must be like OWNER/NAME"),
    description: "The repository with the organization's `assay-policy.json`; see docs/policy.md. Empty: none.",
    default: "",
  },
  "policy-token": {
    read: text,
    description:
      "A token that can read that repository, if it is private, and write contents for limits of all repositories. With it, the policy is expected.",
    default: "",
  },
  telemetry: {
    read: (given: string) => (given === "" || isWebAddress(given) ? text(given) : refused("must be a URL")),
    description: "Where [separate jobs](internals/figures.md) send spans of each run, as OTLP/JSON.",
    default: "",
  },
  "telemetry-headers": {
    read: text,
    description: "Its headers: `NAME=VALUE,…`.",
    default: "",
  },
  "dry-run": {
    read: yesOrNo,
    description:
      "With `true`, nothing is written to GitHub. The job summary shows what would have been posted and pushed.",
    default: "false",
  },
  job: {
    read: oneOf(JOBS),
    description: "The part of a run in this step. Only the workflow of separate jobs sets this input and those below.",
    default: "all",
  },
  admission: {
    read: textOf(MAX_ENCODED_CHARS),
    description: "Output `admission` of the job that admitted the run.",
    default: "",
  },
  digest: {
    read: list,
    description: "Output `digest` of the verifying job; several machines are separated by commas.",
    default: "",
  },
  try: {
    read: (given: string) => (given === "" ? ok(0) : count({from: 1, to: 5})(given)),
    description: "The number of this machine's try, if each try has a machine. Empty: all tries.",
    default: "",
  },
  "try-digests": {
    read: (given: string) => (given === "" ? ok([]) : list(given)),
    description: "The outputs `digest` of the tries, if each has a machine, separated by commas.",
    default: "",
  },
  opinion: {
    // Without the opinion, the work of the other jobs is still published or saved.
    read: (given: string) => ok(given.length > MAX_ENCODED_CHARS ? "" : given),
    description: "Output `opinion` of the job `judge`, if there is one.",
    default: "",
  },
  set: {
    read: shard,
    description:
      "Which of the two possible sets of the jobs `work` and `verify` this is, such as `1/2`. Empty: there is one.",
    default: "",
  },
  "second-digest": {
    read: text,
    description:
      "Output `digest` of the second verifying job, or `none` if it has none. Empty: that set was not needed.",
    default: "",
  },
  shard: {
    read: shard,
    description: "The share of the stages for this machine of the job `verify`, such as `1/3`. Empty: all.",
    default: "",
  },
} satisfies Readonly<Record<string, InputFacts>>;
type InputTable = typeof INPUT_TABLE;
export type Inputs = {
  readonly [Name in keyof InputTable]: Extract<ReturnType<InputTable[Name]["read"]>, {readonly ok: true}>["value"];
};

/** The inputs in the order of the README. */
export const INPUTS: readonly (InputFacts & {readonly name: string})[] = Object.entries(INPUT_TABLE).map(
  ([name, facts]) => ({name, ...facts}),
);

/** What only the jobs of Assay's own workflow pass to each other; the page for users leaves it out. */
export const BETWEEN_JOBS: ReadonlySet<string> = new Set([
  "job",
  "admission",
  "digest",
  "try",
  "try-digests",
  "set",
  "second-digest",
  "tries",
  "opinion",
  "shard",
  "next",
  "review",
  "base",
]);

/** Later steps read these as `steps.<id>.outputs.<name>`; an output without a value is empty. */
export const OUTPUTS = {
  verdict:
    "`verified`, `verified-with-preexisting`, `partial`, `failed`, `tampered`, `unverified` or `nothing-to-verify`; empty without a request.",
  verified: "`true` exactly when the verdict is `verified` or `verified-with-preexisting`, else `false`.",
  attempts: "Number of attempts.",
  commit: "The commit that was pushed.",
  tree: "The tree of that commit, which is the verified tree.",
  branch:
    "The branch of the pushed commit, or a full ref, `refs/assay/…`, if a rule refused the branch for saved changes.",
  "pull-request": "Number of the pull request.",
  "cost-usd": "US dollars of the run's calls to models; empty if none was made, or a call reports no cost.",
  tokens: "Tokens that these calls read and wrote, without those read from a cache.",
  "runner-minutes": "Minutes of the run's jobs until the report, each rounded up; empty if not known.",
  record:
    "Path of the run's record, a JSON file. Long outputs of stages are in the folder `logs` next to it, without secrets.",
  page: "Path of the run's page (HTML), which the workflows upload as `assay-report`.",
  next: "In separate jobs: the next job, `work`, `verify` or `publish`; empty without a request.",
  admission: "From the admitting job to all others: the decisions about the run.",
  digest: "From the verifying job to the publishing job: SHA-256 of its record.",
  opinion: "From the judging job to the publishing job: the opinion of the second model.",
  tries: "From the admitting job: the numbers of the tries with an own machine, as a JSON list.",
  review: "From the admitting job: `true` for `/review`, whose change the job `judge` reads.",
  base: "From the admitting job: the commit with the rules of the run. The next jobs check it out.",
} as const;
export type OutputName = keyof typeof OUTPUTS;

/**
 * Checks the given values, and returns all inputs or all mistakes at once. A mistake does not quote the value: it may
 * be a secret in the wrong place.
 */
export function parseInputs(
  readInput: (name: string) => string | undefined,
  where: {readonly file: string; cure(name: string): string} = OF_A_STEP,
): Result<Inputs, Failure> {
  const values: Record<string, unknown> = {};
  const mistakes: {path: string; message: string; hint: string}[] = [];
  for (const input of INPUTS) {
    const value = readInput(input.name);
    const isGiven = value !== undefined && (value.trim() !== "" || input.mayBeEmpty === true);
    const reading = input.read(isGiven ? value : input.default);
    if (reading.ok) values[input.name] = reading.value;
    else
      mistakes.push({
        path: input.name,
        message: reading.failure,
        hint: `${where.cure(input.name)} ${input.description}`,
      });
  }
  if (mistakes.length > 0) return refused({kind: "config-invalid", file: where.file, mistakes});
  return ok(values as Inputs);
}

const OF_A_STEP = {file: "the workflow's inputs", cure: () => 'Correct it under "with:".'};
