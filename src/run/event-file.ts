/** Writes the events of a run into a file, one line each, for dashboards and scripts that follow it. */
import {closeSync, openSync, writeSync} from "node:fs";
import {resolve} from "node:path";
import {leadsOut} from "../process/linked-out.ts";
import {isBelow} from "../process/mounts.ts";
import {type EventFacts, eventFacts} from "../record/event-line.ts";
import type {OnEvent} from "../record/events.ts";
import {ok, type Result, refused} from "../record/words.ts";

export interface EventFile {
  readonly onEvent: OnEvent;
  readonly write: (facts: EventFacts) => void;
  readonly close: () => void;
}

/** Replaces the file. Fails with a sentence if it cannot be written; a later failure ends the log, never the run. */
export function openEventFile(options: {
  path: string;
  /** the repository of the working folder; null if there is none */
  top: string | null;
  redact: (text: string) => string;
  now: () => string;
}): Result<EventFile, string> {
  const {path, top, redact, now} = options;
  if (top !== null && isBelow(resolve(path), top) && leadsOut(top, path))
    return refused(`error: the event log cannot be written: ${path} leads out of the repository through a link`);
  let file: number | null = null;
  try {
    file = openSync(path, "w");
  } catch (error) {
    return refused(`error: the event log cannot be written: ${error instanceof Error ? error.message : String(error)}`);
  }
  // Each text is redacted by itself, so that the line stays JSON.
  const redactTexts = (_: string, value: unknown) => (typeof value === "string" ? redact(value) : value);
  const close = () => {
    if (file !== null) closeSync(file);
    file = null;
  };
  const write = (facts: EventFacts) => {
    if (file === null) return;
    try {
      writeSync(file, `${JSON.stringify({schema: "assay.event/1", at: now(), ...facts}, redactTexts)}\n`);
    } catch {
      close();
    }
  };
  return ok({onEvent: (event) => write(eventFacts(event)), write, close});
}
