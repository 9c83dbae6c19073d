/** Words every mistake of a `verify.json`, with its path and a hint, without quoting what the file contains. */
import type {z} from "zod";
import type {Failure} from "../../record/failure.ts";
import {findClosestWord} from "./closest-word.ts";

export type Mistake = Extract<Failure, {kind: "config-invalid"}>["mistakes"][number];
type Issue = z.core.$ZodIssue;

/** Keys are shown, values never: a value may hold what its writer did not mean to publish. */
const SHOWN_KEY = /^[\w$@.:/+-]{1,60}$/;
const MAX_MISTAKES = 50;

/** All mistakes of a file that the schema refused. `keysAt` gives the keys that are known at a path. */
export function describeMistakes(
  issues: readonly Issue[],
  keysAt: (path: readonly PropertyKey[]) => readonly string[],
): Mistake[] {
  return issues.flatMap((issue) => worded(issue, keysAt)).slice(0, MAX_MISTAKES);
}

/** A path as people write it: `stages[0].timeout`. */
function pathText(path: readonly PropertyKey[]): string {
  const text = path.map((part) => (typeof part === "number" ? `[${part}]` : `.${shown(String(part))}`)).join("");
  return text.replace(/^\./, "") || "(the whole file)";
}

function worded(issue: Issue, keysAt: (path: readonly PropertyKey[]) => readonly string[]): Mistake[] {
  const path = pathText(issue.path);
  switch (issue.code) {
    case "unrecognized_keys":
      return issue.keys.map((key) => unknownKey({path: [...issue.path, key], key, known: keysAt(issue.path)}));
    case "invalid_type":
      return [
        {
          path,
          message: issue.input === undefined ? "is missing" : `must be ${article(issue.expected)}`,
          hint: `write ${EXAMPLES[issue.expected] ?? "a value of that type"}`,
        },
      ];
    case "invalid_value":
      return [
        {
          path,
          message: `must be one of ${issue.values.map(String).join(", ")}`,
          hint: `use one of these words, for example ${JSON.stringify(issue.values[0])}`,
        },
      ];
    case "too_small":
      return [
        {
          path,
          message: `must be ${issue.inclusive ? "at least" : "more than"} ${issue.minimum}${unit(issue.origin)}`,
          hint: "use a larger value, or leave the key out for the default",
        },
      ];
    case "too_big":
      return [
        {
          path,
          message: `must be at most ${issue.maximum}${unit(issue.origin)}`,
          hint: "use a smaller value, or leave the key out for the default",
        },
      ];
    case "invalid_union":
      return fromUnion(issue, keysAt);
    case "invalid_key":
      return [{path, message: "is no valid name", hint: "use letters, digits and any of @ . / : + - _"}];
    case "invalid_format":
      return [
        {
          path,
          message: issue.message.startsWith("must") ? issue.message : "is not of the right form",
          hint: "see docs/verify-json.md for an example of this key",
        },
      ];
    default:
      return [{path, message: "is not valid", hint: "see docs/verify-json.md for an example of this key"}];
  }
}

const EXAMPLES: Readonly<Record<string, string>> = {
  string: 'text in quotes: "…"',
  number: "a number without quotes: 300",
  int: "a whole number without quotes: 2",
  boolean: "true or false, without quotes",
  array: "a list: [ … ]",
  object: "an object: { … }",
  record: "an object: { … }",
};

function article(type: string): string {
  if (type === "int") return "a whole number";
  if (type === "object" || type === "record") return "an object";
  return type === "array" ? "a list" : `a ${type}`;
}

function unit(origin: string): string {
  return origin === "string" ? " characters" : origin === "array" ? " entries" : "";
}

function unknownKey(at: {path: readonly PropertyKey[]; key: string; known: readonly string[]}): Mistake {
  const meant = findClosestWord(at.key, at.known);
  const hint = meant === null ? `known keys here: ${at.known.join(", ")}` : `did you mean \`${meant}\`?`;
  return {path: pathText(at.path), message: "is not a key that Assay knows", hint};
}

/** Of a union the branch that got furthest is what was meant: its mistakes are told, not those of all branches. */
function fromUnion(
  issue: Extract<Issue, {code: "invalid_union"}>,
  keysAt: (path: readonly PropertyKey[]) => readonly string[],
): Mistake[] {
  const branches = issue.errors.filter(
    (branch) =>
      !branch.some(
        (inner) => inner.path.length === 0 && (inner.code === "invalid_type" || inner.code === "invalid_value"),
      ),
  );
  const meant = branches[0];
  const path = pathText(issue.path);
  if (meant === undefined)
    return [{path, message: "is of the wrong type", hint: "see docs/verify-json.md for an example of this key"}];
  return meant.flatMap((inner) => worded({...inner, path: [...issue.path, ...inner.path]}, keysAt));
}

function shown(key: string): string {
  return SHOWN_KEY.test(key) ? key : "(a key with odd characters)";
}
