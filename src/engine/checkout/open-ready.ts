/** Opens another checkout of any commit, ready to run its tests; never the verified checkout. */
import type {Repository} from "../../git/repository.ts";
import {ok, type Result, refused} from "../../record/words.ts";
import type {StageEnvironment} from "../stage/stage.ts";
import type {Checkouts} from "./checkout.ts";

/** Never rejects; a refusal contains the reason. `signal` ends the runs there. */
export async function openReadyCheckout(options: {
  checkouts: Checkouts;
  repository: Repository;
  commit: string;
  signal: AbortSignal;
}): Promise<Result<StageEnvironment, string>> {
  const {checkouts, repository, commit, signal} = options;
  try {
    const changes = await repository.changes(checkouts.base, commit);
    const checkoutResult = changes.ok ? await checkouts.open({commit, changes: changes.value}) : changes;
    if (!checkoutResult.ok) return refused("its commit could not be checked out");
    const {isReady, environment} = checkoutResult.value;
    return isReady ? ok({...environment, signal}) : refused("its setup failed");
  } catch (error) {
    return refused(String(error));
  }
}
