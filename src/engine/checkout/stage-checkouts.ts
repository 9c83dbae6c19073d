/** Runs each stage in its kind of checkout, and fails a stage that rewrote tracked files. */
import type {StageResult} from "../../record/evidence.ts";
import type {Stage} from "../../record/plan.ts";
import type {Result} from "../../record/words.ts";
import {runStage, type StageEnvironment} from "../stage/stage.ts";
import {failIfRewritten, type RewrittenFiles} from "./rewritten-files.ts";

export interface StageCheckouts {
  readonly shared: StageEnvironment;
  /** opens another checkout of the same commit; null if that is not possible */
  readonly openAnother: (() => Promise<Result<StageEnvironment, unknown>>) | null;
  /** stages that may run in a separate checkout */
  readonly isolated: ReadonlySet<Stage>;
}

/** All narrowed runs share the `affected` checkout: a full run must not see files that they left behind. */
export type CheckoutKind = "shared" | "separate" | "affected";

/** Restores tracked files as committed, except below the folders `except`, and returns the restored paths. */
export type RestoreRewritten = (folder: string, except: readonly string[]) => Promise<RewrittenFiles>;

/**
 * Returns the function that runs a stage in one of these checkouts. Its result is null if that checkout cannot be
 * opened.
 */
export function openStageCheckouts(
  {shared, openAnother}: Pick<StageCheckouts, "shared" | "openAnother">,
  {restoreRewritten, isLeaf}: {restoreRewritten: RestoreRewritten; isLeaf: (stage: Stage) => boolean},
) {
  const runningIn = new Map<string, Set<Pick<Stage, "cwd">>>();
  const reusable: StageEnvironment[] = [];
  let affectedCheckout: ReturnType<NonNullable<typeof openAnother>> | undefined;
  const open = async (kind: CheckoutKind): Promise<StageEnvironment | null> => {
    if (kind === "shared") return shared;
    const reusedCheckout = kind === "separate" ? reusable.pop() : undefined;
    if (reusedCheckout !== undefined) return reusedCheckout;
    if (kind === "affected") affectedCheckout ??= openAnother?.();
    const openedCheckout = await (kind === "affected" ? affectedCheckout : openAnother?.());
    return openedCheckout?.ok ? openedCheckout.value : null;
  };
  return async (stage: Stage, kind: CheckoutKind, signals: readonly AbortSignal[]): Promise<StageResult | null> => {
    const checkout = await open(kind);
    if (checkout === null) return null;
    const runningStages = runningIn.get(checkout.folder) ?? new Set();
    runningIn.set(checkout.folder, runningStages.add(stage));
    const result = await runStage(stage, {
      ...checkout,
      isLeaf: isLeaf(stage),
      signal: AbortSignal.any([checkout.signal, ...signals]),
    });
    // Changes in the folder of a stage that is still running are restored when that stage ends.
    const except = [...runningStages].filter((other) => other !== stage).map(({cwd}) => cwd);
    const rewrittenPaths = await restoreRewritten(checkout.folder, except);
    runningStages.delete(stage);
    const isClean = !("obstacle" in rewrittenPaths) && rewrittenPaths.length === 0;
    if (kind === "separate" && isClean && leavesNothing(stage, result)) reusable.push(checkout);
    return failIfRewritten(result, rewrittenPaths);
  };
}

/**
 * Of the stages with a separate checkout, only builds write files. The others only read files, unless they were killed.
 */
function leavesNothing(stage: Stage, {exit}: StageResult): boolean {
  return stage.kind !== "build" && (exit === null || exit.kind === "exited");
}
