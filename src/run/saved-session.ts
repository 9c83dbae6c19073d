/** Loads and saves the agent's conversation about an issue, encrypted, on a ref that Assay's comment names. */
import {existsSync} from "node:fs";
import {dirname, join} from "node:path";
import {emptyAgentFolder, openAgentFolder, readAgentFile, writeAgentFile} from "../agent/agent-files.ts";
import {findSessionKeys} from "../agent/session-keys.ts";
import {
  type FreshReason,
  loadSession,
  SESSION_DAYS,
  saveSession,
  sealSession,
  sessionRef,
  unsealSession,
} from "../agent/store.ts";
import {readMarker} from "../github/marker.ts";
import {type Result, refused} from "../record/words.ts";
import type {AdmittedRun} from "./admitted-run.ts";
import type {PreparedRun} from "./prepare-run.ts";
import {agentFolder, type RunContext} from "./run-context.ts";
import {forTry} from "./tries.ts";

const FRESH: Readonly<Record<FreshReason | "unreachable", string>> = {
  gone: "The saved conversation is no longer where this thread's comment says",
  "unknown-form": "The saved conversation is not encrypted in the form of this version",
  expired: `The saved conversation is older than ${SESSION_DAYS} days`,
  "other-thread": "The saved conversation is of another repository or issue",
  "other-agent": "The saved conversation is of another agent",
  "no-key": "The saved conversation needs a key that this run does not have",
  locked: "The saved conversation could not be decrypted: its key has changed, or its data was changed or moved",
  unreachable: "The saved conversation could not be fetched",
};

/**
 * Loads the conversation that Assay's newest comment names, if that commit is the tip of the session's ref. Both must
 * agree, so neither a push to that ref nor a line in a comment alone reaches the agent. Otherwise a new session starts,
 * and a note says why.
 */
export async function resumeSession(run: PreparedRun, file: string): Promise<void> {
  const {context, event, record, repository} = run;
  if (run.config.sessions === "off") return;
  const {request} = record.current();
  // A fix of red CI continues the conversation about the commit that is red.
  const issue = request?.kind === "ci" ? request.issue : event.thread.number;
  const comment = await context.github.findComment(issue, (body) => Boolean(readMarker(body)?.session));
  if (!comment.ok) return context.log(`the earlier session could not be looked up: ${comment.failure.message}`);
  const commit = comment.value === null ? null : readMarker(comment.value.body)?.session;
  if (!commit) return;
  const text = openConversation(run, {document: await loadSession({repository, issue, commit}), issue});
  if (text === null) return;
  await writeConversation(file, text);
  record.update({session: {id: commit, ref: sessionRef(issue).hidden, resumed: true}});
}

/** The conversation in a document that others could have put in its place; null with a note if it is not continued. */
export function openConversation(
  {context, event, record}: AdmittedRun,
  {document, issue}: {document: Result<string | null, unknown>; issue: number},
): string | null {
  const expected = {repository: event.repository.fullName, issue, agent: context.inputs.agent};
  const opening = {expected, keys: sessionKeys(context).all, now: new Date(context.now())};
  const text = document.ok ? unsealSession({document: document.value, ...opening}) : refused("unreachable" as const);
  if (text.ok) return text.value;
  record.addNotes([{about: "session", text: `${FRESH[text.failure]}, so the agent started a new one`}]);
  return null;
}

export async function writeConversation(file: string, text: string): Promise<void> {
  await openAgentFolder(dirname(file));
  await writeAgentFile(dirname(file), file, text);
}

const NO_KEY = "it is only saved encrypted, and this run has no key for that; see `session-key` in docs/security.md";

/** The conversation in `files`, encrypted: the first that is not empty. Empty without one, or with a note. */
export async function sealRunSession(given: PreparedRun, files: readonly string[]): Promise<string> {
  const run = forTry(given, given.record.current().tries?.chosen || 1);
  const {context, event, config} = run;
  const texts = await Promise.all(files.map(readAgentFile));
  const text = texts.find((one) => one !== "") ?? "";
  const {number: issue} = event.thread;
  // Without a thread, no later comment can continue the conversation.
  if (text === "" || issue === 0 || config.sessions === "off") return "";
  const {sealing: key} = sessionKeys(context);
  const about = {repository: event.repository.fullName, issue, agent: context.inputs.agent, run: run.marker.run};
  const document = key && sealSession({text: context.redact(text), about: {...about, savedAt: context.now()}, key});
  if (document === null) noteUnsaved(run, key === null ? NO_KEY : "it was too large");
  return document ?? "";
}

/** Saves the encrypted conversation. An error is only noted, because the work itself is safe. */
export async function saveRunSession(run: PreparedRun, document: string): Promise<void> {
  const {record, repository} = run;
  const {number: issue} = run.event.thread;
  const isResumed = record.current().session?.resumed ?? false;
  const saved = document === "" ? null : await saveSession({repository, issue, document});
  if (saved?.ok === false) noteUnsaved(run, "the server refused it");
  const session = saved?.ok ? {id: saved.value, ref: sessionRef(issue).hidden, resumed: isResumed} : null;
  record.update({session});
}

export function noteUnsaved({record}: Pick<AdmittedRun, "record">, reason: string): void {
  const text = `The agent's conversation was not saved (${reason}); the next run does not know it.`;
  record.addNotes([{about: "session", text}]);
}

/** Removes the conversation's text from the machine, where later steps of the job could read it. */
export async function removeConversation(run: Pick<AdmittedRun, "folder" | "context">): Promise<void> {
  const scratch = agentFolder(run);
  for (const folder of [scratch, `${scratch}-home`, join(run.folder, "judge")].filter((path) => existsSync(path)))
    await emptyAgentFolder(folder, "").catch((error: unknown) =>
      run.context.log(`${folder} could not be emptied: ${String(error)}`),
    );
}

function sessionKeys({inputs, variables}: RunContext) {
  const {agent, provider, model} = inputs;
  return findSessionKeys({agent, choice: {provider, model}, sessionKey: inputs["session-key"], variables});
}
