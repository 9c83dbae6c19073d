/** Applies the owner's `verify.json` to the detected stages: it replaces, changes or disables them. */
import {plainPath} from "../../git/paths.ts";
import type {Failure} from "../../record/failure.ts";
import type {SetupStep, Stage} from "../../record/plan.ts";
import {ok, type Result} from "../../record/words.ts";
import {kindOf, kindOfName} from "../../tools/stage-kind.ts";
import {suggestWord} from "./closest-word.ts";
import {type Config, rejectConfig} from "./config.ts";
import {SETUP_TIMEOUT, TIMEOUTS} from "./default-timeouts.ts";
import type {Mistake} from "./mistakes.ts";
import type {StageOverride} from "./schema.ts";

/** The owner provides the programs of configured commands: Assay requires none. */
const NO_TOOLS: Stage["tools"] = [];

/**
 * The inputs of an owner's command are unknown. It may build what the tests run, as the `prepare` script of `npm ci`
 * does.
 */
const EVERY_FILE = ["**"];

/** Returns the stages and the setup to run, or a mistake for every override that names no stage. */
export function applyConfig(options: {
  config: Config;
  stages: readonly Stage[];
  setup: readonly SetupStep[];
}): Result<{stages: Stage[]; setup: SetupStep[]}, Failure> {
  const {config} = options;
  const file = config.file ?? "verify.json";
  const mistakes = config.stages === null ? findUnknownNames(config, options.stages) : [];
  if (mistakes.length > 0) return rejectConfig(file, mistakes);
  const detectedStages = (): Stage[] => [
    ...overrideStages(config, options.stages),
    ...ownersStages(config.extraStages, file, "extraStages"),
  ];
  return ok({
    stages: config.stages === null ? detectedStages() : ownersStages(config.stages, file, "stages"),
    setup: configuredSetup(config, file) ?? [...options.setup],
  });
}

function findUnknownNames(config: Config, stages: readonly Stage[]): Mistake[] {
  const names = stages.map((stage) => stage.name);
  const extraNames = config.extraStages.map((stage) => stage.name);
  const stageNames = `detected checks: ${names.slice(0, 20).join(", ")}`;
  const otherwise = names.length > 0 ? stageNames : "no checks were detected here; use `stages`";
  const duplicateNames = extraNames.flatMap((name, i): Mistake[] => {
    const message = "is the name of a detected check";
    const hint = "choose another name, or change that check with `overrides`";
    return names.includes(name) ? [{path: `extraStages[${i}].name`, message, hint}] : [];
  });
  const unknownNeeds = config.extraStages.flatMap(({needs = []}, i) =>
    needs.flatMap((need, j): Mistake[] => {
      if (names.includes(need) || extraNames.slice(0, i).includes(need)) return [];
      const message = "names no check before it";
      return [{path: `extraStages[${i}].needs[${j}]`, message, hint: suggestWord(need, names, otherwise)}];
    }),
  );
  const unknown = Object.entries(config.overrides).flatMap(([name, change]): Mistake[] => {
    const path = `overrides.${name}`;
    const needs = change === false ? [] : (change.needs ?? []);
    const message = "does not name another detected check";
    const ofNeeds = needs.map((need, i) => ({need, path: `${path}.needs[${i}]`}));
    return [
      ...(names.includes(name)
        ? []
        : [{path, message: "does not name a detected check", hint: suggestWord(name, names, otherwise)}]),
      ...ofNeeds
        .filter(({need}) => need === name || !names.includes(need))
        .map(({need, path}) => ({path, message, hint: suggestWord(need, names, otherwise)})),
    ];
  });
  return [...duplicateNames, ...unknownNeeds, ...unknown];
}

function overrideStages(config: Config, stages: readonly Stage[]): Stage[] {
  return stages.flatMap((stage) => {
    const change = Object.hasOwn(config.overrides, stage.name) ? config.overrides[stage.name] : undefined;
    if (change === false) return [];
    if (change === undefined) return [stage];
    const kind = change.kind ?? stage.kind;
    const {unproved, ...rest} = stage;
    const isOwners = change.kind !== undefined || change.optional !== undefined;
    return [
      {
        ...rest,
        ...(unproved && !isOwners && {unproved}),
        ...(change.kind !== undefined && {timeout: TIMEOUTS[kind], optional: kind === "lint"}),
        ...(change.command !== undefined && {tools: NO_TOOLS}),
        ...changedValues(change),
        kind,
        env: {...stage.env, ...change.env},
        origin: {...stage.origin, why: `${stage.origin.why}; changed by overrides in ${config.file}`},
      },
    ];
  });
}

function changedValues({command, cwd, timeout, optional, when, needs}: StageOverride): Partial<Stage> {
  return {
    ...(command !== undefined && {command}),
    ...(cwd !== undefined && {cwd: normalizeFolder(cwd)}),
    ...(timeout !== undefined && {timeout}),
    ...(optional !== undefined && {optional}),
    ...(when !== undefined && {when}),
    ...(needs !== undefined && {needs}),
  };
}

function ownersStages(stages: Config["extraStages"], file: string, key: string): Stage[] {
  return stages.map((stage, i) => {
    const kind = stage.kind ?? kindOfName(stage.name) ?? kindOf(stage.command) ?? "check";
    const cwd = normalizeFolder(stage.cwd);
    return {
      name: stage.name,
      kind,
      command: stage.command,
      cwd,
      timeout: stage.timeout ?? TIMEOUTS[kind],
      optional: stage.optional ?? kind === "lint",
      env: stage.env ?? {},
      when: stage.when ?? [],
      needs: stage.needs ?? [],
      // The owner writes `vitest run` as in a script of package.json.
      path: [...new Set([cwd === "." ? "node_modules/.bin" : `${cwd}/node_modules/.bin`, "node_modules/.bin"])],
      tools: NO_TOOLS,
      origin: {file, key: `${key}[${i}]`, why: stage.description || "configured by the owner"},
    };
  });
}

function configuredSetup(config: Config, file: string): SetupStep[] | null {
  if (config.setup === null) return null;
  return config.setup.map((step, i) => ({
    command: step.command,
    cwd: normalizeFolder(step.cwd),
    timeout: step.timeout ?? SETUP_TIMEOUT,
    inputs: step.inputs ?? EVERY_FILE,
    provides: step.provides ?? [],
    tools: [],
    origin: {file, key: `setup[${i}]`, why: "configured by the owner"},
  }));
}

function normalizeFolder(folder = "."): string {
  return plainPath(folder) || ".";
}
