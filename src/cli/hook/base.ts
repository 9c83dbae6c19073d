/** Finds the commit that the stop hook compares the work with, so that an agent's own commits are verified, too. */
import {rememberHead} from "./state.ts";

interface BaseOptions {
  /** runs git in the folder; null if it fails */
  readonly ask: (...args: string[]) => Promise<string | null>;
  /** the revision of `--base` */
  readonly base: string | undefined;
}

/**
 * The commit of `--base`, else the newer one of those where HEAD left its upstream branch and the default branch of
 * `origin`; the upstream's if neither contains the other. Null if git knows none of them.
 */
export async function findBase({ask, base}: BaseOptions): Promise<string | null> {
  if (base !== undefined) return ask("rev-parse", "--verify", "--quiet", `${base}^{commit}`);
  const [upstream, remoteHead] = await Promise.all([
    ask("merge-base", "HEAD", "@{upstream}"),
    ask("merge-base", "HEAD", "origin/HEAD"),
  ]);
  if (upstream === null || remoteHead === null || upstream === remoteHead) return upstream ?? remoteHead;
  // After a rebase that is not pushed yet, HEAD left its upstream branch before commits that others merged.
  const isRebased = (await ask("merge-base", "--is-ancestor", upstream, remoteHead)) !== null;
  return isRebased ? remoteHead : upstream;
}

/** Without a remote branch: where HEAD left the commit of the session's first stop, else HEAD itself. */
export async function sessionBase(options: {
  ask: BaseOptions["ask"];
  stateFile: string;
  /** empty if the agent does not name it */
  session: string;
  head: string;
}): Promise<string> {
  const {ask, head, session} = options;
  const firstHead = session === "" ? head : await rememberHead(options.stateFile, {session, head});
  return firstHead === head ? head : ((await ask("merge-base", firstHead, "HEAD")) ?? head);
}
