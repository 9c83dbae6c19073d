/** The action's public contract: its inputs and outputs, in one table each, which action.yml and the README repeat. */
import {z} from "zod";
import {AGENT_NAMES} from "../record/agent-names.ts";
import type {Failure} from "../record/failure.ts";
import {ok, type Result, refused} from "../record/words.ts";
import {TAKEN_WORD, takenWords} from "../request/command.ts";
import {DEFAULT_LABEL, DEFAULT_PHRASE} from "../request/default-phrase.ts";

/** What the README and action.yml show about an input. */
interface About {
  readonly description: string;
  /** as in action.yml */
  readonly default: string;
  /**
   * true if an empty value is used as it is; for other inputs it means the default, because an unset variable expands
   * to an empty text
   */
  readonly mayBeEmpty?: true;
}

/** GitHub replaces this before the action starts; unreplaced, it is not a token. */
const TOKEN_EXPRESSION = "${{ github.token }}";

const text = z
  .string()
  .trim()
  .max(1_000)
  .regex(/^[^\r\n\0]*$/, "must be one line");
const lines = z.string().transform((all) =>
  all
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== ""),
);
const words = z.string().transform((all) => all.split(/[\s,]+/).filter((word) => word !== ""));
/** The program of `command` is in the workflow, so that a request cannot switch to it. */
const CHOSEN_AGENTS = AGENT_NAMES.filter((name) => name !== "command");
const minutes = z
  .string()
  .trim()
  .regex(/^\d{1,3}$/, "must be a whole number of minutes")
  .transform(Number)
  .refine((count) => count >= 1 && count <= 350, "must be from 1 to 350");

/**
 * An input is an environment variable, which Linux limits to 128 KiB; a character of an opaque text may take three
 * bytes.
 */
export const MAX_ENCODED_CHARS = 43_000;

/** `all` is a run in one job; the others are its parts, in their order. */
const JOBS = [
  "all",
  "answer",
  "admit",
  "progress",
  "work-done",
  "work",
  "hand-over",
  "verify",
  "judge",
  "publish",
] as const;

const about = z.registry<About>();

