/** Writes Assay's own links in a report. All other addresses in it are inert. */

import {codeSpan} from "../markdown/escape.ts";
import type {RunRecord} from "../record/record.ts";

/** An address in another form is left out instead of linked. */
export function link(text: string, url: string | null): string {
  if (url === null) return "";
  return /^https?:\/\/[\w.:-]+\/[\w./%?=&#~+-]*$/.test(url) && !/(?:^|\/)\.\.(?:\/|$)/.test(url)
    ? `[${text}](${url})`
    : text;
}

const OUTCOMES = "https://github.com/assay-run/assay/blob/main/docs/outcomes";

/** A link to the page that explains one outcome, such as `docs/outcomes/failure-push-lost.md`. */
export function explanationLink(group: "Failure" | "Failing stage" | "Unverified", kind: string): string {
  return link("What this means", `${OUTCOMES}/${group.toLowerCase().replace(" ", "-")}-${kind}.md`);
}

/** The repository's page on its server; null if the run has none, as on the command line. */
export function repositoryPage(runUrl: string | null): string | null {
  return runUrl === null ? null : runUrl.replace(/\/actions\/runs\/.*$/, "");
}

/** A branch as code, with a link to its page if the run has one. */
export function branchLink(branch: string, options: {shown: string; runUrl: string | null}): string {
  const page = repositoryPage(options.runUrl);
  const isPlain = /^(?!refs\/)[\w./-]{1,200}$/.test(branch);
  return (
    link(codeSpan(options.shown), page !== null && isPlain ? `${page}/tree/${branch}` : null) || codeSpan(options.shown)
  );
}

/** The page of one line of the reported commit; null if that commit is not on a server. */
export function linePage({run, publication, request, attempts}: RunRecord, path: string, line: number): string | null {
  const page = repositoryPage(run.url);
  const pushed = publication.kind === "parked" || publication.kind === "published" ? publication.commit : null;
  // These verify a commit that is on the server already.
  const isOfHead = request?.kind === "verify" || request?.kind === "review";
  const commit = pushed ?? (isOfHead ? attempts.at(-1)?.candidate?.commit : null);
  return page === null || !commit ? null : `${page}/blob/${commit}/${path}#L${line}`;
}
