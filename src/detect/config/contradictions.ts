/** Finds entries of a `verify.json` that contradict each other, in the file as written, before the schema is applied. */
import {listOf, textAt, textsOf, valueAt} from "../files/manifest-values.ts";
import {suggestWord} from "./closest-word.ts";
import {JUDGE_PROVIDERS} from "./judge-providers.ts";
import type {Mistake} from "./mistakes.ts";

/** All contradictions of a parsed file. Values of a wrong type are ignored: the schema reports them. */
export function findContradictions(file: unknown): Mistake[] {
  return [
    ...findExcludedKeys(file),
    ...findMissingModel(valueAt(file, "judge")),
    ...findRepeatedNames("stages", listOf(valueAt(file, "stages"))),
    ...findRepeatedNames("extraStages", listOf(valueAt(file, "extraStages"))),
    ...findWrongOrder(listOf(valueAt(file, "stages"))),
  ];
}

function findExcludedKeys(file: unknown): Mistake[] {
  const hasAll = (...keys: string[]) => keys.every((key) => valueAt(file, key) !== undefined);
  const message = "cannot be combined with stages, which replaces the detected checks";
  return [
    ...(hasAll("maxIterations", "maxFixAttempts")
      ? [
          {
            path: "maxIterations",
            message: "cannot be combined with maxFixAttempts",
            hint: "keep maxFixAttempts and remove maxIterations",
          },
        ]
      : []),
    ...(valueAt(file, "sandbox") === "off" && ["setup", "none"].includes(textAt(file, "network") ?? "")
      ? [{path: "network", message: "needs the sandbox, which is off", hint: "remove `sandbox`, or remove `network`"}]
      : []),
    ...(hasAll("stages", "overrides")
      ? [{path: "overrides", message, hint: "change the entries of stages instead"}]
      : []),
    ...(hasAll("stages", "extraStages") ? [{path: "extraStages", message, hint: "move its entries into stages"}] : []),
  ];
}

function findMissingModel(judge: unknown): Mistake[] {
  if (valueAt(judge, "enabled") !== true || valueAt(judge, "model") !== undefined) return [];
  const provider = JUDGE_PROVIDERS.find((name) => name === valueAt(judge, "provider")) ?? "agent";
  const hint = `name a model of ${provider}, or use the provider \`agent\``;
  return provider === "agent" ? [] : [{path: "judge.model", message: "is missing", hint}];
}

const nameOf = (stage: unknown): string | null => textAt(stage, "name")?.trim() ?? null;

function findRepeatedNames(key: string, stages: readonly unknown[]): Mistake[] {
  const names = stages.map(nameOf);
  return names.flatMap((name, i) => {
    const message = "is the name of an earlier check";
    const hint = "give each check its own name";
    return name !== null && names.slice(0, i).includes(name) ? [{path: `${key}[${i}].name`, message, hint}] : [];
  });
}

function findWrongOrder(stages: readonly unknown[]): Mistake[] {
  const names = stages.flatMap((stage) => nameOf(stage) ?? []);
  return stages.flatMap((stage, i) => {
    const earlier = stages.slice(0, i).flatMap((one) => nameOf(one) ?? []);
    return textsOf(valueAt(stage, "needs")).flatMap((text, j): Mistake[] => {
      const need = text.trim();
      if (earlier.includes(need)) return [];
      const hint = names.includes(need)
        ? "move that check before this one"
        : suggestWord(need, earlier, "name an earlier check");
      return [{path: `stages[${i}].needs[${j}]`, message: "does not name an earlier check", hint}];
    });
  });
}
