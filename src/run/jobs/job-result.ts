/** How a job ended, for the runner. */
import type {Failure} from "../../record/failure.ts";
import {failureLines} from "../event-log.ts";

/** The colour of the job, and the sentence for its log and, in red, for its annotation. */
export interface JobResult {
  readonly isGreen: boolean;
  readonly why: string;
}

export function failedJob(failure: Failure): JobResult {
  return {isGreen: false, why: failureLines(failure).join("\n")};
}
