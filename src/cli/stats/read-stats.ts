/** Reads the past runs of a repository from GitHub: the bot's comments, its pull requests, and the default branch. */
import type {connect} from "../../github/client.ts";
import {readMarker} from "../../github/marker.ts";
import type {Refused} from "../../github/transport.ts";
import {isVerified, ok, type Result} from "../../record/words.ts";
import {isRoundId} from "../../request/triggers.ts";
import {type Fate, findFates, type PastChange} from "./fates.ts";
import type {PastRun} from "./summarize.ts";

/** 100 entries a page: 30,000 comments, and as many pull requests and commits. */
const MAX_PAGES = 300;
/** Repositories that are read at the same time. */
const AT_ONCE = 5;

export interface PastWork {
  readonly repository: string;
  readonly runs: readonly PastRun[];
  readonly changes: readonly (PastChange & Fate)[];
}

type Reader = Pick<ReturnType<typeof connect>, "readComments" | "pullRequestsSince" | "mainHistory">;

/** Anyone can write a marker, so only comments of `author` count. `since` is ISO 8601. */
export async function readPastWork(
  github: Reader,
  {repository, author, since}: {repository: string; author: string; since: string},
): Promise<Result<PastWork, Refused>> {
  // One list after the other: the texts of three pages at a time would need twice the memory.
  const comments = await github.readComments({
    ...{since, maxPages: MAX_PAGES},
    read({author: account, body}) {
      const marker = account?.login.toLowerCase() === author.toLowerCase() ? readMarker(body) : null;
      // Only finished runs have a verdict in it: refusals and progress do not.
      if (marker?.verdict === undefined) return null;
      const {run, verdict, facts, spent = {usd: 0, minutes: 0}} = marker;
      return {verdict, usd: spent.usd, minutes: spent.minutes, isRound: isRoundId(run), ...(facts && {facts})};
    },
  });
  if (!comments.ok) return comments;
  const pulls = await github.pullRequestsSince(since, MAX_PAGES);
  if (!pulls.ok) return pulls;
  const history = await github.mainHistory(since, MAX_PAGES);
  if (!history.ok) return history;
  const merges = pulls.value.flatMap(({body, mergedAt}) => (mergedAt === null ? [] : [{text: body, at: mergedAt}]));
  const commits = history.value.map(({message, at}) => ({text: message, at}));
  const fateOf = findFates({repository, texts: [...merges, ...commits], history: history.value});
  // The newest run comes first.
  const unverified = new Map(
    comments.value.toReversed().map(({facts, verdict}) => [facts?.pull, !isVerified({kind: verdict})]),
  );
  const changes = pulls.value
    .filter(({branch}) => branch.startsWith("assay/"))
    .map((pull) => ({...pull, isVerified: unverified.get(pull.number) !== true}))
    .map((change) => ({...change, ...fateOf(change)}));
  return ok({repository, runs: comments.value, changes});
}

/** Calls `read` for each name, some at the same time, and returns the results in the order of the names. */
export async function readEach<T>(names: readonly string[], read: (name: string) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let start = 0; start < names.length; start += AT_ONCE)
    results.push(...(await Promise.all(names.slice(start, start + AT_ONCE).map(read))));
  return results;
}
