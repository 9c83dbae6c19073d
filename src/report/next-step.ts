/** The next step after a failure: one sentence with the exact command or link, and the lines to paste. */
import {clip, codeSpan, fence} from "../markdown/escape.ts";
import {branchOf} from "../publish/target.ts";
import type {Failure} from "../record/failure.ts";
import type {RunRecord} from "../record/record.ts";
import {FAILURES, TURN_END} from "./failure-words.ts";
import {short} from "./format.ts";
import {retrySaved, retryStep} from "./headline.ts";
import {link, repositoryPage} from "./link.ts";
import {fillIn, ISSUES, isVariable, linesOf} from "./plain-next-step.ts";

/** More protected paths than these are not written into the next step. */
const MAX_PATHS = 3;

export interface NextStep {
  /** one sentence as Markdown; it ends with a colon if lines follow */
  readonly sentence: string;
  /** lines of YAML to paste, or empty */
  readonly lines: string;
}

/** The next step of a failure of a recorded run. `isPlain` leaves the links out. */
export function nextStep(failure: Failure, record: RunRecord, {isPlain = false} = {}): NextStep {
  const address = isPlain ? () => null : (url: string | null) => url;
  return {
    sentence: fillIn(sentenceOf(failure, record, address), {
      retry: retryStep(record),
      publish: retrySaved(record),
      log: link("the log", address(record.run.url)) || "the log",
      issues: link("Assay's issues", address(ISSUES)) || ISSUES,
    }),
    lines: failure.kind === "missing-key" && record.isInClone ? "" : linesOf(failure),
  };
}

function sentenceOf(failure: Failure, record: RunRecord, address: (url: string | null) => string | null): string {
  const {run, rules, publication} = record;
  const page = repositoryPage(run.url);
  const {next: saved, unsaved = saved} = FAILURES[failure.kind];
  const isMerge = failure.kind === "push-lost" && record.request?.kind === "update";
  const next = publication.kind === "parked" && !isMerge ? saved : unsaved;
  if (failure.kind === "agent-broke") return TURN_END[failure.end.kind].next;
  if (failure.kind === "push-refused" && record.isInClone) return FAILURES["git-refused"].next;
  if (failure.kind === "missing-key" && isVariable(failure.variable)) {
    if (record.isInClone)
      return `Set \`${failure.variable}\` in this terminal, or choose another \`--provider\`, then {retry}.`;
    const menu = "Settings → Secrets and variables → Actions";
    const settings = link(menu, address(page && `${page}/settings/secrets/actions/new`)) || menu;
    return `Add the secret \`${failure.variable}\` under ${settings}, pass it to Assay in \`env:\` of its step (in \`secrets:\` if the job calls Assay's workflow), then {retry}:`;
  }
  if (failure.kind === "config-invalid" && rules !== null && /verify\.jsonc?$/.test(failure.file)) {
    const branch = branchOf(rules.ref);
    const file = codeSpan(failure.file);
    const editor = address(page && `${page}/edit/${branch}/${failure.file}`);
    return `Fix ${link(file, editor) || file} on ${codeSpan(clip(branch, 200))}, then {retry}.`;
  }
  if (failure.kind === "protected-paths") {
    const isPlain = failure.paths.length <= MAX_PATHS && failure.paths.every((path) => /^[\w@./-]{1,80}$/.test(path));
    const patterns = failure.paths.map((path) => `"!${path}"`).join(", ");
    return isPlain ? next.replace('"!the/path"', () => patterns) : next;
  }
  if (failure.kind === "grown" && publication.kind === "parked") return next.replace("<id>", short(publication.tree));
  if (failure.kind === "push-refused") {
    const rulesPage = link("branch rules", address(page && `${page}/rules`)) || "branch rules";
    return next.replace("branch rules", () => rulesPage);
  }
  return next;
}

/** The next step as the end of a report's section: the sentence in bold, the lines, and a link to the explanation. */
export function nextStepPart(failure: Failure, record: RunRecord, explanation: string): string {
  const {sentence, lines} = nextStep(failure, record);
  const bold = `**${sentence}**`;
  return lines === "" ? `${bold} ${explanation}` : `${bold}\n\n${fence(lines, "yaml")}\n\n${explanation}`;
}
