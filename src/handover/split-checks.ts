/** Divides a slow test check between several machines, by the files that an earlier run saw and their times. */
import {z} from "zod";
import {runnerIn} from "../diagnostics/reports/request-report.ts";
import type {Attempt} from "../record/attempt.ts";
import type {StageResult} from "../record/evidence.ts";
import {parseJson} from "../record/parse-json.ts";
import type {Plan, Stage} from "../record/plan.ts";
import {ok, type Result, refused} from "../record/words.ts";
import {quoteWords} from "../shell/quote.ts";
import type {PackageScripts} from "../shell/started-script.ts";
import {TOOLS} from "../tools/all.ts";
import {isCommandIn, isOptionIn} from "../tools/names.ts";

/** A quicker check is not divided: each part starts the runner again. */
const SLOW_MS = 60_000;
/** More paths do not fit into a command line. */
const MAX_FILES = 400;
/** In a command, other characters could be a pattern or an option of the runner. Each file has one such name. */
const PLAIN_PATH = /^(?!(?:.*\/)?\.{0,2}(?:\/|$))[\w@+][\w./@+-]*$/;

/** By the name of a check: its command, and the milliseconds of each test file. */
const timesSchema = z.record(
  z.string(),
  z.object({command: z.string(), files: z.record(z.string(), z.number().nonnegative())}),
);
export type FileTimes = z.infer<typeof timesSchema>;

/** Times only divide the work: no file is left out because of them. */
export const readFileTimes = (text: string): FileTimes => timesSchema.safeParse(parseJson(text)).data ?? {};

/** The times in the last verification of a run; of a divided check, those of all parts. */
export function fileTimesOf(attempts: readonly Attempt[]): FileTimes {
  const stages = attempts.at(-1)?.verification?.stages ?? [];
  const timed = stages.flatMap(({name, command, outcome, reported}) =>
    outcome === "passed" && reported?.fileMs ? [[name, {command, files: reported.fileMs}] as const] : [],
  );
  return Object.fromEntries(timed);
}

/** The parts of a divided check, by their names in the divided plan. */
export interface DividedPlan {
  readonly plan: Plan;
  readonly partOf: ReadonlyMap<string, Stage>;
}

/**
 * Replaces each slow test check by one part for each machine. A part is the whole command without the known files of the
 * other parts, so a file that nobody knows runs in all of them. A check that others need, or that needs others, stays
 * whole, and one whose runner cannot leave out files.
 */
export function divideChecks(options: {
  plan: Plan;
  machines: number;
  times: FileTimes;
  scriptsOf: (stage: Stage) => PackageScripts;
}): DividedPlan {
  const {plan, machines, times, scriptsOf} = options;
  const partOf = new Map<string, Stage>();
  const stages = plan.stages.flatMap((stage) => {
    const isAlone = stage.needs.length === 0 && plan.stages.every(({needs}) => !needs.includes(stage.name));
    const timed = times[stage.name];
    const files = timed?.command === stage.command ? Object.entries(timed.files) : [];
    // Runners also leave out the files below a path. A report of a change may name a folder, and no part would run these.
    const folders = new Set(files.flatMap(([file]) => foldersAbove(file)));
    const known = files.filter(([file]) => PLAIN_PATH.test(file) && !folders.has(file));
    const isSlow = files.reduce((sum, [, ms]) => sum + ms, 0) >= SLOW_MS;
    const canBeDivided = isAlone && isSlow && machines > 1 && known.length >= machines && known.length <= MAX_FILES;
    const ending = canBeDivided ? endingFor(stage, scriptsOf(stage)) : null;
    if (ending === null) return [stage];
    const shares = shareFiles(known, machines);
    return shares.map((own, at): Stage => {
      const others = known.flatMap(([file]) => (own.has(file) ? [] : file));
      const name = `${stage.name} (${at + 1}/${machines})`;
      partOf.set(name, stage);
      return {...stage, name, command: ending(others)};
    });
  });
  return {plan: {...plan, stages}, partOf};
}

const foldersAbove = (file: string): string[] =>
  file.split("/").flatMap((_, at, names) => (at === 0 ? [] : names.slice(0, at).join("/")));

