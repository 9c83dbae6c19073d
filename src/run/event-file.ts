/** Writes the events of a run into a file, one line each, for dashboards and scripts that follow it. */
import {closeSync, openSync, writeSync} from "node:fs";
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
  redact: (text: string) => string;
  now: () => string;
}): Result<EventFile, string> {
  const {path, redact, now} = options;
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
