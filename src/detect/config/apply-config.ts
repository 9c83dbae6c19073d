/** Lets the owner's `verify.json` replace, change or switch off what was detected. */
import type {Failure} from "../../record/failure.ts";
import type {SetupStep, Stage} from "../../record/plan.ts";
import {ok, type Result} from "../../record/words.ts";
import {kindOf, kindOfName} from "../../shell/stage-kind.ts";
import {findClosestWord} from "./closest-word.ts";
import {type Config, rejectConfig} from "./config.ts";
import {SETUP_TIMEOUT, TIMEOUTS} from "./default-timeouts.ts";
import type {Mistake} from "./mistakes.ts";
import type {StageOverride} from "./schema.ts";

/** Programs that come with the owner's own commands are the owner's business: nothing is asked for. */
const NO_TOOLS: Stage["tools"] = [];

/** What an owner's command reads is not known. It may build what the tests run, as the `prepare` script of `npm ci` does. */
const EVERY_FILE = ["**"];

/** Gives the stages and the setup to run, or every override that names no stage. */
export function applyConfig(options: {
  config: Config;
  stages: readonly Stage[];
  setup: readonly SetupStep[];
}): Result<{stages: Stage[]; setup: SetupStep[]}, Failure> {
  const {config} = options;
  const file = config.file ?? "verify.json";
  const mistakes = config.stages === null ? unknownNames(config, options.stages) : [];
  if (mistakes.length > 0) return rejectConfig(file, mistakes);
  return ok({
    stages: config.stages === null ? overridden(config, options.stages) : ownStages(config, file),
    setup: ownSetup(config, file) ?? [...options.setup],
  });
}

function unknownNames(config: Config, stages: readonly Stage[]): Mistake[] {
  const names = stages.map((stage) => stage.name);
  const meant = (name: string): string => {
    const near = findClosestWord(name, names);
    if (near !== null) return `did you mean \`${near}\`?`;
    return names.length > 0
      ? `detected stages: ${names.slice(0, 20).join(", ")}`
      : "no stage was detected here; use `stages`";
  };
  return Object.entries(config.overrides).flatMap(([name, change]) => [
    ...(names.includes(name)
      ? []
      : [{path: `overrides.${name}`, message: "names no detected stage", hint: meant(name)}]),
    ...(change === false ? [] : (change.needs ?? [])).flatMap((need, i) =>
      names.includes(need) && need !== name
        ? []
        : [{path: `overrides.${name}.needs[${i}]`, message: "names no other detected stage", hint: meant(need)}],
    ),
  ]);
}

function overridden(config: Config, stages: readonly Stage[]): Stage[] {
  return stages.flatMap((stage) => {
    const change = Object.hasOwn(config.overrides, stage.name) ? config.overrides[stage.name] : undefined;
    if (change === false) return [];
    if (change === undefined) return [stage];
    const kind = change.kind ?? stage.kind;
    const byKind = change.kind === undefined ? {} : {timeout: TIMEOUTS[kind], optional: kind === "lint"};
    const byCommand = change.command === undefined ? {} : {tools: NO_TOOLS};
    return [
      {
        ...stage,
        ...byKind,
        ...byCommand,
        ...given(change),
        kind,
        env: {...stage.env, ...change.env},
        origin: {...stage.origin, why: `${stage.origin.why}; changed by overrides in ${config.file}`},
      },
    ];
  });
}

function given(
  change: StageOverride,
): Partial<Pick<Stage, "command" | "cwd" | "timeout" | "optional" | "when" | "needs">> {
  return {
    ...(change.command === undefined ? {} : {command: change.command}),
    ...(change.cwd === undefined ? {} : {cwd: tidy(change.cwd)}),
    ...(change.timeout === undefined ? {} : {timeout: change.timeout}),
    ...(change.optional === undefined ? {} : {optional: change.optional}),
    ...(change.when === undefined ? {} : {when: change.when}),
    ...(change.needs === undefined ? {} : {needs: change.needs}),
  };
}

function ownStages(config: Config, file: string): Stage[] {
  return (config.stages ?? []).map((own, i) => {
    const kind = own.kind ?? kindOfName(own.name) ?? kindOf(own.command) ?? "check";
    const cwd = tidy(own.cwd ?? ".");
    return {
      name: own.name,
      kind,
      command: own.command,
      cwd,
      timeout: own.timeout ?? TIMEOUTS[kind],
      optional: own.optional ?? kind === "lint",
      env: own.env ?? {},
      when: own.when ?? [],
      needs: own.needs ?? [],
      // The owner writes `vitest run` as in a script of package.json.
      path: [...new Set([cwd === "." ? "node_modules/.bin" : `${cwd}/node_modules/.bin`, "node_modules/.bin"])],
      tools: NO_TOOLS,
      origin: {file, key: `stages[${i}]`, why: "the owner's own stage"},
    };
  });
}

function ownSetup(config: Config, file: string): SetupStep[] | null {
  if (config.setup === null) return null;
  return config.setup.map((own, i) => ({
    command: own.command,
    cwd: tidy(own.cwd ?? "."),
    timeout: own.timeout ?? SETUP_TIMEOUT,
    inputs: own.inputs ?? EVERY_FILE,
    provides: own.provides ?? [],
    tools: [],
    origin: {file, key: `setup[${i}]`, why: "the owner's own set-up"},
  }));
}

function tidy(folder: string): string {
  return folder.replace(/^(\.\/)+/, "").replace(/\/+$/, "") || ".";
}
