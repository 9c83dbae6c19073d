/** Describes every mistake of a `verify.json` with its path and a hint, without quoting the file's values. */
import type {z} from "zod";
import type {Failure} from "../../record/failure.ts";

import {suggestWord} from "./closest-word.ts";
import {ADDRESS_OR_KEY, FORMER_JUDGE_KEYS, JUDGE_EXAMPLE, JUDGE_VARIABLES, OTHER_WORDS} from "./judge-config.ts";

export type Mistake = Extract<Failure, {kind: "config-invalid"}>["mistakes"][number];
type Issue = z.core.$ZodIssue;

/** Answers from the schema, for a path of the file. */
export interface SchemaLookup {
  /** the known keys; empty if every key is allowed */
  readonly keysAt: (path: readonly PropertyKey[]) => readonly string[];
  /** the smallest and the largest number; null without a limit */
  readonly boundsAt: (path: readonly PropertyKey[]) => {minimum: number | null; maximum: number | null};
}

/** Keys are shown, values never: a value may be private. */
const SHOWN_KEY = /^[\w$@.:/+-]{1,60}$/;
export const MAX_MISTAKES = 50;

/** The page has a heading for each key of the file. */
function seeDocs([key]: readonly PropertyKey[]): string {
  const anchor = typeof key === "string" ? `#${key.toLowerCase()}` : "";
  return `see https://github.com/assay-run/assay/blob/main/docs/verify-json.md${anchor} for an example of this key`;
}

/** All mistakes of a file that the schema rejects. */
export function describeMistakes(issues: readonly Issue[], lookup: SchemaLookup): Mistake[] {
  return issues.flatMap((issue) => describe(issue, lookup)).slice(0, MAX_MISTAKES);
}

function describe(issue: Issue, lookup: SchemaLookup): Mistake[] {
  const one = (message: string, hint: string): Mistake[] => [{path: formatPath(issue.path), message, hint}];
  switch (issue.code) {
    case "unrecognized_keys":
      return issue.keys.map((key) => unknownKey([...issue.path, key], key, lookup));
    case "invalid_type": {
      const [type, example] = TYPES[issue.expected] ?? [`a ${issue.expected}`, "a value of that type"];
      const hint = exampleAt(issue.path) ?? `${example}${rangeOf(lookup.boundsAt(issue.path))}`;
      return one(issue.input === undefined ? "is missing" : `must be ${type}`, `write ${hint}`);
    }
    case "invalid_value":
      return one(`must be one of ${issue.values.map(String).join(", ")}`, hintWord(issue));
    case "too_small":
      return [{path: formatPath(issue.path), ...tooSmall(issue)}];
    case "too_big":
      return one(
        `must be at most ${issue.maximum}${unitOf(issue.origin, issue.maximum)}`,
        `use a ${unitOf(issue.origin, 1) === "" ? "smaller" : "shorter"} value, or leave the key out for the default`,
      );
    case "invalid_union": {
      // The mistakes of the first branch whose type fits are shown, not those of all branches.
      const branch = issue.errors.find((errors) => !errors.some(isWrongType));
      if (branch === undefined) {
        const example = exampleAt(issue.path);
        return one(
          `must be ${listForms(issue.errors.flat())}`,
          example === null ? seeDocs(issue.path) : `write ${example}`,
        );
      }
      return branch.flatMap((inner) => describe({...inner, path: [...issue.path, ...inner.path]}, lookup));
    }
    case "invalid_key":
      return one("is not a valid name", "use letters, digits and any of @ . / : + - _");
    case "invalid_format":
      return one(
        issue.message.startsWith("must") ? issue.message : "does not have the required format",
        seeDocs(issue.path),
      );
    default:
      return one("is not valid", seeDocs(issue.path));
  }
}

/** The allowed word that was most likely meant, or else the first allowed word. */
function hintWord({values, input}: Extract<Issue, {code: "invalid_value"}>): string {
  const words = values.map(String);
  const word = input === false ? "off" : String(input).toLowerCase();
  const meant = Object.hasOwn(OTHER_WORDS, word) ? (OTHER_WORDS[word] ?? word) : word;
  const firstWord = `use one of these words, for example ${JSON.stringify(values[0])}`;
  return words.includes(meant) ? `did you mean \`${meant}\`?` : suggestWord(meant, words, firstWord);
}

/** The forms that a value may have, such as `false or a list`. */
function listForms(issues: readonly Issue[]): string {
  const forms = issues.filter(isWrongType).flatMap((issue) => {
    if (issue.code === "invalid_value") return issue.values.map(String);
    return issue.code === "invalid_type" ? [TYPES[issue.expected]?.[0] ?? issue.expected] : [];
  });
  const [last = "of another type", ...others] = [...new Set(forms)].reverse();
  return others.length === 0 ? last : `${others.reverse().join(", ")} or ${last}`;
}