/** The longest file first, each to the part that has the least so far. */
function shareFiles(files: readonly (readonly [string, number])[], machines: number): Set<string>[] {
  const shares = Array.from({length: machines}, () => ({files: new Set<string>(), ms: 0}));
  const ordered = files.toSorted(([a, ms], [b, other]) => other - ms || (a < b ? -1 : 1));
  for (const [file, ms] of ordered) {
    const least = shares.reduce((one, other) => (other.ms < one.ms ? other : one));
    least.files.add(file);
    // A file without a measured time takes time, too.
    least.ms += Math.max(1, ms);
  }
  return shares.map((share) => share.files);
}

/** The command without some files; null if its last command is no runner that can leave them out. */
function endingFor({command}: Stage, scripts: PackageScripts): ((without: readonly string[]) => string) | null {
  const runner = runnerIn({command, scripts});
  const rule = TOOLS.find(({leaveOut}) => isCommandIn(leaveOut?.commands, runner?.called ?? ""))?.leaveOut;
  if (runner === null || rule === undefined || runner.words.includes("--")) return null;
  if (runner.words.some((word) => isOptionIn(rule.never, word))) return null;
  const start = `${command.trimEnd()}${runner.script?.separator ?? ""}`;
  return (without) => [start, ...without.map((file) => quoteWords(`${rule.option}=${file}`))].join(" ");
}

const WORST_FIRST = ["failed", "timed-out", "unavailable", "flaky", "skipped", "passed"] as const;

/**
 * The results of the plan's checks, with one result for each divided one. Refuses parts with another command than the
 * plan's, and a test with different outcomes in two parts.
 */
export function mergeParts(
  results: readonly StageResult[],
  {plan, partOf}: DividedPlan,
): Result<StageResult[], string> {
  const merged = new Map<string, StageResult[]>();
  for (const result of results) {
    const whole = partOf.get(result.name);
    if (whole !== undefined && plan.stages.find(({name}) => name === result.name)?.command !== result.command)
      return refused(`its machines divided \`${whole.name}\` in different ways`);
    const name = whole?.name ?? result.name;
    merged.set(name, [...(merged.get(name) ?? []), result]);
  }
  const wholes = new Map([...partOf.values()].map((stage) => [stage.name, stage]));
  const stages: StageResult[] = [];
  for (const [name, parts] of merged) {
    const whole = wholes.get(name);
    if (whole !== undefined && contradict(parts))
      return refused(`the parts of \`${name}\` report one test differently`);
    stages.push(...(whole === undefined ? parts : mergeResults(parts, whole)));
  }
  return ok(stages);
}

function contradict(parts: readonly StageResult[]): boolean {
  const outcomes = new Map<string, string>();
  return parts.some(({reported}) =>
    [...(reported?.failed.map((test) => ({...test, outcome: "failed"})) ?? []), ...(reported?.others ?? [])].some(
      ({file, title, outcome}) => {
        const id = JSON.stringify([file, title]);
        const earlier = outcomes.get(id) ?? outcome;
        outcomes.set(id, outcome);
        return earlier !== outcome;
      },
    ),
  );
}

/** The worst part explains the result. */
function mergeResults(parts: readonly StageResult[], {name, command}: Stage): StageResult[] {
  const [worst] = parts.toSorted((one, other) => WORST_FIRST.indexOf(one.outcome) - WORST_FIRST.indexOf(other.outcome));
  if (worst === undefined) return [];
  const sum = (part: "passed" | "failed" | "skipped") =>
    parts.reduce((total, {tests}) => total + (tests?.[part] ?? 0), 0);
  const counts = {passed: sum("passed"), failed: sum("failed"), skipped: sum("skipped")};
  const reports = parts.flatMap(({reported}) => reported ?? []);
  const {reported, ...rest} = worst;
  return [
    {
      ...rest,
      ...{name, command, durationMs: Math.max(...parts.map(({durationMs}) => durationMs))},
      tests: parts.every(({tests}) => tests !== null) ? counts : null,
      diagnostics: parts.flatMap(({diagnostics}) => diagnostics),
      ...(reported !== undefined && {
        reported: {
          ...{tool: reported.tool, counts, failed: reports.flatMap(({failed}) => failed)},
          ...(reports.length === parts.length &&
            reports.every(({others}) => others) && {others: reports.flatMap(({others = []}) => others)}),
          ...(reports.some(({retried}) => retried) && {retried: reports.flatMap(({retried = []}) => retried)}),
          ...(reports.some(({endedEarly}) => endedEarly) && {
            endedEarly: reports.flatMap(({endedEarly = []}) => endedEarly),
          }),
          fileMs: Object.assign({}, ...reports.map(({fileMs}) => fileMs)),
        },
      }),
    },
  ];
}
