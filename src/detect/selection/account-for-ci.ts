/** Accounts for every command that CI runs on pull requests: a stage runs it, or it is listed with the reason. */
import type {CiCommandReport, SetupStep, Stage} from "../../record/plan.ts";
import {splitShell} from "../../shell/split.ts";
import type {CandidateStage, CiCall} from "../proposals/ecosystem.ts";
import {screen} from "../proposals/screen.ts";
import {readyMadeStage} from "./ready-made-stage.ts";
import {whyUnsafe} from "./select-stages.ts";

interface Planned {
  readonly stages: readonly Stage[];
  readonly setup: readonly SetupStep[];
  /** detected stages that are not in the plan */
  readonly leftOut: readonly {readonly stage: Stage; readonly why: string; readonly fix: string}[];
  /** the candidates that became stages, for what several commands of CI together run */
  readonly selected: readonly CandidateStage[];
}

/** One entry for each command that does something, in the order of CI. */
export function accountForCi(calls: readonly CiCall[], planned: Planned): CiCommandReport[] {
  const names = new Set(planned.stages.map(({name}) => name));
  const setup = new Set(planned.setup.flatMap(({command, cwd}) => commandsOf(command).map((one) => `${cwd}\0${one}`)));
  return calls.map((call): CiCommandReport => {
    const {text: command, cwd, file, key} = call;
    return {command, cwd, file, key, outcome: outcomeOf(call, {...planned, names, setUpCommands: setup})};
  });
}

const commandsOf = (line: string): string[] => (splitShell(line) ?? []).map(({words}) => words.join(" "));

/** True for a stage that was made from a candidate; verify.json may have changed its command. */
const isMadeFrom = (stage: Stage, {cwd, command, env = {}}: CandidateStage): boolean =>
  stage.cwd === cwd &&
  stage.command === command &&
  Object.entries(env).every(([name, value]) => stage.env[name] === value);

function outcomeOf(
  call: CiCall,
  context: Planned & {readonly names: Set<string>; readonly setUpCommands: ReadonlySet<string>},
): CiCommandReport["outcome"] {
  const {stages, leftOut, selected} = context;
  const [candidate] = call.candidates;
  const stage = stages.find((one) => candidate !== undefined && isMadeFrom(one, candidate));
  if (stage !== undefined) return {kind: "stage", stage: stage.name};
  const isInSetup = (line: string): boolean =>
    commandsOf(line).every((one) => context.setUpCommands.has(`${call.cwd}\0${one}`));
  if ([call.text, call.safeForm].some((line) => commandsOf(line).length > 0 && isInSetup(line)))
    return {kind: "covered", by: ["setup"]};
  const joined = selected.filter(
    ({cwd, runs = []}) => cwd === call.cwd && runs.length > 1 && runs.includes(call.safeForm),
  );
  const by = stages.filter((one) => joined.some((other) => isMadeFrom(one, other)));
  if (by.length > 0) return {kind: "covered", by: by.map(({name}) => name)};
  const off = leftOut.find((one) => candidate !== undefined && isMadeFrom(one.stage, candidate));
  if (off !== undefined) return {kind: "listed", role: "check", why: off.why, fix: off.fix};
  const why = call.why ?? (candidate === undefined ? null : whyUnsafe(candidate)) ?? TOO_MANY;
  // What a release would need in verify.json is not an advice that anyone should take, and the set-up is CI's.
  const isAdvised = call.role === "check" && screen(call.text).kind !== "release";
  return {kind: "listed", role: call.role, why, fix: isAdvised ? readyMadeStage(call, context.names) : ""};
}

const TOO_MANY = "only a part of CI's commands become stages: there are too many";
