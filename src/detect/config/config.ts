/** The configuration: the entries of `verify.json` with every default filled in. */
import {DEFAULT_CODE_EXTENSIONS, DEFAULT_SKIP_PATTERNS} from "../../changes/path-lists.ts";
import type {Failure} from "../../record/failure.ts";
import {type FindingLevel, type IntegrityCheckName, refused, type TRY_MODES} from "../../record/words.ts";
import {judgeConfig} from "./judge-config.ts";
import type {Mistake} from "./mistakes.ts";
import type {ConfigFile} from "./schema.ts";

/** The places where the file may be. More than one file is a mistake. */
export const CONFIG_FILES = ["verify.json", ".github/verify.json", ".assay/verify.json"] as const;

const NO_LEVELS: Readonly<Partial<Record<IntegrityCheckName, FindingLevel>>> = {};

export interface ConfigSource {
  readonly file: string;
  readonly text: string;
}

/** Dollars; null: no limit. */
export interface PeriodLimits {
  readonly usdPerDay: number | null;
  readonly usdPerMonth: number | null;
}
const NO_PERIODS: PeriodLimits = {usdPerDay: null, usdPerMonth: null};

export const DEFAULT_CONFIG: Config = withDefaults(null, {});

export function rejectConfig(file: string, mistakes: Mistake[], isQuiet = false): {ok: false; failure: Failure} {
  return refused({kind: "config-invalid", file, mistakes, ...(isQuiet && {isQuiet})});
}

/**
 * Fills in the defaults. `file` is the file with these entries, null if there is none. A value `null` means: as
 * detected, or as the action's inputs say.
 */
export function withDefaults(file: string | null, entries: ConfigFile, extended: ConfigSource | null = null) {
  const {setup, limits, budget, maxIterations} = entries;
  const fromIterations = maxIterations === undefined ? 2 : Math.max(0, maxIterations - 1);
  const steps = setup === false ? [] : setup?.map((step) => (typeof step === "string" ? {command: step} : step));
  return {
    file,
    /** the file that this one extends, with its commit */
    extended,
    enabled: entries.enabled ?? true,
    stages: entries.stages ?? null,
    extraStages: entries.extraStages ?? [],
    overrides: entries.overrides ?? {},
    setup: steps ?? null,
    maxFixAttempts: entries.maxFixAttempts ?? fromIterations,
    tries: typeof entries.tries === "object" ? triesOf(entries.tries) : triesOf({count: entries.tries}),
    failFast: entries.failFast ?? false,
    autofix: entries.autofix ?? true,
    skipPatterns: entries.skipPatterns ?? DEFAULT_SKIP_PATTERNS,
    codeExtensions: entries.codeExtensions ?? DEFAULT_CODE_EXTENSIONS,
    reviewers: entries.reviewers ?? [],
    notify: entries.notify ?? true,
    coverage: entries.coverage ?? "source",
    onFailure: entries.onFailure ?? "park",
    publish: entries.publish ?? null,
    pullRequest: {
      draft: entries.pullRequest?.draft ?? false,
      labels: entries.pullRequest?.labels ?? [],
      reviewers: entries.pullRequest?.reviewers ?? [],
    },
    protectedPaths: entries.protectedPaths ?? [],
    exampleSecrets: entries.exampleSecrets ?? [],
    limits: {
      ...{files: limits?.files ?? 100, megabytes: limits?.megabytes ?? 4},
      growth: limits?.growth === false ? Number.POSITIVE_INFINITY : (limits?.growth ?? 200),
    },
    budget: withNulls(budget),
    /** of an organization's policy, for all of its repositories together */
    allRepositories: NO_PERIODS,
    prices: entries.prices ?? {},
    sandbox: entries.sandbox ?? "auto",
    network: entries.network ?? "all",
    flaky: entries.flaky ?? [],
    executedLines: entries.executedLines ?? true,
    heldOut: entries.heldOut ?? false,
    sessions: entries.sessions ?? "on",
    judge: judgeConfig(entries.judge),
    /** null: the agent is given no specs, and none are compared with the change */
    specs: entries.specs === false ? null : withSpecDefaults(entries.specs ?? true),
    integrity: {
      enabled: entries.integrity?.enabled ?? true,
      level: entries.integrity?.level ?? {},
      /** of an organization's policy */
      lowestLevel: NO_LEVELS,
      allow: entries.integrity?.allow ?? [],
      approvers: entries.integrity?.approvers ?? 1,
      bite: entries.integrity?.bite ?? "report",
      sensitivity: entries.integrity?.sensitivity ?? "report",
    },
  };
}

interface TriesEntry {
  readonly count?: number | undefined;
  readonly mode?: (typeof TRY_MODES)[number] | undefined;
  readonly agents?: readonly {agent?: string | undefined; model?: string | undefined}[] | undefined;
}

function triesOf({count = 1, mode = "first", agents = []}: TriesEntry) {
  return {count, mode, agents};
}

function withNulls({minutes = null, usd = null, usdPerDay = null, usdPerMonth = null}: BudgetEntry = {}) {
  return {minutes, usd, usdPerDay, usdPerMonth};
}
type BudgetEntry = {[Key in keyof NonNullable<ConfigFile["budget"]>]?: number | null | undefined};

export type Config = Readonly<ReturnType<typeof withDefaults>>;

function withSpecDefaults(entry: Exclude<NonNullable<ConfigFile["specs"]>, false>) {
  const rules: Exclude<typeof entry, true | string[]> = Array.isArray(entry)
    ? {paths: entry}
    : entry === true
      ? {}
      : entry;
  return {
    /** globs of the spec files; null: the known places */
    paths: rules.paths ?? null,
    /** null: 3, or up to 5 if the scores are close */
    top: rules.top ?? null,
    maxChars: rules.maxChars ?? 12_000,
    scorer: rules.scorer ?? "tf-idf",
    drift: rules.drift ?? "advise",
    writeFirst: rules.writeFirst ?? false,
  };
}

export type SpecRules = Readonly<ReturnType<typeof withSpecDefaults>>;

/** The settings of the integrity checks. */
export type IntegrityRules = Config["integrity"];