function tooSmall({inclusive, minimum, origin}: Extract<Issue, {code: "too_small"}>): Omit<Mistake, "path"> {
  if (minimum === 1 && origin === "string")
    return {message: "must not be empty", hint: "write a text; you can leave out an optional key"};
  if (minimum === 1 && origin === "array")
    return {message: "must have at least one entry", hint: "add an entry, or leave the key out for the default"};
  const message = `must be ${inclusive ? "at least" : "more than"} ${minimum}${unitOf(origin, minimum)}`;
  return {message, hint: "use a larger value, or leave the key out for the default"};
}

const isWrongType = ({path, code}: Issue): boolean =>
  path.length === 0 && (code === "invalid_type" || code === "invalid_value");

/** Usual words of other tools whose letters are not close to the known key. */
const OTHER_KEYS: readonly (readonly [string, string])[] = [
  ["cmd", "command"],
  ["run", "command"],
  ["script", "command"],
  ["dir", "cwd"],
  ["directory", "cwd"],
  ["working-directory", "cwd"],
  ["allowFailure", "optional"],
];

/** A key of this level that exists in the objects of another one, such as `reviewers` of `pullRequest`. */
function ownerOf(path: readonly PropertyKey[], key: string, keysAt: SchemaLookup["keysAt"]): string | undefined {
  if (path.length > 1) return undefined;
  const owner = keysAt([]).find((name) => keysAt([name]).includes(key) || keysAt([name, 0]).includes(key));
  return owner === undefined ? undefined : `it is a key of \`${owner}\``;
}

function unknownKey(path: readonly PropertyKey[], key: string, {keysAt}: Pick<SchemaLookup, "keysAt">): Mistake {
  const known = keysAt(path.slice(0, -1));
  const former = Object.hasOwn(FORMER_JUDGE_KEYS, key) ? FORMER_JUDGE_KEYS[key] : undefined;
  const variable = path[0] === "judge" && ADDRESS_OR_KEY.test(key) ? JUDGE_VARIABLES : undefined;
  const elsewhere = path.join(".") === "specs.enabled" ? 'write `"specs": false` to switch specs off' : undefined;
  const other = OTHER_KEYS.find(([word, meant]) => word === key && known.includes(meant))?.[1];
  const meant = other === undefined ? undefined : `did you mean \`${other}\`?`;
  const again = key === "retries" ? "a second try hides a failure; name flaky tests in `flaky`" : undefined;
  const owner = ownerOf(path, key, keysAt);
  const hint =
    elsewhere ??
    meant ??
    again ??
    former ??
    variable ??
    owner ??
    suggestWord(key, known, `known keys here: ${known.join(", ")}`);
  return {path: formatPath(path), message: "is not a known key", hint};
}

/** A path as people write it: `stages[0].timeout`. */
export function formatPath(path: readonly PropertyKey[]): string {
  const text = path.map((part) => (typeof part === "number" ? `[${part}]` : `.${showKey(String(part))}`)).join("");
  return text.replace(/^\./, "") || "(the whole file)";
}

function showKey(key: string): string {
  return SHOWN_KEY.test(key) ? key : "(a key with unusual characters)";
}

/** The name of each type, and an example to write. */
const TYPES: Readonly<Record<string, readonly [name: string, example: string]>> = {
  string: ["a string", 'text in quotes: "…"'],
  number: ["a number", "a number without quotes"],
  int: ["a whole number", "a whole number without quotes"],
  boolean: ["a boolean", "true or false, without quotes"],
  array: ["a list", "a list: [ … ]"],
  object: ["an object", "an object: { … }"],
  record: ["an object", "an object: { … }"],
};

/** A value to copy, where the form is not obvious. */
const EXAMPLES: Readonly<Record<string, string>> = {
  judge: JUDGE_EXAMPLE,
  specs: 'a list of globs, such as ["docs/rfcs/*.md"], or false for no specs',
};

function exampleAt(path: readonly PropertyKey[]): string | null {
  return path.length === 1 ? (EXAMPLES[String(path[0])] ?? null) : null;
}

/** The bounds of a number, as the end of a hint. */
function rangeOf({minimum, maximum}: {minimum: number | null; maximum: number | null}): string {
  if (maximum === null) return "";
  return minimum === null ? `, at most ${maximum}` : `, from ${minimum} to ${maximum}`;
}

function unitOf(origin: string, count: number | bigint): string {
  const [one, many] = origin === "string" ? ["character", "characters"] : ["entry", "entries"];
  return origin === "string" || origin === "array" ? ` ${count === 1 ? one : many}` : "";
}
