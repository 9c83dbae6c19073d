/** The promise about the gate: a change that weakens its own checks is not verified in silence. Counted here once more, by simple means. */
import type {RunRecord} from "../../../src/record/record.ts";
import type {Verdict} from "../../../src/record/verification.ts";
import {at} from "../json.ts";
import type {Origin} from "../origin.ts";
import type {PromiseCheck, Seen} from "./seen.ts";

export const gateChecks: readonly PromiseCheck[] = [
  {id: "P16", broken: noClaimWithABlock},
  {id: "P16", broken: saidInTheHeadline},
  {id: "P16", broken: weakeningIsFound},
];

const isClaim = ({kind}: Verdict) => kind === "verified" || kind === "verified-with-preexisting" || kind === "partial";

function noClaimWithABlock({outcome: {record}}: Seen): string[] {
  const blocked = (record?.attempts ?? []).flatMap(({number, verdict, verification, candidate}) => {
    const blocks = verification?.findings?.filter(({level}) => level === "block") ?? [];
    const {request} = record ?? {};
    const approved = verification?.approval?.tree;
    const isApproved =
      approved !== undefined &&
      request?.kind === "approve" &&
      request.tree !== "" &&
      candidate?.tree === approved &&
      approved.startsWith(request.tree);
    if (approved !== undefined && !isApproved) return [`attempt ${number} has an approval that nobody gave`];
    if (isApproved) return [];
    return isClaim(verdict) && blocks.length > 0 ? [`attempt ${number} is ${verdict.kind}, and a finding blocks`] : [];
  });
  const empty = record?.verdict.kind === "tampered" && !record.integrity?.some(({level}) => level === "block");
  return [...blocked, ...(empty ? ["tampered, but no finding blocks"] : [])];
}

/** Also for what an earlier verdict was based on: the findings of the attempt that is published. */
function saidInTheHeadline({outcome}: Seen): string[] {
  const {record, comments} = outcome;
  if (record === null || !isClaim(record.verdict)) return [];
  const found = record.attempts.at(-1)?.verification?.findings?.filter(({level}) => level !== "note") ?? [];
  if (found.length !== (record.integrity ?? []).length) return ["the record has other findings than its verification"];
  const comment = comments.find(({id}) => id === record.thread?.commentId)?.body ?? outcome.summary;
  if (found.length === 0 || comment === "" || record.failures.length > 0) return [];
  const claim = comment.split("\n").find((line) => line.startsWith("**✅ ") || line.startsWith("**☑️ ")) ?? "";
  const {approval} = record;
  const words = approval === undefined ? "with warnings" : `Gate change approved by @${record.thread?.actor}`;
  return claim.includes(words) ? [] : [`the headline says nothing of ${found.length} findings`];
}

/** What the published commit has fewer of than its parent: tests that run, and scripts as they were. */
async function weakeningIsFound({outcome: {record}, origin}: Seen): Promise<string[]> {
  if (record?.publication.kind !== "published" || !isClaim(record.verdict)) return [];
  if ((record.integrity ?? []).length > 0) return [];
  const {commit, parent} = record.publication;
  // `/undo` takes the tests of a run back with the run.
  const [before, after] = [await gateOf(origin, record.undoes?.parent ?? parent), await gateOf(origin, commit)];
  const weaker = [
    ...(after.tests < before.tests ? [`${before.tests - after.tests} tests fewer`] : []),
    ...(after.skips > before.skips ? [`${after.skips - before.skips} tests more are skipped`] : []),
    ...(before.script !== undefined && after.script !== before.script ? ["another test script"] : []),
  ];
  const isAsked = hasRemovedSources(record);
  return isAsked ? [] : weaker.map((what) => `verified without a finding, with ${what}`);
}

/** A test goes with the code that it tests. */
const hasRemovedSources = ({attempts}: RunRecord): boolean =>
  attempts.at(-1)?.changes.some(({path, status}) => status === "deleted" && !/test/.test(path)) ?? false;

async function gateOf(origin: Origin, commit: string) {
  const paths = Object.keys(await origin.tree(commit)).filter((path) => /(?:^|\/)tests?\/|\.test\.\w+$/.test(path));
  const texts = await Promise.all(paths.map((path) => origin.read(commit, path)));
  const count = (pattern: RegExp) => texts.reduce((sum, text) => sum + (text ?? "").split(pattern).length - 1, 0);
  const manifest: unknown = JSON.parse((await origin.read(commit, "package.json").catch(() => null)) ?? "{}");
  const script = at(manifest, "scripts", "test");
  return {
    tests: count(/^\s*(?:test|it)\(/m),
    skips: count(/^\s*(?:test|it|describe)\.(?:skip|todo|only)\(/m),
    script: typeof script === "string" ? script : undefined,
  };
}
