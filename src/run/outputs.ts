/** Writes the step's outputs when a run begins and when it ends, because GitHub discards outputs of `post`. */
import {dirname, join} from "node:path";
import {writeOutputs} from "../github/runner.ts";
import {branchOf} from "../publish/target.ts";
import type {RunRecord} from "../record/record.ts";
import {isVerified} from "../record/words.ts";
import {runUsage} from "../report/run-details.ts";
import {redactRecord} from "../secrets/redact-record.ts";
import type {RecordFile} from "./record-file.ts";
import type {RunContext} from "./run-context.ts";

export function writeRunOutputs({record, context}: {record: RecordFile; context: Pick<RunContext, "redact">}): void {
  const closedRecord = redactRecord({record: record.current(), redact: context.redact});
  writeOutputs({...outputsOf(closedRecord), record: record.file, page: pageFile(record.file)});
}

/** The page of the run, next to its record. */
export const pageFile = (recordFile: string): string => join(dirname(recordFile), "report.html");

/** The values of the action's outputs, from `verdict` to `runner-minutes`. */
export function outputsOf(record: RunRecord) {
  const {publication, verdict} = record;
  const isOut = publication.kind === "published" || publication.kind === "parked";
  const usage = runUsage(record);
  const pullRequest = publication.kind === "published" ? publication.pullRequest : null;
  return {
    verdict: verdict.kind,
    verified: String(isVerified(verdict)),
    attempts: String(record.attempts.length),
    commit: isOut ? publication.commit : "",
    tree: isOut ? publication.tree : "",
    branch: isOut ? branchOf(publication.ref) : "",
    "pull-request": pullRequest === null ? "" : String(pullRequest.number),
    "cost-usd": usage === null || usage.hasUnknownCost ? "" : usage.costUsd.toFixed(4),
    tokens: usage === null ? "" : String(usage.input + usage.output),
    "runner-minutes": record.runnerMinutes?.isPart === undefined ? String(record.runnerMinutes?.minutes ?? "") : "",
  };
}
