/** The first line of a report: the result, the time, the cost, and links to the log, the changes and the branch. */

import {clip, codeSpan} from "../markdown/escape.ts";
import {branchOf} from "../publish/target.ts";
import type {RunRecord} from "../record/record.ts";
import {cost, duration, withCount} from "./format.ts";
import {headlineOf} from "./headline.ts";
import {branchLink, link, repositoryPage} from "./link.ts";
import {runUsage, totalTimeMs} from "./run-details.ts";

/** Names longer than this would push the other links out of sight. */
const MAX_BRANCH_CHARS = 60;

/** `**❌ Tests failed** · 3 attempts · 25 s · $0.02 · [log](…) · [changes](…) · [branch](…)`. */
export function firstLine(record: RunRecord): string {
  const {icon, headline} = headlineOf(record);
  const {attempts} = record;
  const workedMs = totalTimeMs(attempts);
  const usage = runUsage(record);
  return [
    `**${icon} ${headline}**`,
    attempts.length > 1 ? withCount(attempts.length, "attempt") : "",
    workedMs === 0 ? "" : duration(workedMs),
    usage === null ? "" : cost(usage),
    ...resultLinks(record),
    link("log", record.run.url),
  ]
    .filter((part) => part !== "")
    .join(" · ");
}

function resultLinks({publication, run}: RunRecord): string[] {
  const page = repositoryPage(run.url);
  if (page === null || (publication.kind !== "published" && publication.kind !== "parked")) return [];
  if (publication.kind === "published" && publication.pullRequest !== null) {
    const {number, url} = publication.pullRequest;
    return [link(`pull request ${number}`, url), link("changes", `${page}/pull/${number}/files`)];
  }
  const {commit, ref} = publication;
  const branch = branchOf(ref);
  const isOnBranch = branch !== ref;
  const shortName = clip(branch, MAX_BRANCH_CHARS);
  return [
    // One commit is the whole change. GitHub cannot compare it with a base that has left the server.
    link("changes", `${page}/commit/${commit}`),
    isOnBranch ? branchLink(branch, {shown: shortName, runUrl: run.url}) : codeSpan(shortName),
  ];
}
