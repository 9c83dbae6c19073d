/** The interface of the judge's model: one prompt, one answer. A failed call is data. */
import type {NotJudgedReason} from "../record/opinion.ts";
import type {Usage} from "../record/usage.ts";

export type ModelReply = {readonly usage: Usage; readonly durationMs: number} & (
  | {readonly kind: "answered"; readonly text: string; readonly model: string}
  | {readonly kind: "failed"; readonly why: NotJudgedReason; readonly detail: string}
);

/** One call without history or tools. Never rejects. */
export type AskModel = (prompt: string) => Promise<ModelReply>;
