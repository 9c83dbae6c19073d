/** Limits what a change touches to what one stage starts: a new target of a makefile concerns no other target. */
import {parse as parseJson} from "jsonc-parser";
import {mapOf, textEntries, valueAt} from "../../detect/files/manifest-values.ts";
import type {TestChange} from "../../integrity/changed-tests/test-change.ts";
import {targetsOf} from "../../integrity/commands/makefile.ts";
import {changesSettings} from "../../integrity/gate/gate-files.ts";
import type {InspectedFile} from "../../integrity/source/inspected-change.ts";
import type {Stage} from "../../record/plan.ts";

/** Without the changed manifests and makefiles in which nothing that the stage starts, and no setting, is different. */
export function concernedBy({command}: Pick<Stage, "command">, touched: TestChange): TestChange {
  const isConcerned = (file: InspectedFile) => !startsTheSame(command, file);
  return {...touched, gate: touched.gate.filter(isConcerned), checks: touched.checks.filter(isConcerned)};
}

function startsTheSame(command: string, {path, before, after, status}: InspectedFile): boolean {
  if (before === null || after === null || status === "renamed") return false;
  if (/(?:^|\/)package\.json$/.test(path)) {
    const scripts = (text: string) => textEntries(valueAt(parseJson(text), "scripts"));
    const rest = (text: string) => JSON.stringify({...Object.fromEntries(mapOf(parseJson(text))), scripts: undefined});
    return isSame(command, scripts(before), scripts(after)) && !changesSettings(path, rest(before), rest(after));
  }
  if (!/(?:^|\/)(?:GNUm|[mM])akefile$/.test(path)) return false;
  // Variables and directives concern all targets.
  const rest = (text: string) =>
    text
      .split("\n")
      .filter((line) => !/^(?:\t|#|\s*$|(?!\.)[\w./% -]+:(?![:=]))/.test(line))
      .join("\n");
  return rest(before) === rest(after) && isSame(command, targetsOf(before), targetsOf(after));
}

type CommandBodies = ReadonlyMap<string, string>;

const isSame = (command: string, before: CommandBodies, after: CommandBodies): boolean =>
  started(command, before) === started(command, after);

/**
 * The bodies that a command starts, over any number of steps; all if it names none of them. A word that is a name by
 * chance only adds a body.
 */
function started(command: string, bodies: CommandBodies): string {
  let text = command;
  const left = new Map(bodies);
  for (let size = -1; size !== left.size; ) {
    size = left.size;
    const words = new Set(text.match(/[\w:./-]+/g) ?? []);
    for (const [name, body] of left) {
      if (!words.has(name) && !words.has(name.replace(/^(?:pre|post)/, ""))) continue;
      text += `\n${name}: ${body}`;
      left.delete(name);
    }
  }
  return left.size === bodies.size ? JSON.stringify([...bodies]) : text;
}
