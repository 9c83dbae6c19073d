/** What a report says about checks that verify.json turns off. */
import type {Note} from "../../record/plan.ts";
import type {Config} from "./config.ts";

/** Without this note, a report without findings would look as if nothing had been found. */
export function integrityNotes({integrity}: Pick<Config, "integrity">): Note[] {
  const note = (text: string): Note[] => [{about: "integrity", text}];
  if (!integrity.enabled)
    return note("`integrity.enabled` in verify.json is false, so nothing looked for weakened tests and settings.");
  const off = Object.entries(integrity.level).flatMap(([name, level]) => (level === "off" ? [`\`${name}\``] : []));
  return off.length === 0 ? [] : note(`verify.json turns off ${off.join(", ")}.`);
}
