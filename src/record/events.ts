/** The events of a run: one union for the terminal, the log and the live comment. */

import type {Attempt, Turn} from "./attempt.ts";
import type {StageResult} from "./evidence.ts";
import type {Opinion} from "./opinion.ts";
import type {Stage} from "./plan.ts";
import type {Publication} from "./record.ts";
import type {Usage} from "./usage.ts";
import type {TurnReason} from "./words.ts";

export type RunEvent =
  | {readonly kind: "admitted"; readonly by: string; readonly text: string}
  | {
      readonly kind: "planned";
      readonly stages: readonly Stage[];
      /** turns of the agent, if there is one */
      readonly maxAttempts?: number;
    }
  | {
      readonly kind: "turn-started";
      readonly attempt: number;
      readonly prompt: string;
      readonly reason: TurnReason;
      /** present if the request has several tries */
      readonly ofTry?: {readonly number: number; readonly of: number};
    }
  /** a tool call, in one redacted line; `usage` is the turn's so far */
  | {readonly kind: "agent-acted"; readonly line: string; readonly usage: Usage}
  | {readonly kind: "turn-finished"; readonly attempt: number; readonly turn: Turn}
  | {readonly kind: "setup-started"; readonly command: string}
  | {readonly kind: "setup-finished"; readonly result: StageResult}
  | {readonly kind: "stage-started"; readonly stage: Stage; readonly index: number; readonly of: number}
  | {readonly kind: "stage-finished"; readonly result: StageResult; readonly index: number; readonly of: number}
  | {readonly kind: "attempt-finished"; readonly attempt: Attempt}
  | {readonly kind: "judge-started"; readonly attempt: number}
  | {readonly kind: "judged"; readonly attempt: number; readonly opinion: Opinion}
  /** the judge still objects, and no further turn for an objection is allowed */
  | {readonly kind: "objections-exhausted"; readonly opinions: number}
  | {readonly kind: "published"; readonly publication: Publication};

/** Listeners must not throw, and can never change a verdict. */
export type OnEvent = (event: RunEvent) => void;
