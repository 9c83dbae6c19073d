/** The schema of `verify.json`: every key, its meaning and its bounds. JSON Schema and types derive from it. */

import {z} from "zod";
import {AGENT_NAMES} from "../../record/agent-names.ts";
import {FINDING_LEVELS, INTEGRITY_CHECK_NAMES, MAX_TRIES, STAGE_KINDS, TRY_MODES} from "../../record/words.ts";
import {mapOf, textsOf, valueAt} from "../files/manifest-values.ts";
import {judgeSchema} from "./judge-schema.ts";

const seconds = z.number().positive().max(21_600).describe("seconds, at most 21600 (six hours)");
const line = z.string().trim().min(1).max(20_000).describe("one shell line");
const globs = z.array(z.string().min(1)).max(1000);
/** Limits of several runs together. */
export const periodLimits = {
  usdPerDay: z.number().positive().max(1_000_000),
  usdPerMonth: z.number().positive().max(10_000_000),
};
/** A pattern that gitignore(5) would never match is a mistake: it would protect nothing. */
const gitignorePatterns = z
  .array(
    z
      .string()
      .min(1)
      .regex(
        /^(?!.*[!?*+@]\()(?!.*\[[^\]]*$)(?!.*\\$)/,
        "must be a pattern of .gitignore, without `@(a|b)`, and with a `]` for each `[`",
      ),
  )
  .max(1000);
const folder = z
  .string()
  .min(1)
  .regex(
    /^(?!\/)(?!(.*\/)?\.\.(\/|$))[^\\\u0000]+$/,
    "must be a folder inside the repository, with `/`, relative to its root",
  )
  .describe("folder relative to the root of the repository");
const variables = z.record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/), z.string());
const stageName = z
  .string()
  .trim()
  .regex(/^[\w@./:+-]{1,100}$/, "must be 1 to 100 letters, digits or any of @ . / : + - _");

const override = z
  .strictObject({
    command: line,
    cwd: folder,
    timeout: seconds,
    optional: z.boolean().describe("a failing optional stage is reported and given to the agent, and does not block"),
    kind: z
      .enum(STAGE_KINDS)
      .describe(
        "sets the order, the default timeout and how output is read; default: derived from the name or the command",
      ),
    env: variables.describe("variables for this stage only; never a secret"),
    when: globs.describe("run only when a changed path matches one of these globs"),
    needs: z.array(stageName).describe("names of stages that must pass first"),
  })
  .partial();
const stage = z.strictObject({
  name: stageName,
  ...override.shape,
  command: line,
  description: z.string().max(300).optional().describe("what the check is for; the plan shows it"),
  detected: z.union([z.boolean(), z.string()]).optional().describe("where the entry comes from; for its readers only"),
});
const setupStep = z.strictObject({
  command: line,
  cwd: folder.optional(),
  timeout: seconds.optional(),
  inputs: globs
    .optional()
    .describe("manifests and lock files; the step runs again when one of them changed. Default: any file"),
  provides: z.array(folder).optional().describe("untracked folders that it creates, such as node_modules"),
});

const specRules = z
  .strictObject({
    paths: gitignorePatterns.describe(
      "patterns of the spec files, as in .gitignore, in place of the known places; a leading ! excludes, an empty list means no specs",
    ),
    top: z
      .int()
      .min(1)
      .max(20)
      .describe("how many specs the agent is given; default: 3, or up to 5 where the choice is close"),
    maxChars: z.int().min(500).max(100_000).describe("characters of specs in a prompt; default: 12000"),
    scorer: z.enum(["tf-idf", "names"]).describe("how the specs for a task are found; default: tf-idf"),
    drift: z
      .enum(["advise", "required", "off"])
      .describe("what happens if specs and code no longer agree: it is shown (default), it fails, or nobody looks"),
    writeFirst: z.boolean().describe("a new module gets its spec in the same change"),
  })
  .partial();

