/** Where the changes of a run are, and which files of them a person should review or apply. */

import {clip, codeSpan, fence, inline} from "../markdown/escape.ts";
import {judgePaths} from "../publish/protected-paths.ts";
import {branchOf} from "../publish/target.ts";
import {isHeld, type Publication, type RunRecord} from "../record/record.ts";
import {approvableTree, stepPlace} from "./choose-next-step.ts";
import {claimAt} from "./claims.ts";
import {approveOrContinue} from "./finding-words.ts";
import {capLength, type DetailLimits} from "./fit-size.ts";
import {short} from "./format.ts";
import {retryStep} from "./headline.ts";
import {branchLink, link, repositoryPage} from "./link.ts";
import {
  BUILD_OUTPUTS,
  CHECK_OUT_BRANCH,
  FLAGGED,
  HIDDEN,
  PUBLICATIONS,
  SET_ASIDE,
  WORKFLOWS,
} from "./publication-words.ts";
import {details} from "./stages.ts";

export function publicationPart(record: RunRecord, limits: DetailLimits): string {
  const {publication, run} = record;
  const label = claimAt("publication", record);
  const nextStep = nextStepOf(record);
  if (record.isInClone && (publication.kind === "published" || publication.kind === "parked"))
    return inClone(publication, label);
  switch (publication.kind) {
    case "none":
      return "";
    case "published": {
      const {pullRequest, workflows} = publication;
      const branch = codeSpan(clip(branchOf(publication.ref), limits.line));
      const signed = publication.signed ? ", signed by GitHub" : "";
      const pull = pullRequest === null ? "" : `, pull request ${link(`#${pullRequest.number}`, pullRequest.url)}`;
      const otherWorkflows = workflows === undefined ? "" : ` ${WORKFLOWS[workflows]}`;
      return `${label} ${branch} as \`${short(publication.commit)}\`${signed}${pull}.${otherWorkflows}`;
    }
    case "parked": {
      const branch = branchOf(publication.ref);
      const branchText = branchLink(branch, {shown: clip(branch, limits.line), runUrl: run.url});
      const outcome = isHeld(record) ? "" : `${claimAt("notPublished", record)} `;
      return [
        `${outcome}${label} ${branchText} for 30 days. ${nextStep}`,
        branch === publication.ref ? HIDDEN : "",
        takeBranch(branch),
      ]
        .filter(Boolean)
        .join("\n\n");
    }
    case "withheld": {
      const branch = codeSpan(clip(branchOf(publication.ref), limits.line));
      const verb = publication.instead === "published" ? "publish" : "save";
      return `${label} Without it, Assay would ${verb} the changes on ${branch}. ${nextStep}`.trimEnd();
    }
    case "parked-locally": {
      const ref = codeSpan(clip(publication.ref, limits.line));
      return `${label} ${ref} (commit \`${short(publication.commit)}\`). ${nextStep} ${codeSpan(clip(publication.folder, limits.line))}`;
    }
  }
}

/** A person has the clone at hand, and decides about the branch with git. Saved work is not offered for a merge. */
function inClone(publication: Extract<Publication, {kind: "published" | "parked"}>, label: string): string {
  const branch = branchOf(publication.ref);
  const isOffered = publication.kind === "published" && !publication.withWarning;
  const [purpose, merge] = isOffered
    ? ["To read it, and to take it over", `\ngit merge ${branch}`]
    : ["To read it", ""];
  const commands = `git log -p HEAD..${branch}${merge}`;
  return [`${label} ${codeSpan(branch)}. ${purpose}:`, fence(commands, "sh")].join("\n\n");
}

/** The next step; only the way to look at the changes if the report names another next step. */
function nextStepOf(record: RunRecord): string {
  const {publication, verdict} = record;
  const place = stepPlace(record);
  if (publication.kind === "withheld") return place === "publication" ? PUBLICATIONS.withheld : "";
  if (publication.kind !== "parked") return PUBLICATIONS[publication.kind];
  if (place !== "saved") return CHECK_OUT_BRANCH;
  if (record.request?.kind === "update") return `**Next:** ${retryStep(record)} to try again, or check out the branch.`;
  const tree = approvableTree(record);
  return tree === null ? PUBLICATIONS.parked : approveOrContinue(tree, verdict.kind);
}

/** The commit that `/undo` reverts, with its page. */
export function undoPart(record: RunRecord, limits: DetailLimits): string {
  const {undoes, run} = record;
  const claim = claimAt("undo", record);
  if (undoes === undefined || claim === "") return "";
  const page = repositoryPage(run.url);
  const commit = codeSpan(short(undoes.commit));
  const commitLink = link(commit, page && `${page}/commit/${undoes.commit}`) || commit;
  return `${claim} ${commitLink}: ${inline(clip(undoes.subject, limits.line))}.`;
}

/** Why an update started by itself, and the commit of the base branch that it merges. */
export function updatePart(record: RunRecord, limits: DetailLimits): string {
  const {rules} = record;
  const [reason, claim] = [claimAt("pushed", record), claimAt("update", record)];
  if (rules === null || claim === "") return reason;
  return `${reason} ${claim} ${codeSpan(clip(branchOf(rules.ref), limits.line))} (\`${short(rules.commit)}\`) into the branch.`.trimStart();
}

/**
 * Git allows `$(…)` in a branch's name. A name that a shell could interpret gets no command to paste. One line of the
 * command would be too wide for a phone.
 */
function takeBranch(branch: string): string {
  return /^\w[\w./-]{0,200}$/.test(branch)
    ? fence(`git fetch origin ${branch} &&\n  git switch --detach FETCH_HEAD`, "sh")
    : "";
}

/** Names manifests, lock files and the like before a person merges them. */
export function flaggedPart({publication, attempts}: RunRecord, limits: DetailLimits): string {
  if (publication.kind !== "published") return "";
  const {flagged} = judgePaths(attempts.at(-1)?.changes ?? [], []);
  return flagged.length === 0 ? "" : `${FLAGGED} ${pathList(flagged, limits.list, limits)}.`;
}

/** Names what a build may have left before a person merges it. */
export function buildOutputsPart({buildOutputs = []}: RunRecord, limits: DetailLimits): string {
  return buildOutputs.length === 0 ? "" : `${BUILD_OUTPUTS} ${pathList(buildOutputs, limits.list, limits)}.`;
}

/** A cut patch is useless, so it is shown completely or not at all. Its size was limited when it was made. */
export function setAsidePart({setAside}: RunRecord, limits: DetailLimits): string {
  if (!setAside) return "";
  const patch = limits.list === 1 ? [] : [details("The patch", [fence(setAside.patch, "diff")])];
  return [`${SET_ASIDE} Files: ${pathList(setAside.paths, limits.list, limits)}.`, ...patch].join("\n\n");
}

/** At most `max` paths in one line, and the number of the others. */
export function pathList(paths: readonly string[], max: number, limits: DetailLimits): string {
  const {shown, left} = capLength(paths, max);
  const remainder = left === 0 ? [] : [`…and ${left} more`];
  return [...shown.map((path) => codeSpan(clip(path, limits.line))), ...remainder].join(", ");
}
