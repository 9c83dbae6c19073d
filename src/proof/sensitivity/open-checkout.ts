/** Opens a checkout for runs that question a verified change. */
import type {Checkouts} from "../../engine/checkout/checkout.ts";
import {openReadyCheckout} from "../../engine/checkout/open-ready.ts";
import type {StageEnvironment} from "../../engine/stage/stage.ts";
import type {RunOptions} from "./plan-runs.ts";
import {withShortRuns} from "./short-runs.ts";

/** Between SIGTERM and SIGKILL: such a run leaves nothing that has to be saved. */
const GRACE_MS = 100;

/**
 * The verified checkout, because everything is built there. Its stages have ended, and only the commit is published, so
 * these runs can change no result.
 */
export async function openVerifiedCheckout(
  options: Pick<RunOptions, "candidate" | "repository"> & {checkouts: Checkouts; signal: AbortSignal},
): Promise<StageEnvironment | null> {
  const {checkouts, candidate, signal} = options;
  const verified = checkouts.firstOf(candidate.commit);
  const ready = verified === null ? await openReadyCheckout({...options, commit: candidate.commit}) : null;
  const environment = verified ?? (ready?.ok === true ? ready.value : null);
  if (environment === null) return null;
  // Python reuses compiled files by time and size, and a fault may change neither.
  const variables: StageEnvironment["variables"] = ({pathFirst, extra}) =>
    withShortRuns(environment.variables({pathFirst, extra: {...extra, PYTHONDONTWRITEBYTECODE: "1"}}));
  return {...environment, signal, variables, graceMs: GRACE_MS};
}