/** The keys of a step's `with:`. verify.json decides how a repository is verified and published. */
const inputsSchema = z.object({
  "github-token": text
    .refine((token) => token !== "" && token !== TOKEN_EXPRESSION, "is missing")
    .register(about, {
      description: "Token for reading, comments, pushes and pull requests.",
      default: TOKEN_EXPRESSION,
    }),
  "trigger-phrase": text
    .refine((phrase) => takenWords(phrase).length === 0, TAKEN_WORD)
    .register(about, {
      description: "Words that start a request at the beginning of a comment. Empty: every comment is a request.",
      default: DEFAULT_PHRASE,
      mayBeEmpty: true,
    }),
  label: text.clone().register(about, {
    description: "The label that gives an issue to Assay, in a workflow with `--on label`.",
    default: DEFAULT_LABEL,
  }),
  assignee: text.clone().register(about, {
    description: "The account that gives an issue to Assay when it is assigned, in a workflow with `--on assignment`.",
    default: "",
  }),
  "schedule-text": z.string().trim().max(10_000).register(about, {
    description: "The request of each scheduled run, in a workflow with `--on schedule:CRON`.",
    default: "",
  }),
  agent: z.enum(AGENT_NAMES, `must be one of ${AGENT_NAMES.join(", ")}`).register(about, {
    description: `The coding agent: ${AGENT_NAMES.map((name) => `\`${name}\``).join(", ")}. See docs/agents.md.`,
    default: "pi",
  }),
  provider: text.clone().register(about, {
    description:
      "The model's provider. Empty: the first provider with a key in `env:` of the step, such as `ANTHROPIC_API_KEY`.",
    default: "",
  }),
  model: text.clone().register(about, {
    description: "The agent's name for the model. Empty: the agent's default.",
    default: "",
  }),
  thinking: text.clone().register(about, {
    description: "The agent's thinking level, such as `low` or `high`. Empty: the agent's default.",
    default: "",
  }),
  "allowed-agents": words
    .pipe(z.array(z.enum(CHOSEN_AGENTS, `may have these words: ${CHOSEN_AGENTS.join(", ")}`)))
    .register(about, {
      description:
        "The agents that a request may name, as in `/assay agent=codex …`, separated by spaces. Empty: none.",
      default: "",
    }),
  "allowed-models": words.clone().register(about, {
    description: "The models that a request may name, as in `/assay model=… …`, separated by spaces. Empty: none.",
    default: "",
  }),
  "agent-args": lines.register(about, {
    description:
      "More arguments for the agent's command line, one per line. With `agent: command`, the first line is the program.",
    default: "",
  }),
  "agent-config": text.clone().register(about, {
    description: "Folder outside the checkout with the agent's configuration. Empty: a new folder. See docs/agents.md.",
    default: "",
  }),
  "protect-key": z
    .enum(["true", "false"], "must be true or false")
    .transform((word) => word === "true")
    .register(about, {
      description:
        "With `true`, the agent does not get the model's key: Assay adds it to the agent's requests. See docs/agents.md.",
      default: "true",
    }),
  "agent-timeout-minutes": minutes.register(about, {
    description: "Time limit of each agent turn.",
    default: "30",
  }),
  "runs-per-hour": z
    .string()
    .trim()
    .regex(/^\d{1,4}$/, "must be a whole number")
    .transform(Number)
    .refine((count) => count >= 1, "must be at least 1")
    .register(about, {
      description: "Maximum number of runs per hour on one issue or pull request.",
      default: "20",
    }),
  "automatic-runs-per-day": z
    .string()
    .trim()
    .regex(/^\d{1,4}$/, "must be a whole number")
    .transform(Number)
    .register(about, {
      description:
        "Maximum number of runs in 24 hours that new issues, labels, assignments and schedules start in the repository.",
      default: "5",
    }),
  "bot-name": text.clone().register(about, {
    description: "Author of Assay's commits.",
    default: "github-actions[bot]",
  }),
  "bot-email": text.clone().register(about, {
    description: "Email address of that author.",
    default: "41898282+github-actions[bot]@users.noreply.github.com",
  }),
  "sign-commits": z
    .enum(["true", "false"], "must be true or false")
    .transform((word) => word === "true")
    .register(about, {
      description: "With `true`, GitHub creates and signs the published commit.",
      default: "false",
    }),
  "dry-run": z
    .enum(["true", "false"], "must be true or false")
    .transform((word) => word === "true")
    .register(about, {
      description:
        "With `true`, nothing is written to GitHub. The job summary shows what would have been posted and pushed.",
      default: "false",
    }),
  job: z.enum(JOBS, `must be one of ${JOBS.join(", ")}`).register(about, {
    description:
      "The part of a run in this step. Only the workflow of separate jobs sets this input and the four below.",
    default: "all",
  }),
  admission: z
    .string()
    .max(MAX_ENCODED_CHARS)
    .register(about, {description: "Output `admission` of the job that admitted the run.", default: ""}),
  digest: text
    .transform((list) => list.split(",").map((digest) => digest.trim()))
    .register(about, {
      description: "Output `digest` of the verifying job; several machines are separated by commas.",
      default: "",
    }),
  opinion: z
    .string()
    // Without the opinion, the work of the other jobs is still published or saved.
    .transform((opinion) => (opinion.length > MAX_ENCODED_CHARS ? "" : opinion))
    .register(about, {description: "Output `opinion` of the job `judge`, if there is one.", default: ""}),
  shard: z
    .string()
    .trim()
    .regex(/^([1-8]\/[1-8])?$/, "must be like 1/3, and at most 8/8")
    .transform((shard) => {
      const [number = 1, of = 1] = shard === "" ? [] : shard.split("/").map(Number);
      return {number, of};
    })
    .refine(({number, of}) => number <= of, "must be like 1/3")
    .register(about, {
      description: "The share of the stages for this machine of the job `verify`, such as `1/3`. Empty: all.",
      default: "",
    }),
});
export type Inputs = Readonly<z.output<typeof inputsSchema>>;

/** The inputs in the order of the README. */
export const INPUTS: readonly (About & {readonly name: string})[] = Object.entries(inputsSchema.shape).map(
  ([name, schema]) => ({name, description: "", default: "", ...about.get(schema)}),
);

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
  record:
    "Path of the run's record, a JSON file. Long outputs of stages are in the folder `logs` next to it, without secrets.",
  next: "In separate jobs: the next job, `work`, `verify` or `publish`; empty without a request.",
  admission: "From the admitting job to all others: the decisions about the run.",
  digest: "From the verifying job to the publishing job: SHA-256 of its record.",
  opinion: "From the judging job to the publishing job: the opinion of the second model.",
  review: "From the admitting job: `true` for `/review`, whose change the job `judge` reads.",
  base: "From the admitting job: the commit with the rules of the run. The next jobs check it out.",
} as const;
export type OutputName = keyof typeof OUTPUTS;

/**
 * Checks the given values, and returns all inputs or all mistakes at once. A mistake does not quote the value: it may
 * be a secret in the wrong place.
 */
export function parseInputs(readInput: (name: string) => string | undefined): Result<Inputs, Failure> {
  const values = INPUTS.map((input) => {
    const value = readInput(input.name);
    const isGiven = value !== undefined && (value.trim() !== "" || input.mayBeEmpty === true);
    return [input.name, isGiven ? value : input.default];
  });
  const parsed = inputsSchema.safeParse(Object.fromEntries(values));
  if (parsed.success) return ok(parsed.data);
  const mistakes = parsed.error.issues.map(({path, message}) => {
    const description = INPUTS.find(({name}) => name === path[0])?.description ?? "";
    return {path: path.join("."), message, hint: `Correct it under "with:". ${description}`};
  });
  return refused({kind: "config-invalid", file: "the workflow's inputs", mistakes});
}
