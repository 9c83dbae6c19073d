/** The agent's conversation of an issue, from one run to the next: found by the bot's own comment, kept on a ref of Assay's own. */
import {mkdir, readFile, writeFile} from "node:fs/promises";
import {dirname} from "node:path";
import {loadSession, saveSession, sessionRef} from "../agent/store.ts";
import {readMarker} from "../github/marker.ts";
import type {AdmittedRun} from "./admitted-run.ts";
import type {RunSetup} from "./run-setup.ts";

/**
 * Brings the conversation that the newest of the bot's own comments names, where that commit is the tip of the session's
 * ref: neither a push to that ref nor a line in a comment reaches the agent alone. Without both, a new session starts.
 */
export async function resumeSession(o: {run: AdmittedRun; setup: RunSetup; file: string}): Promise<void> {
  const {run, setup, file} = o;
  const {github, log} = run.context;
  const named = await github.findComment(run.event.thread.number, (body) => Boolean(readMarker(body)?.session));
  if (!named.ok) return log(`the earlier session could not be looked for: ${named.failure.message}`);
  const commit = named.value === null ? null : readMarker(named.value.body)?.session;
  if (!commit) return;
  const {number} = run.event.thread;
  const loaded = await loadSession({repository: setup.repository, issue: number, commit});
  if (!loaded.ok || loaded.value === null) {
    return log("the earlier session is gone; a new one starts");
  }
  await mkdir(dirname(file), {recursive: true});
  await writeFile(file, loaded.value.text);
  run.record.update({session: {id: commit, ref: sessionRef(number).hidden, resumed: true}});
}

/** Keeps the conversation as it is now, redacted. Failing to is said in a note: the work itself is not in danger. */
export async function saveRunSession(o: {run: AdmittedRun; setup: RunSetup; file: string}): Promise<void> {
  const {run, setup, file} = o;
  const text = await readFile(file, "utf8").catch(() => "");
  if (text === "") return;
  const {record, context} = run;
  const meta = {agent: context.inputs.agent, issue: run.event.thread.number, run: run.marker.run};
  const saved = await saveSession({repository: setup.repository, text, meta, redact: context.redact});
  const resumed = record.current().session?.resumed ?? false;
  if (saved.ok && saved.value.kind === "saved") {
    record.update({session: {id: saved.value.commit, ref: saved.value.ref, resumed}});
    return;
  }
  const why = saved.ok ? "it was too large" : "the server did not take it";
  const note = {
    about: "session",
    text: `The agent's session was not kept (${why}); the next comment starts a new one.`,
  };
  record.update({session: null});
  record.addNotes([note]);
}
