/** `assay init --update`: shows what this version would change in the workflow, and changes it after a yes. */
import {writeFile} from "node:fs/promises";
import {join} from "node:path";
import {compareLines} from "../integrity/source/line-changes.ts";
import type {InitDocument} from "../onboarding/init/init-result.ts";
import {addedPermissions} from "../onboarding/init/present-workflow.ts";
import {withCount} from "../report/format.ts";
import type {Prompt} from "./prompt.ts";
import {jsonText} from "./reporters/json-text.ts";
import {plain} from "./reporters/plain-text.ts";

const MAX_SHOWN = 60;

interface WorkflowUpdate {
  readonly folder: string;
  readonly path: string;
  readonly before: string;
  readonly after: string;
  readonly prompt: Prompt | null;
  readonly yes: boolean;
  readonly json: boolean;
  /** a file that the new workflow runs, and that is missing */
  readonly missing: string | null;
}

/** Exit 0 written or up to date, 3 not written. */
export async function updateWorkflow(update: WorkflowUpdate): Promise<0 | 3> {
  const {folder, path, before, after, json, missing} = update;
  const isSame = before === after;
  const shown = isSame ? [`${path} is what this version writes.`] : changeLines(update);
  if (!json) process.stdout.write(`${shown.join("\n")}\n`);
  const mayWrite = !isSame && (update.yes || (await update.prompt?.ask("\nWrite it? [y/N]", ["no", "yes"])) === "yes");
  if (mayWrite) await writeFile(join(folder, path), after);
  const next = isSame
    ? []
    : mayWrite
      ? [missing === null ? `Commit ${path}.` : `Run \`assay init\`, which writes ${missing}, then commit both files.`]
      : ["Nothing was written. Add `--yes` to write it."];
  const document: InitDocument = {
    ...{schema: "assay.init/1", folder},
    files: [{path, done: mayWrite ? "written" : "left-alone"}],
    next: [...shown, ...next],
  };
  process.stdout.write(json ? jsonText(document) : next.map((line) => `${line}\n`).join(""));
  return isSame || mayWrite ? 0 : 3;
}

/** The new permissions first, each with its reason. Lines that someone added to the file are among the removed ones. */
function changeLines({path, before, after}: WorkflowUpdate): string[] {
  const permissions = addedPermissions(before, after);
  const {added, removed} = compareLines(before, after);
  const lines = [...removed.map(({text}) => `- ${text}`), ...added.map(({text}) => `+ ${text}`)];
  return [
    `${path}: ${withCount(added.length, "new line")}, ${withCount(removed.length, "removed line")}`,
    ...(permissions.length === 0 ? ["No job gets another permission."] : ["New permissions:"]),
    ...permissions.map(({job, scope, level, why}) => `  ${scope}: ${level}, for the job \`${job}\`: ${why}`),
    ...lines.slice(0, MAX_SHOWN).map(plain),
    ...(lines.length > MAX_SHOWN ? [`… ${lines.length - MAX_SHOWN} more lines`] : []),
  ];
}
