/** `assay stats`: what the runs of a repository came to, read from GitHub and from the history of this clone. */
import {stripVTControlCharacters} from "node:util";
import type {Failure} from "../record/failure.ts";
import {ok, type Result, refused} from "../record/words.ts";
import {money} from "../report/format.ts";
import {printFailure} from "./error-text.ts";
import {folderGit} from "./folder-git.ts";
import {gitTop} from "./git-top.ts";
import type {WrongArgument} from "./local-setup.ts";
import {originPage} from "./origin-server.ts";
import {jsonText} from "./reporters/json-text.ts";
import {type PastRun, type Revert, type Stats, summarize} from "./stats/summarize.ts";

export interface StatsOptions {
  readonly days: number;
  readonly repository?: string;
  readonly author: string;
  readonly json?: boolean;
}

/** 100 entries a page: 10,000 comments, and as many pull requests. */
const MAX_PAGES = 100;

/** Exit 0; 2 if GitHub or git does not answer, 3 for wrong arguments. */
export async function statsCommand(options: StatsOptions): Promise<number> {
  const since = new Date(Date.now() - options.days * 24 * 3_600_000).toISOString();
  const reading = await readStats(options, since);
  if (!reading.ok)
    return reading.failure.kind === "github-refused" ? noAnswer(reading.failure) : printFailure(reading.failure);
  const {repository, stats} = reading.value;
  const document = {schema: "assay.stats/1", repository, since, ...stats};
  process.stdout.write(options.json === true ? `${jsonText(document)}\n` : toText(repository, options.days, stats));
  return 0;
}

/** The general words are for the token of a workflow. */
function noAnswer({status, message}: Extract<Failure, {kind: "github-refused"}>): 2 {
  const what = status === 0 ? "GitHub could not be reached" : `GitHub refused the token (status ${status})`;
  const next = status === 0 ? "Check the network" : "Check GITHUB_TOKEN: it needs to read issues and pull requests";
  process.stderr.write(`error: ${what}: ${stripVTControlCharacters(message)}\n${next}, then run the command again.\n`);
  return 2;
}

async function readStats(
  {repository: named, author}: StatsOptions,
  since: string,
): Promise<Result<{repository: string; stats: Stats}, Failure | WrongArgument>> {
  const folder = gitTop(process.cwd());
  if (folder === null) return wrongArgument("not a git repository. Change to a repository.");
  const page = named === undefined ? await originPage(folder) : `https://github.com/${named}`;
  if (page === null) return wrongArgument("the repository is not known. Name it: `--repository OWNER/NAME`.");
  const {GITHUB_TOKEN, GH_TOKEN, GITHUB_API_URL} = process.env;
  const token = GITHUB_TOKEN || GH_TOKEN;
  if (!token)
    return wrongArgument("there is no token. Set GITHUB_TOKEN, for example to the output of `gh auth token`.");
  const repository = new URL(page).pathname.slice(1);
  const {connect} = await import("../github/client.ts");
  const {readMarker} = await import("../github/marker.ts");
  const apiUrl = GITHUB_API_URL || "https://api.github.com";
  const github = connect({token, apiUrl, repository, log: () => {}});
  const [comments, pulls, reverts] = await Promise.all([
    github.recentComments(since, MAX_PAGES),
    github.pullRequestsSince(since, MAX_PAGES),
    readReverts(folder, since),
  ]);
  if (!comments.ok) return comments;
  if (!pulls.ok) return pulls;
  if (reverts === null) return wrongArgument("the history of `HEAD` could not be read.");
  const runs = comments.value.flatMap(({author: account, body}): PastRun[] => {
    // Anyone can write a marker. Only finished runs have a verdict in it: refusals and progress do not.
    const marker = account?.login.toLowerCase() === author.toLowerCase() ? readMarker(body) : null;
    if (marker?.verdict === undefined) return [];
    return [{verdict: marker.verdict, ...(marker.spent ?? {usd: 0, minutes: 0})}];
  });
  const changes = pulls.value.filter(({branch}) => branch.startsWith("assay/"));
  return ok({repository, stats: summarize({runs, changes, reverts, nowMs: Date.now()})});
}

/** Git's own sentence in the message of a revert. Null if the history cannot be read. */
async function readReverts(folder: string, since: string): Promise<Revert[] | null> {
  const git = await folderGit(folder);
  const format = "--format=%cI%x00%B%x1e";
  const log = await git?.raw(["log", `--since=${since}`, "--grep=This reverts commit", format]).catch(() => null);
  if (typeof log !== "string") return null;
  return log.split("\u001e").flatMap((entry) => {
    const [at = "", message = ""] = entry.trim().split("\0");
    return [...message.matchAll(/This reverts commit ([0-9a-f]{40})/g)].map(([, of = ""]) => ({of, at}));
  });
}

function toText(repository: string, days: number, stats: Stats): string {
  const {runs, verdicts, usd, minutes, pullRequests, reverted, usdPerMerged, held} = stats;
  const counts = Object.entries(verdicts).toSorted(([, one], [, other]) => other - one);
  const {merged, closed, open} = pullRequests;
  const lines = [
    `${repository}, the last ${days} days`,
    `  requests       ${runs}${runs === 0 ? "" : `: ${counts.map(([kind, count]) => `${count} ${kind}`).join(", ")}`}`,
    `  cost           ${money(usd)}, ${Math.round(minutes)} minutes`,
    `  pull requests  ${merged} merged, ${closed} closed, ${open} open`,
    `  reverted       ${reverted} of the merged ones, within 14 days, in the history of HEAD`,
    ...(usdPerMerged === null ? [] : [`  each merged    ${money(usdPerMerged)}`]),
    held === null
      ? "  verified holds not known: under 20 pull requests were merged at least 14 days ago"
      : `  verified holds ${held.count} of ${held.of} were not reverted within 14 days`,
  ];
  return `${lines.join("\n")}\n`;
}

function wrongArgument(sentence: string): Result<never, WrongArgument> {
  return refused({kind: "wrong-argument", sentence: `error: ${sentence}`});
}
