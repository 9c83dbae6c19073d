/** Parses `verify.json` strictly: it reports all mistakes at once, and a broken file never weakens the verification. */
import {type ParseError, parse, visit} from "jsonc-parser";
import type {Failure} from "../../record/failure.ts";
import {ok, type Result} from "../../record/words.ts";
import {suggestWord} from "./closest-word.ts";
import {type Config, rejectConfig, withDefaults} from "./config.ts";
import {describeMistakes, type Mistake} from "./mistakes.ts";
import {type ConfigFile, configSchema, listKeysAt} from "./schema.ts";

/**
 * Parses the text of a `verify.json`: JSON with comments, trailing commas and an optional byte order mark.
 * Fails with `config-invalid` and all mistakes; messages name keys and never quote values.
 */
export function parseConfig(source: {file: string; text: string}): Result<Config, Failure> {
  const {file} = source;
  const errors: ParseError[] = [];
  let value: unknown;
  try {
    value = parse(source.text.replace(/^\uFEFF/, ""), errors, {allowTrailingComma: true});
  } catch {
    return rejectConfig(file, [{path: "(the whole file)", message: "is nested too deeply", hint: "use less nesting"}]);
  }
  const [firstError] = errors;
  if (firstError !== undefined) return rejectConfig(file, [syntaxMistake(source.text, firstError.offset)]);
  if (hasPrototypeKey(source.text))
    return rejectConfig(file, [{path: "__proto__", message: "is not a known key", hint: "remove it"}]);
  const parsed = configSchema.safeParse(value, {reportInput: true});
  if (!parsed.success) return rejectConfig(file, describeMistakes(parsed.error.issues, listKeysAt));
  const contradictions = findContradictions(parsed.data);
  return contradictions.length > 0 ? rejectConfig(file, contradictions) : ok(withDefaults(file, parsed.data));
}

/** The parser makes the key `__proto__` a prototype, whose keys would take effect without being checked. */
function hasPrototypeKey(text: string): boolean {
  const keys: string[] = [];
  visit(text, {onObjectProperty: (key) => void keys.push(key)}, {allowTrailingComma: true});
  return keys.includes("__proto__");
}

function syntaxMistake(text: string, offset: number): Mistake {
  const lines = text.slice(0, offset).split("\n");
  return {
    path: `line ${lines.length}, column ${(lines.at(-1) ?? "").length + 1}`,
    message: "is not valid JSON from here on",
    hint: "look for a missing comma, quote or bracket just before this place",
  };
}

/** Entries that are valid one by one and contradict each other. */
function findContradictions(file: ConfigFile): Mistake[] {
  const mistakes: Mistake[] = [];
  if (file.maxIterations !== undefined && file.maxFixAttempts !== undefined) {
    mistakes.push({
      path: "maxIterations",
      message: "cannot be combined with maxFixAttempts",
      hint: "keep maxFixAttempts and remove maxIterations",
    });
  }
  if (file.stages !== undefined && file.overrides !== undefined) {
    mistakes.push({
      path: "overrides",
      message: "cannot be combined with stages, which replaces the detected stages",
      hint: "change the entries of stages instead",
    });
  }
  if (file.stages !== undefined && file.extraStages !== undefined) {
    mistakes.push({
      path: "extraStages",
      message: "cannot be combined with stages, which replaces the detected stages",
      hint: "move its entries into stages",
    });
  }
  const {enabled, provider = "agent", model} = file.judge ?? {};
  if (enabled === true && provider !== "agent" && model === undefined) {
    mistakes.push({
      path: "judge.model",
      message: "is missing",
      hint: `name a model of ${provider}, or use the provider \`agent\``,
    });
  }
  return [
    ...mistakes,
    ...findRepeatedNames("extraStages", file.extraStages ?? []),
    ...findWrongOrder(file.stages ?? []),
  ];
}

function findRepeatedNames(key: string, stages: readonly {name: string}[]): Mistake[] {
  const names = stages.map((stage) => stage.name);
  return names.flatMap((name, i) => {
    const message = "is the name of an earlier stage";
    const hint = "give each stage its own name";
    return names.slice(0, i).includes(name) ? [{path: `${key}[${i}].name`, message, hint}] : [];
  });
}

function findWrongOrder(stages: NonNullable<ConfigFile["stages"]>): Mistake[] {
  const names = stages.map((stage) => stage.name);
  const wrongNeeds = stages.flatMap((stage, i) => {
    const earlier = names.slice(0, i);
    return (stage.needs ?? []).flatMap((need, j): Mistake[] => {
      if (earlier.includes(need)) return [];
      const hint = names.includes(need)
        ? "move that stage before this one"
        : suggestWord(need, earlier, "name an earlier stage");
      return [{path: `stages[${i}].needs[${j}]`, message: "does not name an earlier stage", hint}];
    });
  });
  return [...findRepeatedNames("stages", stages), ...wrongNeeds];
}
