/** What became of a merged pull request: only what a later commit or pull request says of it by its name. */
import {groupBy} from "../../diagnostics/group-by.ts";
import type {MainCommit} from "../../github/outcomes.ts";

/** A pull request of Assay's. */
export interface PastChange {
  readonly number: number;
  /** ISO 8601; null if that did not happen */
  readonly mergedAt: string | null;
  readonly closedAt: string | null;
  /** its head, and its commit on the default branch */
  readonly commits: readonly string[];
  /** false if its newest run says that it was not verified */
  readonly isVerified: boolean;
}

/** The first 14 days after the merge. */
export interface Fate {
  readonly isReverted: boolean;
  readonly isHotFixed: boolean;
  /** the checks of its commit on the default branch failed; null if they are unknown */
  readonly isRed: boolean | null;
}

export const WATCHED_MS = 14 * 24 * 3_600_000;

/** A text that names earlier work, and when it reached the default branch. */
export interface LaterText {
  readonly text: string;
  /** ISO 8601 */
  readonly at: string;
}

/** The sentences are those of `git revert`, of GitHub's button, of the kernel's trailer and of GitHub's closing keywords. */
const NAMES = [
  {word: "isReverted", form: /This reverts commit ([0-9a-f]{40,64})/g},
  {word: "isReverted", form: /^Reverts ([\w.-]+\/[\w.-]+)?#(\d+)/gm},
  {word: "isHotFixed", form: /^Fixes: ([0-9a-f]{7,64})\b/gm},
  {word: "isHotFixed", form: /\bfix(?:es|ed)?:? ([\w.-]+\/[\w.-]+)?#(\d+)/gi},
] as const;

/** Returns the fate of each change of a repository. */
export function findFates(options: {
  repository: string;
  texts: readonly LaterText[];
  history: readonly MainCommit[];
}): (change: PastChange) => Fate {
  const {repository, texts, history} = options;
  const named = texts.flatMap(({text, at}) =>
    NAMES.flatMap(({word, form}) =>
      [...text.matchAll(form)].flatMap(([, name = repository, number]) => {
        const isHere = number === undefined || name.toLowerCase() === repository.toLowerCase();
        return isHere ? [{word, atMs: Date.parse(at), id: number === undefined ? name : `#${number}`}] : [];
      }),
    ),
  );
  const byStart = groupBy(named, ({id}) => startOf(id));
  const redness = new Map(history.map(({commit, isRed}) => [commit, isRed]));
  return ({number, mergedAt, commits}) => {
    const mergedMs = Date.parse(mergedAt ?? "");
    const isNamed = (kind: (typeof NAMES)[number]["word"]) =>
      [`#${number}`, ...commits].some((name) =>
        byStart.get(startOf(name))?.some(({word, atMs, id}) => {
          const isMeant = id.startsWith("#") ? id === name : name.startsWith(id);
          return word === kind && isMeant && atMs > mergedMs && atMs - mergedMs <= WATCHED_MS;
        }),
      );
    const isRed = commits.map((commit) => redness.get(commit) ?? null).find((one) => one !== null) ?? null;
    return {isReverted: isNamed("isReverted"), isHotFixed: isNamed("isHotFixed"), isRed};
  };
}

/** The characters of a commit that everyone writes. */
const startOf = (name: string): string => name.slice(0, 7);
