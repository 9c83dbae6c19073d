/** Schedules stages: in parallel if they cannot affect each other, as many as cores and memory allow, longest first. */
import {isBelow} from "../../detect/files/project.ts";
import type {Stage} from "../../record/plan.ts";

/** Assumed for a stage without a measurement. Two stages that swap are slower than one after the other. */
const BYTES_PER_STAGE = 1024 ** 3;
/** With less free memory the youngest running stage is stopped, before the kernel kills a process of its choice. */
const MIN_FREE_BYTES = 256 * 1024 ** 2;
/** After this time a stage uses most of the memory that it will use. */
const GROWING_MS = 5_000;
const WATCH_MS = 500;
/** A stage that shared the machine for less than this fraction of its time would not do better alone. */
const SHARED_PART = 1 / 4;

export interface MachineCapacity {
  readonly cores: number;
  /** memory that can be allocated now without swapping */
  readonly availableBytes: () => number;
}

/** The time slot of one stage. */
export interface ScheduledStage {
  /** stops the stage because the machine is out of memory */
  readonly signal: AbortSignal;
  /** whether another stage ran during much of this slot, so that the stage may have lacked resources */
  readonly hadCompany: () => boolean;
}

interface RunningStage extends ScheduledStage {
  readonly beginMs: number;
  readonly stop: () => void;
  /** when another stage began to run next to it; null while it runs alone */
  companySince: number | null;
  companyMs: number;
}

interface ScheduleOptions {
  readonly stages: readonly Stage[];
  readonly machine: MachineCapacity;
  /** stages with a separate checkout */
  readonly isolated: ReadonlySet<Stage>;
  /** Returns `"again"` if the failure may be caused by resource contention; the stage then runs once more, alone. */
  readonly run: (stage: Stage, slot: ScheduledStage) => Promise<"done" | "again">;
}

/** Runs every stage and resolves when all have ended. Stages that may not run in parallel keep the given order. */
export async function runScheduled({stages, machine, isolated, run}: ScheduleOptions): Promise<void> {
  const waitingStages = [...stages];
  const runningStages = new Map<Stage, RunningStage>();
  const ends = new Map<Stage, Promise<void>>();
  const alone = new Set<Stage>();
  const begin = (stage: Stage) => {
    const slot = openSlot();
    runningStages.set(stage, slot);
    recordCompany([...runningStages.values()]);
    const settle = async () => {
      const answer = await run(stage, slot).finally(() => runningStages.delete(stage));
      recordCompany([...runningStages.values()]);
      if (answer === "done" || alone.has(stage)) return;
      alone.add(stage);
      waitingStages.unshift(stage);
    };
    ends.set(
      stage,
      settle().finally(() => ends.delete(stage)),
    );
  };
  const watch = setInterval(() => {
    if (runningStages.size > 1 && machine.availableBytes() < MIN_FREE_BYTES) [...runningStages.values()].at(-1)?.stop();
  }, WATCH_MS);
  try {
    while (waitingStages.length + ends.size > 0) {
      const readyStage = waitingStages.find((stage, at) => {
        const earlier = [...runningStages.keys(), ...waitingStages.slice(0, at)];
        return earlier.every(
          (other) => mayRunInParallel({stage, other, isolated, alone}) && !stage.needs.includes(other.name),
        );
      });
      if (readyStage === undefined || !hasRoom(machine, [...runningStages.values()])) {
        await Promise.race(ends.values());
        continue;
      }
      waitingStages.splice(waitingStages.indexOf(readyStage), 1);
      begin(readyStage);
    }
  } finally {
    clearInterval(watch);
  }
}

function openSlot(): RunningStage {
  const stop = new AbortController();
  const slot: RunningStage = {
    beginMs: performance.now(),
    signal: stop.signal,
    stop: () => stop.abort(),
    companySince: null,
    companyMs: 0,
    hadCompany: () => totalCompanyMs(slot) > SHARED_PART * (performance.now() - slot.beginMs),
  };
  return slot;
}

function recordCompany(running: readonly RunningStage[]): void {
  for (const slot of running) {
    slot.companyMs = totalCompanyMs(slot);
    slot.companySince = running.length > 1 ? performance.now() : null;
  }
}

const totalCompanyMs = ({companySince, companyMs}: RunningStage): number =>
  companyMs + (companySince === null ? 0 : performance.now() - companySince);

/** One stage always fits. Another one needs memory for itself and for the growth of the young stages. */
function hasRoom(machine: MachineCapacity, running: readonly RunningStage[]): boolean {
  if (running.length === 0) return true;
  const now = performance.now();
  const growingCount = running.filter(({beginMs}) => now - beginMs < GROWING_MS).length;
  return running.length < machine.cores && machine.availableBytes() >= BYTES_PER_STAGE * (growingCount + 1);
}

/**
 * In one checkout, stages of a project write the same outputs, and a rewritten file could not be attributed to one of
 * them (P3). Other projects read the outputs of a build, and two tests may use the same port: both would fail only
 * here.
 */
function mayRunInParallel({
  stage,
  other,
  isolated,
  alone,
}: {
  stage: Stage;
  other: Stage;
  isolated: ReadonlySet<Stage>;
  alone: ReadonlySet<Stage>;
}): boolean {
  // A stage and its narrowed run, which may replace it.
  if (stage.name === other.name) return false;
  if (alone.has(stage) || alone.has(other)) return false;
  if (isolated.has(stage) || isolated.has(other)) return true;
  const kinds = [stage.kind, other.kind];
  if (kinds.includes("build") || kinds.includes("check") || kinds.every((kind) => kind === "test")) return false;
  return !isBelow(stage.cwd, other.cwd) && !isBelow(other.cwd, stage.cwd);
}

/**
 * Sorts the stages by the time that depends on them: their own, and that of all stages that wait for them. The stages
 * in `first` stay before the others; stages that must keep their order keep it.
 */
export function longestFirst(options: {
  stages: readonly Stage[];
  first: ReadonlySet<Stage>;
  isolated: ReadonlySet<Stage>;
  /** how long a stage took before; null if unknown */
  durationMs: (stage: Stage) => number | null;
}): Stage[] {
  const {stages, first, isolated} = options;
  const weights = new Map<Stage, number>();
  const weightOf = (stage: Stage) => weights.get(stage) ?? 0;
  for (const [at, stage] of [...stages.entries()].reverse()) {
    const later = stages.slice(at + 1).filter((other) => {
      return other.needs.includes(stage.name) || !mayRunInParallel({stage, other, isolated, alone: new Set()});
    });
    // Without a measurement, the stage with the longest timeout counts as the longest.
    const durationMs = Math.max(1, options.durationMs(stage) ?? stage.timeout * 100);
    weights.set(stage, durationMs + Math.max(0, ...later.map(weightOf)));
  }
  return stages.toSorted(
    (one, other) => Number(first.has(other)) - Number(first.has(one)) || weightOf(other) - weightOf(one),
  );
}
