/** An organization's policy: limits for all of its repositories, which no `verify.json` and no input loosens. */
import {z} from "zod";
import {AGENT_NAMES} from "../../record/agent-names.ts";
import type {Failure} from "../../record/failure.ts";
import {FINDING_LEVELS, INTEGRITY_CHECK_NAMES, ok, type Result} from "../../record/words.ts";
import {type Config, rejectConfig} from "./config.ts";
import {describeMistakes} from "./mistakes.ts";
import {readJson} from "./parse-config.ts";
import {configSchema, lookupIn, periodLimits} from "./schema.ts";

/** The file on the default branch of the organization's repository `.github`. */
export const POLICY_FILE = "assay-policy.json";

/** From the weakest to the strictest. */
const SANDBOX = ["off", "auto", "required"] as const;
const NETWORK = ["all", "setup", "none"] as const;
/** GitHub's roles that may write, each of which may do what the ones before it may. */
const REQUESTERS = ["write", "maintain", "admin"] as const;

const {budget, prices, limits, maxFixAttempts, sandbox, network, publish} = configSchema.shape;

/** Everything is optional; unknown keys are mistakes. */
export const policySchema = z
  .strictObject({
    $schema: z.string().describe("address of this schema, for editors"),
    enabled: z.boolean().describe("false: Assay starts no run"),
    requesters: z.enum(REQUESTERS).describe("the role that a person needs to start a run"),
    agents: z.array(z.enum(AGENT_NAMES)).min(1).describe("the agents that may work"),
    models: z.array(z.string().min(1).max(200)).min(1).describe("the models that may work, as in the input `model`"),
    budget: budget.describe("the highest limits of a run, and of each repository's runs of a day and a month"),
    allRepositories: z
      .strictObject(periodLimits)
      .partial()
      .describe("limits of all repositories together; they need the input `policy-token`"),
    prices: prices.describe("prices of models; with a limit in dollars, those of verify.json do not count"),
    maxFixAttempts: maxFixAttempts.describe("the highest number of fix prompts"),
    limits: limits.describe("the largest change that is published"),
    sandbox: sandbox.describe("the weakest isolation"),
    network: network.describe("the widest use of the network by commands"),
    protectedPaths: z
      .array(z.string().regex(/^[^!]/, "must not start with `!`: a policy allows nothing"))
      .max(1000)
      .describe("globs of paths that are not published when they change; no `!` in verify.json allows them"),
    publish: z
      .array(publish.unwrap())
      .min(1)
      .describe("where a verified change may go; the first one counts where verify.json names another"),
    onFailure: z.literal("park").describe("a change that is not verified is only saved"),
    integrity: z
      .strictObject({
        level: z.partialRecord(z.enum(INTEGRITY_CHECK_NAMES), z.enum(FINDING_LEVELS)),
        approvers: z.union([z.literal(1), z.literal(2)]),
      })
      .partial()
      .describe(
        "the lowest level of a check's findings; then `integrity.enabled` and `allow` of verify.json do not count",
      ),
  })
  .partial();
export type OrganizationPolicy = Readonly<z.infer<typeof policySchema>>;

/** The policy of a run, and where it was read. */
export interface PinnedPolicy {
  /** `owner/name@commit` */
  readonly place: string;
  readonly rules: OrganizationPolicy;
}

/** Parses the file: JSON with comments. Fails with all mistakes at once, which quote no value. */
export function parsePolicy({file, text}: {file: string; text: string}): Result<OrganizationPolicy, Failure> {
  const reading = readJson(text);
  if (!reading.ok) return rejectConfig(file, [reading.failure]);
  const parsed = policySchema.safeParse(reading.value, {reportInput: true});
  if (parsed.success) return ok(parsed.data);
  return rejectConfig(file, describeMistakes(parsed.error.issues, lookupIn(z.toJSONSchema(policySchema))));
}

/** The configuration within the limits of the policy. Where both say something, the stricter one counts. */
export function tighten(config: Config, policy: OrganizationPolicy): Config {
  const {budget, allRepositories, limits, integrity, publish} = policy;
  const {minutes: _, ...usd} = {...budget, ...allRepositories};
  const limitsMoney = Object.keys(usd).length > 0;
  const published = config.publish ?? "pull-request";
  return {
    ...config,
    budget: {
      minutes: lower(config.budget.minutes, budget?.minutes),
      usd: lower(config.budget.usd, budget?.usd),
      usdPerDay: lower(config.budget.usdPerDay, budget?.usdPerDay),
      usdPerMonth: lower(config.budget.usdPerMonth, budget?.usdPerMonth),
    },
    allRepositories: {usdPerDay: allRepositories?.usdPerDay ?? null, usdPerMonth: allRepositories?.usdPerMonth ?? null},
    prices: {...(limitsMoney ? {} : config.prices), ...policy.prices},
    maxFixAttempts: Math.min(config.maxFixAttempts, policy.maxFixAttempts ?? Number.POSITIVE_INFINITY),
    limits: {
      growth: Math.min(config.limits.growth, limits?.growth || Number.POSITIVE_INFINITY),
      files: Math.min(config.limits.files, limits?.files ?? Number.POSITIVE_INFINITY),
      megabytes: Math.min(config.limits.megabytes, limits?.megabytes ?? Number.POSITIVE_INFINITY),
    },
    sandbox: later(SANDBOX, config.sandbox, policy.sandbox),
    network: later(NETWORK, config.network, policy.network),
    // The last glob that matches counts.
    protectedPaths: [...config.protectedPaths, ...(policy.protectedPaths ?? [])],
    publish: publish === undefined || publish.includes(published) ? config.publish : (publish[0] ?? "pull-request"),
    onFailure: policy.onFailure ?? config.onFailure,
    integrity:
      integrity === undefined
        ? config.integrity
        : {
            ...config.integrity,
            enabled: true,
            allow: [],
            approvers: integrity.approvers === 2 ? 2 : config.integrity.approvers,
            lowestLevel: integrity.level ?? {},
          },
  };
}

const lower = (one: number | null, other: number | undefined): number | null =>
  other === undefined ? one : Math.min(one ?? other, other);

/** The one that is later in the list. */
const later = <Word extends string>(order: readonly Word[], one: Word, other: Word | undefined): Word =>
  other !== undefined && order.indexOf(other) > order.indexOf(one) ? other : one;

/** The keys of the policy that make the configuration stricter, such as `budget.usd`. A price is no limit. */
export function tightenedKeys(config: Config, policy: OrganizationPolicy): string[] {
  const before = flatSettings(config);
  return [...flatSettings(tighten(config, policy))].flatMap(([key, value]) =>
    before.get(key) === value || key.startsWith("prices.") ? [] : [policyKey(key)],
  );
}

/** The key as the file of the policy has it. */
export const policyKey = (key: string): string => key.replace(/^(integrity\.)lowestLevel\b/, "$1level");

/** The values of a configuration as JSON, by keys such as `budget.usd`. */
export function flatSettings(config: Config): Map<string, string> {
  const flat = (value: unknown, key: string): [string, string][] =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.entries(value).flatMap(([name, inner]) => flat(inner, key === "" ? name : `${key}.${name}`))
      : [[key, JSON.stringify(value)]];
  return new Map(flat(config, ""));
}
