/** The result of a job, for the runner. */
import type {Failure} from "../../record/failure.ts";
import {isGreen, type RunRecord} from "../../record/record.ts";
import {plainHeadline} from "../../report/headline.ts";
import {failureLines} from "../failure-lines.ts";

/** Whether the job succeeds, and the sentence for its log. A failed job also shows the sentence as an annotation. */
export interface JobResult {
  readonly isGreen: boolean;
  readonly why: string;
}

/** The end of a job whose record is closed. */
export function resultOfJob(record: RunRecord): JobResult {
  return isGreen(record) ? {isGreen: true, why: ""} : {isGreen: false, why: plainHeadline(record)};
}

export function failedJob(failure: Failure): JobResult {
  return {isGreen: false, why: failureLines(failure, "workflow").join("\n")};
}
