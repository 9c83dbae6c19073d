/** Proposes changes of the repository's memory in one separate pull request, which a person merges. */
import {treeWith} from "../changes/candidate.ts";
import type {Project} from "../detect/files/project.ts";
import {gitRefused} from "../git/git.ts";
import {fetchHistory, readHistory} from "../git/history.ts";
import {push, pushFailure} from "../git/push.ts";
import type {Repository} from "../git/repository.ts";
import {isTestPath} from "../integrity/source/kinds.ts";
import {branchOf} from "../publish/target.ts";
import type {StageResult} from "../record/evidence.ts";
import type {Failure} from "../record/failure.ts";
import {ok, type Result, refused} from "../record/words.ts";
import {renderMemoryProposal} from "../report/answers.ts";
import {entryOf, entryText, flakyTestOf, type KeptEntry, readMemory, whyStale} from "../specs/memory.ts";
import type {PreparedRun} from "./prepare-run.ts";

export const MEMORY_BRANCH = "refs/heads/assay/memory";
const MAX_PROPOSED = 3;

/** An entry whose values are from this record, or one that this run has seen to be wrong. */
interface MemoryChange extends KeptEntry {
  /** why the entry does not hold any more; null for a new one */
  readonly stale: string | null;
}

/** Opens or extends the pull request. Where Assay opens none, notes say what a person can do. */
export async function proposeMemory(run: PreparedRun): Promise<void> {
  const {record, context, config} = run;
  if (context.signal.aborted) return;
  const found = findProposals(run);
  if (found.length === 0) return;
  const isAllowed = context.clone === null && context.withheld === null && (config.publish ?? "") !== "branch";
  const opened = isAllowed && config.publish !== "direct" ? await openMemoryPullRequest(run, found) : null;
  if (opened?.ok === false) context.log(`no pull request for the memory: ${JSON.stringify(opened.failure)}`);
  const {number, proposals} = opened?.ok ? opened.value : {number: null, proposals: found.slice(0, MAX_PROPOSED)};
  const place = number === null ? null : `pull request ${number}`;
  record.addNotes(
    proposals.map(({path, entry, stale}) => {
      if (stale !== null)
        return {
          about: path,
          text: `does not hold any more: ${stale}. ${place ? `It is removed by ${place}` : "Delete the file"}`,
        };
      const form = entry.form === "flaky-test" ? "flaky test" : entry.form;
      const command = `\`/remember ${form}: ${entry.text}\``;
      return {
        about: "memory",
        text: place
          ? `for later runs, ${place} has \`${form}: ${entry.text}\``
          : `for later runs, you can comment ${command}`,
      };
    }),
  );
}

function findProposals({record, rulesProject, event}: PreparedRun): MemoryChange[] {
  const {attempts, request, publication} = record.current();
  const entries = readMemory(rulesProject);
  const stages = attempts.flatMap(({verification}) => verification?.stages ?? []);
  const tests = reportedTests(attempts.at(-1)?.verification?.stages ?? []);
  const stale = entries.flatMap((kept) => {
    const why = whyStale(kept, rulesProject, tests);
    const {form, text} = kept.entry;
    // Only the change may have removed the test.
    const isLeft = form === "flaky-test" && fileOfTest(rulesProject, text) !== undefined;
    return why === null || isLeft ? [] : [{...kept, stale: why}];
  });
  // A name that only the change has, also of a group, would be the agent's own words.
  const flaky = flakyNames(stages).flatMap((name) => {
    const path = fileOfTest(rulesProject, name);
    return (path === undefined ? null : flakyTestOf({text: name, path})) ?? [];
  });
  const reason = request?.kind === "undo" && publication.kind === "published" ? request.reason : undefined;
  const comment = event.trigger.kind === "comment" ? event.trigger.id : 0;
  const rejected = reason ? entryOf({text: `rejected: ${reason}`, by: event.author?.login ?? "", comment}) : null;
  const known = new Set(entries.map(({entry}) => entry.text));
  const fresh = [...flaky, ...(rejected === null ? [] : [rejected])].filter(({entry}) => !known.has(entry.text));
  return [...stale, ...fresh.map((kept) => ({...kept, stale: null}))];
}

/** The test file with the words of the test's name and of its groups. */
function fileOfTest({files, text}: Project, name: string): string | undefined {
  const parts = name.split(" > ").filter((part) => !files.includes(part));
  return files.find((path) => isTestPath(path) && parts.every((part) => text(path)?.includes(part)));
}

/**
 * One commit more on the branch. Its message lists everything that was ever proposed, so that nothing that a person
 * declined is proposed again. A person's commit may be newer than the last one of these. Returns the new
 * proposals, and the number of their pull request.
 */
