/** Decides from a verification whether an agent may stop. Only a problem that the agent can fix blocks it. */

import {fixPrompt, line} from "../../agent/prompts.ts";
import {cut} from "../../markdown/blocks.ts";
import {parseJson} from "../../record/parse-json.ts";
import {recordSchema} from "../../record/record.ts";
import {listSome} from "../../record/words.ts";
import type {HookDecision} from "./formats.ts";

/** Agents cut longer messages of a hook, or write them to a file. */
const REASON_CHARS = 9_000;
const MAX_SHOWN = 5;

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
  if (verdict.kind === "tampered" && attempt !== undefined) {
    const closing = "Take these edits back, and change the code where the earlier checks then fail.";
    return {kind: "block", reason: cut(fixPrompt(attempt, closing), REASON_CHARS)};
  }
  if (verdict.kind === "unverified") {
    const note = `Assay: the work is not verified (${verdict.why}). Run \`assay verify\` to see why.`;
    return {kind: "allow", note};
  }
  const flags = record.integrity ?? [];
  if (flags.length === 0) return {kind: "allow", note: ""};
  const places = listSome(
    flags.map(({path, message}) => line(`${path}: ${message}`)),
    MAX_SHOWN,
  );
  return {kind: "allow", note: `Assay: verified, with warnings. Read these places: ${places}`};
}