/** Everything is optional; unknown keys are mistakes. */
export const configSchema = z
  .strictObject({
    $schema: z.string().describe("address of this schema, for editors"),
    enabled: z.boolean().describe("false: nothing is verified"),
    stages: z.array(stage).max(200).describe("replaces the detected stages"),
    extraStages: z.array(stage).max(200).describe("stages in addition to the detected ones"),
    overrides: z
      .record(stageName, z.union([z.literal(false), override]))
      .describe("changes a detected stage by its name, or disables it with false"),
    setup: z
      .union([z.literal(false), z.array(z.union([line, setupStep])).max(50)])
      .describe("replaces the detected install commands; false for none"),
    maxFixAttempts: z.int().min(0).max(10).describe("fix prompts after the first verification; 0: only report"),
    tries: z
      .union([
        z.int().min(1).max(MAX_TRIES),
        z
          .strictObject({
            count: z.int().min(1).max(MAX_TRIES),
            mode: z.enum(TRY_MODES),
            agents: z
              .array(
                z
                  .strictObject({agent: z.enum(AGENT_NAMES).exclude(["command"]), model: z.string().min(1).max(200)})
                  .partial(),
              )
              .min(1)
              .max(MAX_TRIES)
              .describe("the agent and the model of the first try, the second …, from the start again after the last"),
          })
          .partial({mode: true, agents: true}),
      ])
      .describe("how often the agent may start anew; mode best compares all of them; default: 1, mode first"),
    maxIterations: z
      .int()
      .min(0)
      .max(11)
      .describe("the earlier format, the total of verifications: n means maxFixAttempts n-1, 0 means 0"),
    failFast: z.boolean().describe("stop at the first required stage that fails"),
    autofix: z
      .boolean()
      .describe("run the fixing variants of formatters and linters before the agent gets a fix prompt"),
    skipPatterns: globs.describe("globs of paths that never trigger verification"),
    codeExtensions: z
      .array(z.string().min(1).max(40))
      .max(1000)
      .describe("file name endings that trigger verification"),
    coverage: z
      .enum(["source", "strict"])
      .describe("which changed paths a stage has to read: source code of each project, or every path"),
    onFailure: z.enum(["park", "commit"]).describe("what happens to a change that is not verified"),
    publish: z.enum(["pull-request", "branch", "direct"]).describe("where a verified change goes"),
    pullRequest: z
      .strictObject({
        draft: z.boolean().describe("open pull requests as drafts"),
        labels: z.array(z.string().min(1).max(50)).max(20).describe("labels of a new pull request"),
        reviewers: z
          .array(
            z
              .string()
              .regex(
                /^[\w-]{1,39}(?:\/[\w.-]{1,100})?$/,
                "must be a user, or a team as `organization/team`, without `@`",
              ),
          )
          .max(15)
          .describe("users, or teams as organization/team, who are asked to review a new pull request"),
      })
      .partial()
      .describe("the pull requests that Assay opens"),
    reviewers: z
      .array(z.string().regex(/^[\w-]{1,39}\[bot\]$/, "must be the account of a bot, such as `name[bot]`"))
      .max(15)
      .describe("bots whose reviews of Assay's own pull requests start a run; default: none"),
    notify: z.boolean().describe("end each run with a short reply that mentions the requester; default: true"),
    protectedPaths: gitignorePatterns.describe(
      "patterns, as in .gitignore, of paths that are not published when they change, in addition to the built-in ones; a leading ! allows",
    ),
    exampleSecrets: globs.describe("globs of paths with example keys, such as fixtures"),
    limits: z
      .strictObject({
        files: z.int().min(1).max(100_000),
        megabytes: z.number().positive().max(100),
        growth: z
          .union([z.int().min(1).max(100_000), z.literal(false)])
          .describe("lines of a change that runs for failed CI may more than double; default: 200"),
      })
      .partial()
      .describe("the largest change that is published; default: 100 files and 4 megabytes"),
    extends: z
      .string()
      .regex(/^[\w-]+(?:\/(?!\.{1,2}(?:\/|$))[\w.-]+)+$/, "must be like OWNER/REPO or OWNER/REPO/path/to/file.json")
      .describe("a verify.json of another repository, whose keys count where this file lacks them"),
    budget: z
      .strictObject({
        minutes: z.number().positive().max(4320),
        usd: z.number().positive().max(10_000),
        ...periodLimits,
      })
      .partial()
      .describe(
        "limits of a whole run, and of the repository's runs of a day and a month (UTC); default: 10 dollars a run",
      ),
    prices: z
      .record(
        z.string().min(1).max(200),
        z.strictObject({input: z.number().nonnegative().max(10_000), output: z.number().nonnegative().max(10_000)}),
      )
      .describe("dollars per million tokens of a model that reports no cost, by its name"),
    sandbox: z.enum(["auto", "required", "off"]).describe("how stages are isolated"),
    network: z.enum(["all", "setup", "none"]).describe("when commands of the repository may reach the network"),
    flaky: z.array(z.string().min(1)).max(1000).describe("test ids that are known to be flaky"),
    executedLines: z
      .boolean()
      .describe("report which changed lines the tests run, if the project has a coverage tool; default: true"),
    heldOut: z
      .boolean()
      .describe(
        "before the work, another session of the agent writes tests that the working agent never sees; default: false",
      ),
    sessions: z.enum(["on", "off"]).describe("whether the agent's conversations are saved, encrypted; default: on"),
    judge: judgeSchema.describe("a second model's opinion on whether a verified change is what was requested"),
    specs: z
      .union([z.boolean(), gitignorePatterns, specRules])
      .describe("specs that the agent is given, and that are compared with the change; default: true, false for none"),
    integrity: z
      .strictObject({
        enabled: z.boolean(),
        level: z
          .partialRecord(z.enum(INTEGRITY_CHECK_NAMES), z.enum([...FINDING_LEVELS, "off"]))
          .describe("the level of all findings of a check"),
        allow: globs.describe("globs of paths without findings"),
        approvers: z
          .union([z.literal(1), z.literal(2)])
          .describe("2: the person who asked for a change cannot give its `/approve`; default: 1"),
        bite: z
          .enum(["off", "report", "require"])
          .describe("new tests also run without the change: not, for the report, or one of them must fail there"),
        sensitivity: z
          .enum(["off", "report", "ask"])
          .describe(
            "faults are injected into the changed lines: not, for the report, or also to ask the agent once for tests that notice them",
          ),
      })
      .partial()
      .describe("how a change that weakens its own checks is judged; see docs/integrity.md"),
  })
  .partial();
