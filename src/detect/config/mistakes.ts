/** Describes every mistake of a `verify.json` with its path and a hint, without quoting the file's values. */
import type {z} from "zod";
import type {Failure} from "../../record/failure.ts";

import {suggestWord} from "./closest-word.ts";
import {FORMER_JUDGE_KEYS} from "./judge-config.ts";

export type Mistake = Extract<Failure, {kind: "config-invalid"}>["mistakes"][number];
type Issue = z.core.$ZodIssue;
type ListKeys = (path: readonly PropertyKey[]) => readonly string[];

/** Keys are shown, values never: a value may be private. */
const SHOWN_KEY = /^[\w$@.:/+-]{1,60}$/;
const MAX_MISTAKES = 50;
const SEE_DOCS = "see docs/verify-json.md for an example of this key";

/** All mistakes of a file that the schema rejects. `listKeysAt` gives the keys that are known at a path. */
export function describeMistakes(issues: readonly Issue[], listKeysAt: ListKeys): Mistake[] {
  return issues.flatMap((issue) => describe(issue, listKeysAt)).slice(0, MAX_MISTAKES);
}

function describe(issue: Issue, listKeysAt: ListKeys): Mistake[] {
  const one = (message: string, hint: string): Mistake[] => [{path: formatPath(issue.path), message, hint}];
  switch (issue.code) {
    case "unrecognized_keys":
      return issue.keys.map((key) => unknownKey([...issue.path, key], key, listKeysAt(issue.path)));
    case "invalid_type": {
      const [type, example] = TYPES[issue.expected] ?? [`a ${issue.expected}`, "a value of that type"];
      return one(issue.input === undefined ? "is missing" : `must be ${type}`, `write ${example}`);
    }
    case "invalid_value":
      return one(
        `must be one of ${issue.values.map(String).join(", ")}`,
        `use one of these words, for example ${JSON.stringify(issue.values[0])}`,
      );
    case "too_small":
      return one(
        `must be ${issue.inclusive ? "at least" : "more than"} ${issue.minimum}${unitOf(issue.origin)}`,
        "use a larger value, or leave the key out for the default",
      );
    case "too_big":
      return one(
        `must be at most ${issue.maximum}${unitOf(issue.origin)}`,
        "use a smaller value, or leave the key out for the default",
      );
    case "invalid_union": {
      // The mistakes of the first branch whose type fits are shown, not those of all branches.
      const branch = issue.errors.find((errors) => !errors.some(isWrongType));
      if (branch === undefined) return one(`must be ${listForms(issue.errors.flat())}`, SEE_DOCS);
      return branch.flatMap((inner) => describe({...inner, path: [...issue.path, ...inner.path]}, listKeysAt));
    }
    case "invalid_key":
      return one("is not a valid name", "use letters, digits and any of @ . / : + - _");
    case "invalid_format":
      return one(issue.message.startsWith("must") ? issue.message : "does not have the required format", SEE_DOCS);
    default:
      return one("is not valid", SEE_DOCS);
  }
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

const isWrongType = ({path, code}: Issue): boolean =>
  path.length === 0 && (code === "invalid_type" || code === "invalid_value");

function unknownKey(path: readonly PropertyKey[], key: string, known: readonly string[]): Mistake {
  const former = Object.hasOwn(FORMER_JUDGE_KEYS, key) ? FORMER_JUDGE_KEYS[key] : undefined;
  if (former !== undefined) return {path: formatPath(path), message: "is not a known key", hint: former};
  const hint = suggestWord(key, known, `known keys here: ${known.join(", ")}`);
  return {path: formatPath(path), message: "is not a known key", hint};
}

/** A path as people write it: `stages[0].timeout`. */
function formatPath(path: readonly PropertyKey[]): string {
  const text = path.map((part) => (typeof part === "number" ? `[${part}]` : `.${showKey(String(part))}`)).join("");
  return text.replace(/^\./, "") || "(the whole file)";
}

function showKey(key: string): string {
  return SHOWN_KEY.test(key) ? key : "(a key with unusual characters)";
}

/** The name of each type, and an example. */
const TYPES: Readonly<Record<string, readonly [name: string, example: string]>> = {
  string: ["a string", 'text in quotes: "…"'],
  number: ["a number", "a number without quotes: 300"],
  int: ["a whole number", "a whole number without quotes: 2"],
  boolean: ["a boolean", "true or false, without quotes"],
  array: ["a list", "a list: [ … ]"],
  object: ["an object", "an object: { … }"],
  record: ["an object", "an object: { … }"],
};

function unitOf(origin: string): string {
  return origin === "string" ? " characters" : origin === "array" ? " entries" : "";
}
