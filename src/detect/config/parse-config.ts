/** Parses `verify.json` strictly: it reports all mistakes at once, and a broken file never weakens the verification. */
import {type ParseError, parse, visit} from "jsonc-parser";
import type {Failure} from "../../record/failure.ts";
import {ok, type Result, refused} from "../../record/words.ts";
import {type Config, type ConfigSource, rejectConfig, withDefaults} from "./config.ts";
import {findContradictions} from "./contradictions.ts";
import {describeMistakes, formatPath, MAX_MISTAKES, type Mistake} from "./mistakes.ts";
import {type ConfigFile, configLookup, configSchema} from "./schema.ts";

/**
 * Parses the text of a `verify.json`: JSON with comments, trailing commas and an optional byte order mark.
 * Fails with `config-invalid` and all mistakes; messages name keys and never quote values. The keys of `extended` count
 * where the file lacks them.
 */
export function parseConfig(source: ConfigSource, extended: ConfigSource | null = null): Result<Config, Failure> {
  const {file} = source;
  const own = parseEntries(source);
  const base = extended === null ? null : parseEntries(extended);
  if (!own.ok) return own;
  if (base === null) return ok(withDefaults(file, own.value.entries));
  if (!base.ok) return base;
  const {extends: nested} = base.value.entries;
  if (extended !== null && nested !== undefined) {
    const hint = "remove it: a file that others extend extends none";
    return rejectConfig(extended.file, [{path: "extends", message: "is not possible here", hint}]);
  }
  const merged = {...base.value.entries, ...own.value.entries};
  const contradictions = findContradictions(merged);
  if (contradictions.length > 0)
    return rejectConfig(`${file} with ${extended?.file}`, contradictions, own.value.isQuiet);
  return ok(withDefaults(file, merged, extended));
}

/** The entries of one file. */
export function parseEntries({file, text}: ConfigSource): Result<{entries: ConfigFile; isQuiet: boolean}, Failure> {
  const reading = readJson(text);
  if (!reading.ok) return rejectConfig(file, [reading.failure]);
  const {value} = reading;
  const isQuiet = typeof value === "object" && value !== null && "notify" in value && value.notify === false;
  const parsed = configSchema.safeParse(value, {reportInput: true});
  const contradictions = findContradictions(value);
  const mistakes = parsed.success ? [] : describeMistakes(parsed.error.issues, configLookup());
  const all = [...mistakes, ...contradictions].slice(0, MAX_MISTAKES);
  if (!parsed.success || all.length > 0) return rejectConfig(file, all, isQuiet);
  return ok({entries: parsed.data, isQuiet});
}

/** JSON with comments, trailing commas and an optional byte order mark; or the mistake that makes the text none. */
export function readJson(text: string): Result<unknown, Mistake> {
  const errors: ParseError[] = [];
  if (text.replace(/^\uFEFF/, "").trim() === "")
    return refused({
      path: "(the whole file)",
      message: "is empty",
      hint: "write {} for no changes, or remove the file",
    });
  // Each byte that is not UTF-8 has become this character, also in a name that would then match nothing.
  const undecoded = text.indexOf("\uFFFD");
  if (undecoded !== -1)
    return refused({path: placeOf(text, undecoded), message: "is not UTF-8 here", hint: "save the file as UTF-8"});
  let value: unknown;
  try {
    value = parse(text.replace(/^\uFEFF/, ""), errors, {allowTrailingComma: true});
  } catch {
    return refused({path: "(the whole file)", message: "is nested too deeply", hint: "use less nesting"});
  }
  const [firstError] = errors;
  if (firstError !== undefined) return refused(syntaxMistake(text, firstError.offset));
  const [twice] = repeatedKeys(text);
  if (twice !== undefined) return refused({path: twice, message: "is written twice", hint: "keep one of them"});
  if (hasPrototypeKey(text)) return refused({path: "__proto__", message: "is not a known key", hint: "remove it"});
  return ok(value);
}

/** The parser makes the key `__proto__` a prototype, whose keys would take effect without being checked. */
function hasPrototypeKey(text: string): boolean {
  const keys: string[] = [];
  visit(text, {onObjectProperty: (key) => void keys.push(key)}, {allowTrailingComma: true});
  return keys.includes("__proto__");
}

/** The parser takes the last one, so an earlier value would have no effect. */
function repeatedKeys(text: string): string[] {
  const keys: Set<string>[] = [];
  const repeated: string[] = [];
  visit(
    text,
    {
      onObjectBegin: () => void keys.push(new Set()),
      onObjectEnd: () => void keys.pop(),
      onObjectProperty: (key, ...[, , , , pathTo]) => {
        if (keys.at(-1)?.has(key)) repeated.push(formatPath([...pathTo(), key]));
        keys.at(-1)?.add(key);
      },
    },
    {allowTrailingComma: true},
  );
  return repeated;
}

function syntaxMistake(text: string, offset: number): Mistake {
  return {
    path: placeOf(text, offset),
    message: "is not valid JSON from here on",
    hint: "look for a missing comma, quote or bracket just before this place",
  };
}

function placeOf(text: string, offset: number): string {
  const lines = text.slice(0, offset).split("\n");
  return `line ${lines.length}, column ${(lines.at(-1) ?? "").length + 1}`;
}
