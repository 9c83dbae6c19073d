/** The configuration: the entries of `verify.json` with every default filled in. */
import {DEFAULT_CODE_EXTENSIONS, DEFAULT_SKIP_PATTERNS} from "../../changes/path-lists.ts";
import type {Failure} from "../../record/failure.ts";
import {refused} from "../../record/words.ts";
import type {Mistake} from "./mistakes.ts";
import type {ConfigFile, StageOverride} from "./schema.ts";

/** The places where the file may be. More than one file is a mistake. */
export const CONFIG_FILES = ["verify.json", ".github/verify.json", ".assay/verify.json"] as const;

type ConfiguredStage = NonNullable<ConfigFile["stages"]>[number];
type ConfiguredSetup = Extract<Exclude<ConfigFile["setup"], false | undefined>[number], object>;

/** `null` means: as detected, or as the action's inputs say. */
export interface Config {
  /** the file with these entries; null when there is none */
  readonly file: string | null;
  readonly enabled: boolean;
  readonly stages: readonly ConfiguredStage[] | null;
  readonly overrides: Readonly<Record<string, false | StageOverride>>;
  /** null: detected; empty: none */
  readonly setup: readonly ConfiguredSetup[] | null;
  readonly maxFixAttempts: number;
  readonly failFast: boolean;
  readonly autofix: boolean;
  readonly skipPatterns: readonly string[];
  readonly codeExtensions: readonly string[];
  readonly coverage: "source" | "strict";
  readonly onFailure: "park" | "commit";
  readonly publish: "pull-request" | "branch" | "direct" | null;
  readonly protectedPaths: readonly string[];
  readonly exampleSecrets: readonly string[];
  readonly limits: {readonly files: number; readonly megabytes: number};
  readonly budget: {readonly minutes: number | null; readonly usd: number | null};
  readonly sandbox: "auto" | "required" | "off";
  readonly network: "all" | "setup" | "none";
  readonly flaky: readonly string[];
  /** keys of the file that have no effect yet; the plan has a note for each */
  readonly withoutEffect: readonly string[];
}

/** Validated already, so that today's files stay valid, but without effect. */
const WITHOUT_EFFECT = ["integrity", "specs", "judge"] as const satisfies readonly (keyof ConfigFile)[];

export const DEFAULT_CONFIG: Config = withDefaults(null, {});

export function rejectConfig(file: string, mistakes: Mistake[]): {ok: false; failure: Failure} {
  return refused({kind: "config-invalid", file, mistakes});
}

/** Fills in the defaults; `file` is null when there is no file. */
export function withDefaults(file: string | null, entries: ConfigFile): Config {
  const setup =
    entries.setup === false ? [] : entries.setup?.map((step) => (typeof step === "string" ? {command: step} : step));
  const fromIterations = entries.maxIterations === undefined ? 2 : Math.max(0, entries.maxIterations - 1);
  return {
    file,
    enabled: entries.enabled ?? true,
    stages: entries.stages ?? null,
    overrides: entries.overrides ?? {},
    setup: setup ?? null,
    maxFixAttempts: entries.maxFixAttempts ?? fromIterations,
    failFast: entries.failFast ?? false,
    autofix: entries.autofix ?? true,
    skipPatterns: entries.skipPatterns ?? DEFAULT_SKIP_PATTERNS,
    codeExtensions: entries.codeExtensions ?? DEFAULT_CODE_EXTENSIONS,
    coverage: entries.coverage ?? "source",
    onFailure: entries.onFailure ?? "park",
    publish: entries.publish ?? null,
    protectedPaths: entries.protectedPaths ?? [],
    exampleSecrets: entries.exampleSecrets ?? [],
    limits: {files: entries.limits?.files ?? 100, megabytes: entries.limits?.megabytes ?? 4},
    budget: {minutes: entries.budget?.minutes ?? null, usd: entries.budget?.usd ?? null},
    sandbox: entries.sandbox ?? "auto",
    network: entries.network ?? "all",
    flaky: entries.flaky ?? [],
    withoutEffect: WITHOUT_EFFECT.filter((key) => entries[key] !== undefined),
  };
}
