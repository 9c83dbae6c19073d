/** Reads `verify.json`: strict, every mistake at once, and never a weaker gate because of a bad file. */
import {type ParseError, type ParseOptions, parse, visit} from "jsonc-parser";
import {DEFAULT_CODE_EXTENSIONS, DEFAULT_SKIP_PATTERNS} from "../changes/path-lists.ts";
import type {Failure} from "../record/failure.ts";
import {ok, type Result, refused} from "../words.ts";
import {keysAt} from "./config-keys.ts";
import {type ConfigFile, configSchema, type StageOverride} from "./config-schema.ts";
import {type Mistake, mistakesOf} from "./mistakes.ts";
import {nearest} from "./nearest.ts";

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
  readonly onFailure: "park" | "commit";
  readonly publish: "pull-request" | "branch" | "direct" | null;
  readonly protectedPaths: readonly string[];
  readonly limits: {readonly files: number; readonly megabytes: number};
  readonly budget: {readonly minutes: number | null; readonly usd: number | null};
  readonly sandbox: "auto" | "required" | "off";
  readonly network: "all" | "setup" | "none";
  readonly flaky: readonly string[];
  readonly judge: {readonly enabled: boolean; readonly model: string | null; readonly provider: string | null};
  readonly specs: boolean | readonly string[];
  readonly integrity: {readonly enabled: boolean; readonly allow: readonly string[]};
}

export const DEFAULT_CONFIG: Config = withDefaults(null, {});

/**
 * Parses the text of a `verify.json` (JSON with comments and trailing commas; a byte order mark is passed over).
 * Fails with `config-invalid` and every mistake in it; messages name keys and never quote values.
 */
export function parseConfig(source: {file: string; text: string}): Result<Config, Failure> {
  const {file} = source;
  const errors: ParseError[] = [];
  const options: ParseOptions = {allowTrailingComma: true};
  let value: unknown;
  try {
    value = parse(source.text.replace(/^\uFEFF/, ""), errors, options);
  } catch {
    return invalid(file, [{path: "(the whole file)", message: "is nested too deeply", hint: "write it flatter"}]);
  }
  const broken = errors[0];
  if (broken !== undefined) return invalid(file, [syntaxMistake(source.text, broken.offset)]);
  const hidden = hiddenKey(source.text);
  if (hidden !== null) return invalid(file, [hidden]);
  const parsed = configSchema.safeParse(value, {reportInput: true});
  const shape = parsed.success ? [] : mistakesOf(parsed.error.issues, keysAt);
  if (!parsed.success) return invalid(file, shape);
  const sense = senseMistakes(parsed.data);
  return sense.length > 0 ? invalid(file, sense) : ok(withDefaults(file, parsed.data));
}

/** The failure for a file with these mistakes. */
export function invalid(file: string, mistakes: Mistake[]): {ok: false; failure: Failure} {
  return refused({kind: "config-invalid", file, mistakes});
}

/** The parser makes the key `__proto__` a prototype, whose keys would then count without being seen. */
function hiddenKey(text: string): Mistake | null {
  const keys: string[] = [];
  visit(text, {onObjectProperty: (key) => void keys.push(key)}, {allowTrailingComma: true});
  return keys.includes("__proto__")
    ? {path: "__proto__", message: "is not a key that Assay knows", hint: "remove it"}
    : null;
}

function syntaxMistake(text: string, offset: number): Mistake {
  const before = text.slice(0, offset).split("\n");
  const place = `line ${before.length}, column ${(before.at(-1) ?? "").length + 1}`;
  return {
    path: place,
    message: "is not valid JSON from here on",
    hint: "look for a missing comma, quote or bracket just before this place",
  };
}

/** What has the right shape and still makes no sense. */
function senseMistakes(file: ConfigFile): Mistake[] {
  const mistakes: Mistake[] = [];
  if (file.maxIterations !== undefined && file.maxFixAttempts !== undefined) {
    mistakes.push({
      path: "maxIterations",
      message: "is given together with maxFixAttempts",
      hint: "keep maxFixAttempts and remove maxIterations",
    });
  }
  if (file.stages !== undefined && file.overrides !== undefined) {
    mistakes.push({
      path: "overrides",
      message: "is given together with stages, which replaces what overrides would change",
      hint: "change the entries of stages instead",
    });
  }
  const names = (file.stages ?? []).map((stage) => stage.name);
  file.stages?.forEach((stage, i) => {
    if (names.indexOf(stage.name) < i)
      mistakes.push({
        path: `stages[${i}].name`,
        message: "is the name of an earlier stage",
        hint: "give each stage its own name",
      });
    stage.needs?.forEach((need, j) => {
      if (names.slice(0, i).includes(need)) return;
      const meant = nearest(need, names.slice(0, i));
      const hint = names.includes(need)
        ? "move that stage before this one"
        : meant
          ? `did you mean \`${meant}\`?`
          : "name a stage that stands before this one";
      mistakes.push({path: `stages[${i}].needs[${j}]`, message: "is no stage that stands before this one", hint});
    });
  });
  return mistakes;
}

function withDefaults(file: string | null, given: ConfigFile): Config {
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
    onFailure: given.onFailure ?? "park",
    publish: given.publish ?? null,
    protectedPaths: given.protectedPaths ?? [],
    limits: {files: given.limits?.files ?? 100, megabytes: given.limits?.megabytes ?? 4},
    budget: {minutes: given.budget?.minutes ?? null, usd: given.budget?.usd ?? null},
    sandbox: given.sandbox ?? "auto",
    network: given.network ?? "all",
    flaky: given.flaky ?? [],
    judge: {
      enabled: given.judge?.enabled ?? false,
      model: given.judge?.model ?? null,
      provider: given.judge?.provider ?? null,
    },
    specs: given.specs ?? true,
    integrity: {enabled: given.integrity?.enabled ?? true, allow: given.integrity?.allow ?? []},
  };
}