async function openMemoryPullRequest(
  {repository, context, record, event}: PreparedRun,
  proposals: readonly MemoryChange[],
): Promise<Result<{number: number | null; proposals: readonly MemoryChange[]}, Failure>> {
  const {github, signal} = context;
  const base = record.current().rules?.commit ?? "";
  const tip = await repository.remoteRef(MEMORY_BRANCH);
  if (!tip.ok) return tip;
  const history = tip.value === null ? ok([]) : await historyOf(repository, {tip: tip.value, signal});
  if (!history.ok) return history;
  const pull = tip.value === null ? ok(null) : await github.pullRequestOf(branchOf(MEMORY_BRANCH));
  if (!pull.ok) return pull;
  const lines = history.value.flatMap(({message}) => message.split("\n"));
  const proposed = [...new Set(lines.filter((line) => /^(?:add|remove) \.assay\/memory\//.test(line)))];
  const lineOf = ({path, stale}: MemoryChange) => `${stale === null ? "add" : "remove"} ${path}`;
  const fresh = proposals.filter((one) => !proposed.includes(lineOf(one))).slice(0, MAX_PROPOSED);
  if (fresh.length === 0) return ok({number: null, proposals: fresh});
  const entries = [];
  for (const {path, entry, stale} of fresh) {
    const blob =
      stale === null
        ? await repository.git(["hash-object", "-w", "--stdin", "--no-filters"], {input: entryText(entry)})
        : null;
    if (blob?.ok === false) return gitRefused(blob.failure);
    entries.push({
      path,
      ...(blob === null ? {mode: "000000", id: "0".repeat(base.length)} : {mode: "100644", id: blob.value.trim()}),
    });
  }
  // With an open pull request, commits of people on the branch stay. Without one, it starts from the base branch again.
  const openTip = pull.value === null ? null : tip.value;
  const tree = await treeWith({repository, commit: openTip ?? base, entries});
  if (!tree.ok) return tree;
  const parents = [...new Set([...(tip.value === null ? [] : [tip.value]), ...(openTip === null ? [base] : [])])];
  const message = ["Propose changes of the memory", "", ...proposed, ...fresh.map(lineOf), ""].join("\n");
  const args = ["commit-tree", ...parents.flatMap((parent) => ["-p", parent]), tree.value];
  const commit = await repository.git(args, {input: message});
  if (!commit.ok) return gitRefused(commit.failure);
  const pushed = await push({repository, commit: commit.value.trim(), ref: MEMORY_BRANCH, expect: tip.value});
  if (pushed.kind !== "pushed")
    return refused(pushFailure(MEMORY_BRANCH, pushed) ?? {kind: "internal", message: "pushed and not seen"});
  const body = renderMemoryProposal({
    proposals: fresh.map(({path, entry: {form, text}, stale}) => ({path, form, text, stale})),
    run: context.runner.runUrl,
    earlier: openTip === null ? 0 : proposed.length,
  });
  const wanted = {
    head: branchOf(MEMORY_BRANCH),
    base: event.repository.defaultBranch,
    title: "Change what later runs are told",
    body,
    draft: false,
  };
  const opened = await github.openOrUpdatePullRequest(wanted);
  return opened.ok ? ok({number: opened.value.number, proposals: fresh}) : opened;
}

const MAX_COMMITS = 100;

async function historyOf(repository: Repository, {tip, signal}: {tip: string; signal: AbortSignal}) {
  const fetched = await fetchHistory({repository, commits: [tip], depth: MAX_COMMITS, signal});
  return fetched.ok ? readHistory({repository, tip, most: MAX_COMMITS}) : fetched;
}

/** The tests that failed and passed on the same files. */
function flakyNames(stages: readonly StageResult[]): string[] {
  const failed = stages
    .filter(({outcome}) => outcome === "flaky")
    .flatMap(
      ({reported, diagnostics}) => reported?.failed.map(({title}) => title) ?? diagnostics.map((one) => one.testId),
    );
  return [...new Set(failed.filter((name): name is string => typeof name === "string" && !name.includes("`")))];
}

/** The names of all tests, with and without their groups; null unless every test check has listed all of them. */
function reportedTests(stages: readonly StageResult[]): ReadonlySet<string> | null {
  const lists = stages
    .filter(({kind}) => kind === "test")
    .map(({outcome, narrowed, reported}) => {
      const isWhole = outcome === "passed" && narrowed === undefined;
      return isWhole ? (reported?.others?.map(({title}) => title) ?? null) : null;
    });
  if (lists.length === 0 || lists.includes(null)) return null;
  return new Set(lists.flatMap((titles) => titles ?? []).flatMap((title) => [title, title.split(" > ").at(-1) ?? ""]));
}
