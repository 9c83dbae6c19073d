/** Which checkout a stage runs in, and what it did to the tracked files there. */
import type {StageResult} from "../../record/evidence.ts";
import type {Stage} from "../../record/plan.ts";
import type {Result} from "../../record/words.ts";
import {runStage, type StageEnvironment} from "../stage/stage.ts";
import {asRewriting} from "./rewritten-files.ts";

/** Where stages run: a checkout that they share, and how to get one more like it; null where there can be no other. */
export interface StageCheckouts {
  readonly shared: StageEnvironment;
  readonly another: (() => Promise<Result<StageEnvironment, unknown>>) | null;
  /** stages that may have a checkout of their own */
  readonly apart: ReadonlySet<Stage>;
}

/** `look` is one for all narrowed runs: nothing that they leave behind may be there when a stage runs in full. */
export type StageCheckout = "shared" | "own" | "look";

/**
 * Gives the way to run a stage in one of these rooms: the result, failed where it rewrote tracked files; null where the
 * room could not be had. `findRewritten` puts back what it finds, but in the folders that it is told to spare.
 */
export function openStageCheckouts(o: {
  rooms: StageCheckouts;
  findRewritten: (folder: string, spare: readonly string[]) => Promise<string[]>;
}) {
  const {shared, another} = o.rooms;
  const inside = new Map<string, Set<Pick<Stage, "cwd">>>();
  const free: StageEnvironment[] = [];
  let look: ReturnType<NonNullable<typeof another>> | undefined;
  const open = async (room: StageCheckout): Promise<StageEnvironment | null> => {
    if (room === "shared") return shared;
    const before = room === "own" ? free.pop() : undefined;
    if (before !== undefined) return before;
    if (room === "look") look ??= another?.();
    const opened = await (room === "look" ? look : another?.());
    return opened?.ok ? opened.value : null;
  };
  return async (
    stage: Stage,
    at: {room: StageCheckout; signals: readonly AbortSignal[]},
  ): Promise<StageResult | null> => {
    const room = await open(at.room);
    if (room === null) return null;
    const here = inside.get(room.folder) ?? new Set();
    inside.set(room.folder, here.add(stage));
    const ran = await runStage(stage, {...room, signal: AbortSignal.any([room.signal, ...at.signals])});
    // What changes in the folder of a stage that still runs is looked at when that one ends, and put back by it.
    const spare = [...here].filter((other) => other !== stage).map(({cwd}) => cwd);
    const rewritten = await o.findRewritten(room.folder, spare);
    here.delete(stage);
    if (at.room === "own" && leavesNothing({stage, ran, rewritten})) free.push(room);
    return asRewriting(ran, rewritten);
  };
}

/**
 * True if the next stage finds the checkout as this one found it. Of the stages with a checkout of their own, builds write; the
 * others only look, unless somebody ended them halfway.
 */
function leavesNothing(o: {stage: Stage; ran: StageResult; rewritten: readonly string[]}): boolean {
  const {stage, ran, rewritten} = o;
  const hasEnded = ran.exit === null || ran.exit.kind === "exited";
  return stage.kind !== "build" && hasEnded && rewritten.length === 0;
}
