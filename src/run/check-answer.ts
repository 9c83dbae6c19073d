/** Compares the agent's answers with the change and the checks, and records the sentences that do not agree. */
import {readChange} from "../integrity/read-change.ts";
import {type Attempt, keptAttempt} from "../record/attempt.ts";
import {findDoubts} from "../report/agent-claims/find-doubts.ts";
import {describeChange} from "../report/description.ts";
import {loadGrammars} from "../test-code/grammars.ts";
import type {PreparedRun} from "./prepare-run.ts";

/** Only the answers that the report shows: the last one, and the description of the change. */
export async function checkAnswer({record, repository}: PreparedRun, attempts: readonly Attempt[]): Promise<void> {
  const lastAnswer = attempts.findLast(({turn}) => turn !== null)?.turn?.answer ?? "";
  const described = describeChange(attempts)?.attempt.turn?.answer ?? "";
  const answers = new Set([described, lastAnswer].filter((answer) => answer !== ""));
  if (answers.size === 0) return;
  const {candidate = null, verification = null} = keptAttempt(attempts) ?? {};
  const {base = "", commit = ""} = candidate ?? {};
  const change = candidate && (await readChange({repository, base, head: commit, plan: null}));
  if (change?.ok === false) return;
  const files = change?.value.files ?? [];
  await loadGrammars(files.flatMap(({path, basePath}) => [path, basePath]));
  const isWhole = (change?.value.unread ?? []).length === 0;
  const turns = attempts.flatMap(({turn}) => turn ?? []);
  const actions = turns.some((turn) => turn.actions === undefined)
    ? undefined
    : turns.flatMap((turn) => turn.actions ?? []);
  const observed = {files, isWhole, stages: verification?.stages ?? [], actions};
  const doubts = [...answers].flatMap((answer) => findDoubts(answer, observed));
  if (doubts.length > 0) record.update({doubts});
}
