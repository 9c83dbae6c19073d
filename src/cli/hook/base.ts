/** Finds the commit that the stop hook compares the work with, so that an agent's own commits are verified, too. */
import {rememberHead} from "./state.ts";

/** Runs git in the folder; null if it fails. */
export type AskGit = (...args: string[]) => Promise<string | null>;

/** The commit of the revision of `--base`; null if git does not know it. */
export const commitOf = (ask: AskGit, revision: string): Promise<string | null> =>
  ask("rev-parse", "--verify", "--quiet", `${revision}^{commit}`);

/** Where HEAD left the default branch of `origin`; null without such a branch. */
export const remoteHeadBase = (ask: AskGit): Promise<string | null> => ask("merge-base", "HEAD", "origin/HEAD");

/**
 * The newer one of the commits where HEAD left its upstream branch and the default branch of `origin`; the upstream's if
 * neither contains the other. Null if git knows none of them.
 */
export async function newerBase(
  ask: AskGit,
  {upstream, remoteHead}: {upstream: string | null; remoteHead: string | null},
): Promise<string | null> {
  if (upstream === null || remoteHead === null || upstream === remoteHead) return upstream ?? remoteHead;
  // After a rebase that is not pushed yet, HEAD left its upstream branch before commits that others merged.
  const isRebased = (await ask("merge-base", "--is-ancestor", upstream, remoteHead)) !== null;
  return isRebased ? remoteHead : upstream;
}

/** Without a remote branch: where HEAD left the commit of the session's first stop, else HEAD itself. */
export async function sessionBase(options: {
  ask: AskGit;
  stateFile: string;
  /** empty if the agent does not name it */
  session: string;
  head: string;
}): Promise<string> {
  const {ask, head, session} = options;
  const firstHead = session === "" ? head : await rememberHead(options.stateFile, {session, head});
  return firstHead === head ? head : ((await ask("merge-base", firstHead, "HEAD")) ?? head);
}
