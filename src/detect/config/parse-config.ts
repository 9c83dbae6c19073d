/** Reads `verify.json`: strict, every mistake at once, and never a weaker gate because of a bad file. */
import {type ParseError, type ParseOptions, parse, visit} from "jsonc-parser";
import type {Failure} from "../../record/failure.ts";
import {ok, type Result} from "../../record/words.ts";
import {findClosestWord} from "./closest-word.ts";
import {type Config, rejectConfig, withDefaults} from "./config.ts";
import {listKeysAt} from "./keys.ts";
import {describeMistakes, type Mistake} from "./mistakes.ts";
import {type ConfigFile, configSchema} from "./schema.ts";

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
    return rejectConfig(file, [{path: "(the whole file)", message: "is nested too deeply", hint: "write it flatter"}]);
  }
  const broken = errors[0];
  if (broken !== undefined) return rejectConfig(file, [syntaxMistake(source.text, broken.offset)]);
  const hidden = hiddenKey(source.text);
  if (hidden !== null) return rejectConfig(file, [hidden]);
  const parsed = configSchema.safeParse(value, {reportInput: true});
  const shape = parsed.success ? [] : describeMistakes(parsed.error.issues, listKeysAt);
  if (!parsed.success) return rejectConfig(file, shape);
  const sense = senseMistakes(parsed.data);
  return sense.length > 0 ? rejectConfig(file, sense) : ok(withDefaults(file, parsed.data));
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
      const meant = findClosestWord(need, names.slice(0, i));
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
