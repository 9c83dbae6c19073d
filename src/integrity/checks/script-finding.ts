/** Findings of the check of scripts, with the line that shows them. */
import {isOwnScriptName} from "../../detect/ecosystems/node-manager.ts";
import type {IntegrityFinding} from "../../record/finding.ts";
import type {InspectedChange, InspectedFile} from "../source/inspected-change.ts";

const FIX = "Restore the command, and correct the code that it complains about.";

/** `text` is the text that the finding is about; it locates the line. */
export function findingAt({
  file,
  level,
  message,
  text,
}: {
  file: InspectedFile;
  level: IntegrityFinding["level"];
  message: string;
  text: string | null;
}): IntegrityFinding {
  const wanted = (text ?? "")
    .split("\n")
    .map((line) => line.trim())
    .find((line) => line.length > 3);
  const json = wanted === undefined ? "" : JSON.stringify(wanted).slice(1, -1);
  const index =
    wanted === undefined
      ? -1
      : (file.after ?? "").split("\n").findIndex((line) => line.includes(wanted) || line.includes(json));
  return {check: "scripts", level, path: file.path, line: index < 0 ? null : index + 1, message, fix: FIX};
}

const BY_HAND = "Look at the new line: each install runs it once the change is merged.";

/** The scripts of an install run with the base's lines (P4): what a change does to them is not part of the checks. */
export function ownScriptFindings(
  file: InspectedFile,
  read: (text: string) => ReadonlyMap<string, string>,
  {plan}: InspectedChange,
): IntegrityFinding[] {
  const bodies = read(file.after ?? "");
  const before = read(file.before ?? "");
  const note = (message: string, text: string) => ({...findingAt({file, level: "note", message, text}), fix: BY_HAND});
  const steps = plan?.setup.filter(({ownScript, origin}) => ownScript !== undefined && origin.file === file.basePath);
  const changed = (steps ?? []).flatMap(({command, origin}) => {
    const name = origin.key.replace(/^scripts\./, "");
    const body = bodies.get(name)?.trim() ?? "";
    return body === command
      ? []
      : [note(`\`${name}\` changed, and the checks ran with its old line: \`${command}\``, body)];
  });
  const added = [...bodies].filter(([name]) => isOwnScriptName(name) && !before.has(name));
  return [...changed, ...added.map(([name, body]) => note(`\`${name}\` is new, and the checks ran without it`, body))];
}
