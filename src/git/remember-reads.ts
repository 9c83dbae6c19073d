/** Remembers what git lists of commits and trees by id: it never changes, and several steps of a run ask for it. */
import type {Git} from "./git.ts";

/** Listings of large repositories would take too much memory. */
const MAX_CHARS = 64 * 1024 * 1024;
/** These read nothing but objects. */
const readsObjects = (command: string) => command === "ls-tree" || command === "diff-tree";
const ID = /^[0-9a-f]{40}$/;

/**
 * The same git of the repository in `folder`; equal calls at the same time share one process. A failed call is not
 * remembered, nor a call with options other than the default.
 */
export function rememberReads(git: Git, folder: string): Git {
  const answers = new Map<string, ReturnType<Git>>();
  let chars = 0;
  return (args, call) => {
    const {gitDir = folder, ...others} = call ?? {};
    const isDefault = gitDir === folder && Object.keys(others).length === 0;
    if (!isDefault || !readsOnlyObjects(args)) return git(args, call);
    const key = args.join("\0");
    const remembered = answers.get(key);
    if (remembered !== undefined) return remembered;
    const answer = git(args).then((result) => {
      const size = result.ok ? result.value.length : Number.POSITIVE_INFINITY;
      if (chars + size > MAX_CHARS) answers.delete(key);
      else chars += size;
      return result;
    });
    answers.set(key, answer);
    return answer;
  };
}

/** A branch or `HEAD` may name another commit later. */
function readsOnlyObjects([command = "", ...args]: readonly string[]): boolean {
  if (!readsObjects(command)) return false;
  const separator = args.indexOf("--");
  const revisions = args.slice(0, separator === -1 ? undefined : separator).filter((word) => !word.startsWith("-"));
  return revisions.length > 0 && revisions.every((word) => ID.test(word));
}
