/** Decides what a run of a line on the base proves, and words it. */
import type {StageResult} from "../../record/evidence.ts";
import type {Stage} from "../../record/plan.ts";
import type {LineProof, ProofOutcome} from "../../record/proof.ts";
import {listSome} from "../../record/words.ts";

type Observed = Pick<LineProof, "changedFiles" | "missingTools" | "networkAttempts"> & {readonly result: StageResult};

/** Only a pass with evidence that leaves the files as they were is a proof. */
export function proofOutcome(stage: Pick<Stage, "kind" | "swallowedIn">, observed: Observed): ProofOutcome {
  const {result, changedFiles, missingTools, networkAttempts} = observed;
  const {outcome, exit, reason, tests} = result;
  if (outcome === "skipped") return {kind: "not-run", why: reason};
  if (exit?.kind === "timed-out") return {kind: "timed-out", seconds: Math.round(exit.afterMs / 1000)};
  if (missingTools.length > 0) return {kind: "tools-missing", tools: missingTools};
  if (exit === null || exit.kind === "not-started") return {kind: "not-run", why: reason};
  const isPass = exit.kind === "exited" && exit.code === 0;
  if (!isPass && (networkAttempts ?? 0) > 0) return {kind: "wanted-network", why: reason};
  if (outcome !== "passed") return {kind: isPass ? "no-evidence" : "failed", why: reason};
  if (stage.swallowedIn !== undefined && (tests?.passed ?? 0) === 0)
    return {kind: "no-evidence", why: `its exit code is always 0 (lost in ${stage.swallowedIn})`};
  return changedFiles.length > 0 ? {kind: "changed-files", files: changedFiles} : {kind: "proved"};
}

const MAX_FILES = 3;

/** The outcome as a part of a sentence. */
const WORDS: {
  readonly [K in ProofOutcome["kind"]]: (outcome: Extract<ProofOutcome, {kind: K}>) => string;
} = {
  proved: () => "passed",
  "changed-files": ({files}) => `passed, but changed or left files: ${listSome(files, MAX_FILES)}`,
  "no-evidence": ({why}) => `proves nothing: ${why}`,
  failed: ({why}) => `failed: ${why}`,
  "wanted-network": ({why}) => `failed without a network, which it tried to use: ${why}`,
  "tools-missing": ({tools}) => `not installed here: ${listSome(tools, MAX_FILES)}`,
  "timed-out": ({seconds}) => `did not end within its limit of ${seconds} s`,
  "not-run": ({why}) => `not run: ${why}`,
};

export function wordProof(outcome: ProofOutcome): string {
  const word = WORDS[outcome.kind] as (outcome: ProofOutcome) => string;
  return word(outcome);
}
