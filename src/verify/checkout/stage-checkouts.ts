/** Runs each stage in its kind of checkout, and fails a stage that rewrote tracked files. */
import type {StageResult} from "../../record/evidence.ts";
import type {Stage} from "../../record/plan.ts";
import type {Result} from "../../record/words.ts";
import {runStage, type StageEnvironment} from "../stage/stage.ts";
import {failIfRewritten} from "./rewritten-files.ts";

export interface StageCheckouts {
  readonly shared: StageEnvironment;
  /** opens another checkout like it; null if there can be no other */
  readonly openAnother: (() => Promise<Result<StageEnvironment, unknown>>) | null;
  /** stages that may run in a separate checkout */
  readonly isolated: ReadonlySet<Stage>;
}

/** All narrowed runs share the `affected` checkout: a full run must not see files that they left behind. */
export type CheckoutKind = "shared" | "separate" | "affected";

/** Puts tracked files back as committed, except below the folders `except`, and names those that it restored. */
export type RestoreRewritten = (folder: string, except: readonly string[]) => Promise<string[]>;

/** Returns the function that runs a stage in one of these checkouts. It gives null if that checkout cannot be opened. */
export function openStageCheckouts(
  {shared, openAnother}: Pick<StageCheckouts, "shared" | "openAnother">,
  {restoreRewritten, isLeaf}: {restoreRewritten: RestoreRewritten; isLeaf: (stage: Stage) => boolean},
) {
  const runningIn = new Map<string, Set<Pick<Stage, "cwd">>>();
  const reusable: StageEnvironment[] = [];
  let affected: ReturnType<NonNullable<typeof openAnother>> | undefined;
  const open = async (kind: CheckoutKind): Promise<StageEnvironment | null> => {
    if (kind === "shared") return shared;
    const reused = kind === "separate" ? reusable.pop() : undefined;
    if (reused !== undefined) return reused;
    if (kind === "affected") affected ??= openAnother?.();
    const opened = await (kind === "affected" ? affected : openAnother?.());
    return opened?.ok ? opened.value : null;
  };
  return async (stage: Stage, kind: CheckoutKind, signals: readonly AbortSignal[]): Promise<StageResult | null> => {
    const checkout = await open(kind);
    if (checkout === null) return null;
    const running = runningIn.get(checkout.folder) ?? new Set();
    runningIn.set(checkout.folder, running.add(stage));
    const result = await runStage(stage, {
      ...checkout,
      isLeaf: isLeaf(stage),
      signal: AbortSignal.any([checkout.signal, ...signals]),
    });
    // Changes in the folder of a stage that is still running are restored when that stage ends.
    const except = [...running].filter((other) => other !== stage).map(({cwd}) => cwd);
    const rewritten = await restoreRewritten(checkout.folder, except);
    running.delete(stage);
    if (kind === "separate" && rewritten.length === 0 && leavesNothing(stage, result)) reusable.push(checkout);
    return failIfRewritten(result, rewritten);
  };
}

/** Of the stages with a separate checkout only builds write files; the others only read, unless they were killed halfway. */
function leavesNothing(stage: Stage, {exit}: StageResult): boolean {
  return stage.kind !== "build" && (exit === null || exit.kind === "exited");
}
