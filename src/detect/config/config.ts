/** What `verify.json` says once it is read, with every default filled in. */
import {DEFAULT_CODE_EXTENSIONS, DEFAULT_SKIP_PATTERNS} from "../../changes/path-lists.ts";
import type {Failure} from "../../record/failure.ts";
import {refused} from "../../record/words.ts";
import type {Mistake} from "./mistakes.ts";
import type {ConfigFile, StageOverride} from "./schema.ts";

/** Where the file may be. Two at once are a mistake. */
export const CONFIG_FILES = ["verify.json", ".github/verify.json", ".assay/verify.json"] as const;

type OwnStage = NonNullable<ConfigFile["stages"]>[number];
type OwnSetup = Extract<Exclude<ConfigFile["setup"], false | undefined>[number], object>;

/** What the owner wants, with every default filled in. `null` means: as detected, or as the action's inputs say. */
export interface Config {
  /** the file that this comes from; null when there is none */
  readonly file: string | null;
  readonly enabled: boolean;
  readonly stages: readonly OwnStage[] | null;
  readonly overrides: Readonly<Record<string, false | StageOverride>>;
  /** null: detected; empty: none */
  readonly setup: readonly OwnSetup[] | null;
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
  /** keys that the file has and that nothing follows yet, to be told to whoever wrote them */
  readonly withoutEffect: readonly string[];
}

/** Checked, so that a file written today stays right, and followed by nothing. */
const WITHOUT_EFFECT = ["integrity", "specs", "judge"] as const satisfies readonly (keyof ConfigFile)[];

export const DEFAULT_CONFIG: Config = withDefaults(null, {});

/** The failure for a file with these mistakes. */
export function rejectConfig(file: string, mistakes: Mistake[]): {ok: false; failure: Failure} {
  return refused({kind: "config-invalid", file, mistakes});
}

/** The config that these entries of a file give; `file` is null for none. */
export function withDefaults(file: string | null, given: ConfigFile): Config {
  const setup =
    given.setup === false ? [] : given.setup?.map((step) => (typeof step === "string" ? {command: step} : step));
  const fromIterations = given.maxIterations === undefined ? 2 : Math.max(0, given.maxIterations - 1);
  return {
    file,
    enabled: given.enabled ?? true,
    stages: given.stages ?? null,
    overrides: given.overrides ?? {},
    setup: setup ?? null,
    maxFixAttempts: given.maxFixAttempts ?? fromIterations,
    failFast: given.failFast ?? false,
    autofix: given.autofix ?? true,
    skipPatterns: given.skipPatterns ?? DEFAULT_SKIP_PATTERNS,
    codeExtensions: given.codeExtensions ?? DEFAULT_CODE_EXTENSIONS,
    coverage: given.coverage ?? "source",
    onFailure: given.onFailure ?? "park",
    publish: given.publish ?? null,
    protectedPaths: given.protectedPaths ?? [],
    exampleSecrets: given.exampleSecrets ?? [],
    limits: {files: given.limits?.files ?? 100, megabytes: given.limits?.megabytes ?? 4},
    budget: {minutes: given.budget?.minutes ?? null, usd: given.budget?.usd ?? null},
    sandbox: given.sandbox ?? "auto",
    network: given.network ?? "all",
    flaky: given.flaky ?? [],
    withoutEffect: WITHOUT_EFFECT.filter((key) => given[key] !== undefined),
  };
}
