/** Loads and saves the agent's conversation about an issue, on a ref that Assay's comment names. */
import {dirname} from "node:path";
import {openAgentFolder, readAgentFile, writeAgentFile} from "../agent/agent-files.ts";
import {loadSession, saveSession, sessionRef} from "../agent/store.ts";
import {readMarker} from "../github/marker.ts";
import type {PreparedRun} from "./prepare-run.ts";

/**
 * Loads the conversation that Assay's newest comment names, if that commit is the tip of the session's ref. Both must
 * agree, so neither a push to that ref nor a line in a comment alone reaches the agent. Otherwise a new session starts.
 */
export async function resumeSession(run: PreparedRun, file: string): Promise<void> {
  const {github, log} = run.context;
  const comment = await github.findComment(run.event.thread.number, (body) => Boolean(readMarker(body)?.session));
  if (!comment.ok) return log(`the earlier session could not be looked up: ${comment.failure.message}`);
  const commit = comment.value === null ? null : readMarker(comment.value.body)?.session;
  if (!commit) return;
  const {number} = run.event.thread;
  const conversation = await loadSession({
    repository: run.repository,
    issue: number,
    commit,
    agent: run.context.inputs.agent,
  });
  if (!conversation.ok || conversation.value === null) {
    return log("the earlier session is gone; a new one starts");
  }
  await openAgentFolder(dirname(file));
  await writeAgentFile(dirname(file), file, conversation.value);
  run.record.update({session: {id: commit, ref: sessionRef(number).hidden, resumed: true}});
}

/** Saves the redacted conversation. An error is only noted, because the work itself is safe. */
export async function saveRunSession(run: PreparedRun, file: string): Promise<void> {
  const text = await readAgentFile(file);
  // Without a thread, no later comment can continue the conversation.
  if (text === "" || run.event.thread.number === 0) return;
  const {record, context, repository} = run;
  const meta = {agent: context.inputs.agent, issue: run.event.thread.number, run: run.marker.run};
  const saveResult = await saveSession({repository, text, meta, redact: context.redact});
  const isResumed = record.current().session?.resumed ?? false;
  if (saveResult.ok && saveResult.value !== null) {
    return record.update({session: {id: saveResult.value, ref: sessionRef(meta.issue).hidden, resumed: isResumed}});
  }
  const reason = saveResult.ok ? "it was too large" : "the server refused it";
  const message = `The agent's session was not saved (${reason}); the next comment starts a new one.`;
  record.update({session: null});
  record.addNotes([{about: "session", text: message}]);
}
