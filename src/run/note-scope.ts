/** Notes the changed code that nothing leads to: neither the request, nor a test that fails without the change, nor another file. */
import {isCodePath, isGenerated, isTestData} from "../integrity/source/kinds.ts";
import type {Attempt} from "../record/attempt.ts";
import {failsOnBase} from "../record/bite.ts";
import {listSome} from "../record/words.ts";
import {filesOutOfScope} from "../specs/scope.ts";
import type {PreparedRun} from "./prepare-run.ts";
import {requestRules} from "./request-rules.ts";

/** A larger change is a rewrite, where everything leads to everything. */
const MAX_FILES = 50;
const MAX_NAMED = 5;
const MAX_BYTES = 300_000;

export async function noteScope(run: PreparedRun, {candidate, changes, verification}: Attempt): Promise<void> {
  const {record, repository, event} = run;
  const {request} = record.current();
  if (request?.kind !== "work" || candidate === null || changes.length < 2 || changes.length > MAX_FILES) return;
  const textAt = async (commit: string, path: string) => {
    const text = await repository.readText(commit, path, {maxBytes: MAX_BYTES});
    return text.ok ? (text.value ?? "") : "";
  };
  const files = [];
  for (const {path, from = path} of changes)
    files.push({path, before: await textAt(candidate.base, from), after: await textAt(candidate.commit, path)});
  const failing = (verification?.bite?.tests ?? []).filter(failsOnBase);
  const {title, body} = event.thread;
  const unled = filesOutOfScope({
    request: [requestRules(run).task, title, body, event.code?.path ?? ""].join("\n"),
    files,
    seeds: new Set(failing.map(({path}) => path)),
  }).filter((path) => isCodePath(path) && !isGenerated(path) && !isTestData(path));
  if (unled.length === 0) return;
  const text = `no word of the request, no test that fails without the change and no other changed file leads to ${listSome(unled, MAX_NAMED)}`;
  record.addNotes([{about: "scope", text}]);
}
