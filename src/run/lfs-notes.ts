/** Notes on Git LFS files whose content the checks do not see. */
import type {Note} from "../record/plan.ts";

const MAX_NAMES = 20;

/** The first of the names, and the number of the others. */
export function formatPaths(names: readonly string[]): string {
  const hiddenCount = names.length - MAX_NAMES;
  return names.slice(0, MAX_NAMES).join(", ") + (hiddenCount > 0 ? ` and ${hiddenCount} more` : "");
}

/** `next` is the command that fetches the content. */
export function missingLfsNotes(paths: readonly string[], next: string): Note[] {
  if (paths.length === 0) return [];
  const text = `The content of these files is not on this machine, and the checks see their pointers: ${formatPaths(paths)}. ${next}`;
  return [{about: "Git LFS", text}];
}
