/** Makes a commit that mixes two others: some entries of one, and everything else of the other. */
import {gitRefused} from "../git/git.ts";
import type {IndexEntry} from "../git/private-index.ts";
import type {Repository, Revision} from "../git/repository.ts";
import type {Failure} from "../record/failure.ts";
import {ok, type Result} from "../record/words.ts";
import {treeWith} from "./candidate.ts";

/** An entry to use. A `text` replaces the content of its object. */
export interface OverlayEntry extends Omit<IndexEntry, "id"> {
  readonly content: {readonly kind: "object"; readonly id: string} | {readonly kind: "text"; readonly text: string};
}

/**
 * The commit `onto` with these entries; mode `000000` removes one. The commit is on no ref: it serves a checkout only.
 */
export async function overlayCommit(options: {
  repository: Repository;
  onto: string;
  entries: readonly OverlayEntry[];
}): Promise<Result<Revision, Failure>> {
  const {repository, onto} = options;
  const entries: IndexEntry[] = [];
  for (const {mode, path, content} of options.entries) {
    if (content.kind === "object") entries.push({mode, path, id: content.id});
    else {
      const hashOutput = await repository.git(["hash-object", "-w", "--stdin"], {input: content.text});
      if (!hashOutput.ok) return gitRefused(hashOutput.failure);
      entries.push({mode, path, id: hashOutput.value.trim()});
    }
  }
  const tree = await treeWith({repository, commit: onto, entries});
  if (!tree.ok) return tree;
  const commit = await repository.git(["commit-tree", "-p", onto, tree.value], {input: "Overlay\n"});
  return commit.ok ? ok({commit: commit.value.trim(), tree: tree.value}) : gitRefused(commit.failure);
}
