/** When each stage may start: side by side where two cannot disturb each other, as many as cores and memory allow, long ones first. */
import {isBelow} from "../../detect/files/project.ts";
import type {Stage} from "../../record/plan.ts";

/** What a stage may take that nobody has measured; two that swap are slower than one after the other. */
const BYTES_A_STAGE = 1024 ** 3;
/** Below this the youngest of the running stages has to go, before the kernel chooses one. */
const LEAST_FREE_BYTES = 256 * 1024 ** 2;
/** A stage that runs for this long has taken most of the memory that it takes. */
const GROWING_MS = 5_000;
const WATCH_MS = 500;

export interface Machine {
  readonly cores: number;
  /** memory that can be taken without swapping, now */
  readonly availableBytes: () => number;
}

/** One stage's time on the machine. */
export interface ScheduledStage {
  /** ends the stage, because the machine has no memory for it beside the others */
  readonly signal: AbortSignal;
  /** whether another stage ran for a good part of this turn, so that it may have been short of the machine */
  readonly hadCompany: () => boolean;
}

interface Running extends ScheduledStage {
  readonly began: number;
  readonly end: () => void;
  /** since when there has been another; null while there is none */
  since: number | null;
  companyMs: number;
}

/** A stage that shared the machine for less than this part of its time is not helped by having it alone. */
const GOOD_PART = 1 / 4;

/**
 * Runs every stage and ends when all have ended. What may not run side by side keeps the given order; stages in `apart` have
 * a checkout of their own. `run` answers `again` for a stage whose end may be its neighbours' doing: it runs once more, alone.
 */
export async function runScheduled(o: {
  stages: readonly Stage[];
  machine: Machine;
  apart: ReadonlySet<Stage>;
  run: (stage: Stage, turn: ScheduledStage) => Promise<"done" | "again">;
}): Promise<void> {
  const {machine, apart} = o;
  const waiting = [...o.stages];
  const running = new Map<Stage, Running>();
  const ends = new Map<Stage, Promise<void>>();
  const alone = new Set<Stage>();
  const begin = (stage: Stage) => {
    const stop = new AbortController();
    const turn: Running = {
      began: performance.now(),
      signal: stop.signal,
      end: () => stop.abort(),
      since: null,
      companyMs: 0,
      hadCompany: () => companyOf(turn) > GOOD_PART * (performance.now() - turn.began),
    };
    running.set(stage, turn);
    noteCompany([...running.values()]);
    const settle = async () => {
      const answer = await o.run(stage, turn).finally(() => running.delete(stage));
      noteCompany([...running.values()]);
      if (answer === "done" || alone.has(stage)) return;
      alone.add(stage);
      waiting.unshift(stage);
    };
    ends.set(
      stage,
      settle().finally(() => ends.delete(stage)),
    );
  };
  const watch = setInterval(() => {
    if (running.size > 1 && machine.availableBytes() < LEAST_FREE_BYTES) [...running.values()].at(-1)?.end();
  }, WATCH_MS);
  try {
    while (waiting.length + ends.size > 0) {
      const ready = waiting.find((stage, at) => {
        const earlier = [...running.keys(), ...waiting.slice(0, at)];
        return earlier.every(
          (other) => mayRunBeside({stage, other, apart, alone}) && !stage.needs.includes(other.name),
        );
      });
      if (ready === undefined || !hasRoom(machine, [...running.values()])) {
        await Promise.race(ends.values());
        continue;
      }
      waiting.splice(waiting.indexOf(ready), 1);
      begin(ready);
    }
  } finally {
    clearInterval(watch);
  }
}

function noteCompany(running: readonly Running[]): void {
  for (const turn of running) {
    turn.companyMs = companyOf(turn);
    turn.since = running.length > 1 ? performance.now() : null;
  }
}

const companyOf = ({since, companyMs}: Running): number => companyMs + (since === null ? 0 : performance.now() - since);

/** One stage always fits; another beside it only where there is memory for it and for what the young ones will still take. */
function hasRoom(machine: Machine, running: readonly Running[]): boolean {
  if (running.length === 0) return true;
  const now = performance.now();
  const growing = running.filter(({began}) => now - began < GROWING_MS).length;
  return running.length < machine.cores && machine.availableBytes() >= BYTES_A_STAGE * (growing + 1);
}

/**
 * In one checkout, stages of a project write the same outputs, and what one of them rewrites could not be told from its
 * neighbour's doing (P3). A build is read by other projects, and two tests may want the same port: both would fail only here.
 */
function mayRunBeside(o: {stage: Stage; other: Stage; apart: ReadonlySet<Stage>; alone: ReadonlySet<Stage>}): boolean {
  const {stage, other, apart, alone} = o;
  // A stage, and the narrowed run that may spare it.
  if (stage.name === other.name) return false;
  if (alone.has(stage) || alone.has(other)) return false;
  if (apart.has(stage) || apart.has(other)) return true;
  const kinds = [stage.kind, other.kind];
  if (kinds.includes("build") || kinds.includes("check") || kinds.every((kind) => kind === "test")) return false;
  return !isBelow(stage.cwd, other.cwd) && !isBelow(other.cwd, stage.cwd);
}

/**
 * The same stages with those first that most time depends on: their own and that of all that has to wait for them. `first`
 * stay in front of the others; what must keep its order does.
 */
export function longestFirst(o: {
  stages: readonly Stage[];
  first: ReadonlySet<Stage>;
  apart: ReadonlySet<Stage>;
  /** milliseconds that a stage took before; null where nobody knows */
  tookMs: (stage: Stage) => number | null;
}): Stage[] {
  const {stages, apart} = o;
  const weight = new Map<Stage, number>();
  for (const [at, stage] of [...stages.entries()].reverse()) {
    const later = stages
      .slice(at + 1)
      .filter((other) => other.needs.includes(stage.name) || !mayRunBeside({stage, other, apart, alone: new Set()}));
    // Where nothing was measured, what waits longest before it is stopped is taken for the longest.
    const own = Math.max(1, o.tookMs(stage) ?? stage.timeout * 100);
    weight.set(stage, own + Math.max(0, ...later.map((other) => weight.get(other) ?? 0)));
  }
  return stages.toSorted(
    (one, other) =>
      Number(o.first.has(other)) - Number(o.first.has(one)) || (weight.get(other) ?? 0) - (weight.get(one) ?? 0),
  );
}
