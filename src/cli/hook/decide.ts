/** Decides from a verification whether an agent may stop. Only a problem that the agent can fix blocks it. */

import {cut} from "../../agent/blocks.ts";
import {fixPrompt} from "../../agent/prompts.ts";
import {parseJson} from "../../record/parse-json.ts";
import {recordSchema} from "../../record/record.ts";
import type {HookDecision} from "./formats.ts";

/** Agents cut longer messages of a hook, or write them to a file. */
const REASON_CHARS = 9_000;

/** `output` is the document that `assay verify --json` printed. */
export function decideStop(output: string): HookDecision {
  const record = recordSchema.safeParse(parseJson(output)).data;
  if (record === undefined)
    return {kind: "allow", note: "Assay could not verify the work. Run `assay verify` to see why."};
  const attempt = record.attempts.at(-1);
  const {verdict} = record;
  if (verdict.kind === "failed" && attempt?.verification) {
    const results = [...attempt.verification.setup, ...attempt.verification.stages];
    const namedResults = results.filter(({name}) => verdict.stages.includes(name));
    const isFixable = namedResults.some(({failureKind}) => failureKind === "code" || failureKind === "timeout");
    if (isFixable)
      return {kind: "block", reason: cut(fixPrompt(attempt, "Find the cause and change the code."), REASON_CHARS)};
    return {
      kind: "allow",
      note: `Assay: ${verdict.stages.join(", ")} could not run here. Run \`assay verify\` to see why.`,
    };
  }
  if (verdict.kind === "tampered") {
    return {kind: "allow", note: "Assay: the change weakens its own checks. Run `assay verify` to see the findings."};
  }
  if (verdict.kind === "unverified") {
    const note = `Assay: the work is not verified (${verdict.why}). Run \`assay verify\` to see why.`;
    return {kind: "allow", note};
  }
  return {kind: "allow", note: ""};
}