export type ConfigFile = z.infer<typeof configSchema>;
export type StageOverride = z.infer<typeof override>;

/** The JSON Schema of `verify.json`, as published in `docs/verify.schema.json`. */
export function configJsonSchema(): Record<string, unknown> {
  return {
    $id: "https://raw.githubusercontent.com/assay-run/assay/v0/docs/verify.schema.json",
    ...z.toJSONSchema(configSchema, {io: "input", reused: "inline"}),
    title: "verify.json",
    description: "What Assay runs before it commits. See docs/verify-json.md.",
    // Editors should accept the same syntax as `parseConfig`.
    allowComments: true,
    allowTrailingCommas: true,
  };
}

/** The known keys, and the smallest and the largest number, at paths of a file such as `["stages", 0]`; null without a limit. */
export function lookupIn(jsonSchema: Record<string, unknown>) {
  const keysAt = (path: readonly PropertyKey[]): readonly string[] =>
    schemasAt(jsonSchema, path)
      .flatMap((schema) => [
        ...mapOf(valueAt(schema, "properties")).keys(),
        ...textsOf(valueAt(schema, "propertyNames", "enum")),
      ])
      .filter((key) => key !== "$schema");
  const boundsAt = (path: readonly PropertyKey[]): {minimum: number | null; maximum: number | null} => {
    const schemas = schemasAt(jsonSchema, path);
    const numberAt = (key: string) => schemas.map((one) => valueAt(one, key)).find((one) => typeof one === "number");
    return {minimum: numberAt("minimum") ?? null, maximum: numberAt("maximum") ?? null};
  };
  return {keysAt, boundsAt};
}

/** Made once, because a hint looks at each key. */
let ownLookup: ReturnType<typeof lookupIn> | null = null;

export const configLookup = (): ReturnType<typeof lookupIn> => (ownLookup ??= lookupIn(configJsonSchema()));

function schemasAt(jsonSchema: Record<string, unknown>, path: readonly PropertyKey[]): unknown[] {
  let schemas = withBranches([jsonSchema]);
  for (const part of path) {
    const children = schemas.map((schema) =>
      typeof part === "number"
        ? valueAt(schema, "items")
        : (valueAt(schema, "properties", String(part)) ?? valueAt(schema, "additionalProperties")),
    );
    schemas = withBranches(children);
  }
  return schemas;
}

/** The schemas, with each union replaced by its branches. */
function withBranches(schemas: readonly unknown[]): unknown[] {
  return schemas.flatMap((schema) => {
    const branches = valueAt(schema, "anyOf");
    return Array.isArray(branches) ? branches : [schema];
  });
}
