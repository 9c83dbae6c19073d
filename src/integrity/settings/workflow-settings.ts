/** Finds the values of a workflow that check less: what it leaves out, a limit, and a list that lost a part. */
import type {InspectedFile} from "../source/inspected-change.ts";
import {type ComparedVersions, compareSettings, gained, type SettingChange} from "./compare-settings.ts";
import {type Direction, directionOf} from "./directions.ts";
import {readSettings} from "./read-settings.ts";

const WORKFLOW = /^\.github\/workflows\/[^/]+\.ya?ml$/;
/** The only directions that hold here: the other keys of a workflow are about runners, and the actions that it names. */
const DIRECTIONS_HERE: ReadonlySet<Direction | undefined> = new Set(["leaves-out", "at-least"]);
/** The jobs that must pass before this one, and the systems on which it runs. */
const PARTS = /^jobs \S+ (?:needs|strategy matrix (?:os|platform|runner))$/;

export function weakerInWorkflow({path, basePath, before, after}: InspectedFile): SettingChange[] {
  if (!WORKFLOW.test(basePath)) return [];
  const versions = {before: readSettings(basePath, before), after: readSettings(path, after), losesOption: () => false};
  if (versions.before.size === 0 || versions.after.size === 0) return [];
  return compareSettings(versions).flatMap((one) => {
    if (isPartLost(one, versions)) return [{...one, level: "flag"} as const];
    const [step, input] = one.key.split(" with ");
    if (input !== undefined && ![...versions.before.keys()].some((key) => key.startsWith(`${step} `))) return [];
    return one.level !== null && DIRECTIONS_HERE.has(directionOf(ownKey(one.key))?.weaker) ? [one] : [];
  });
}

/** The names of jobs and steps are no keys. */
const ownKey = (key: string): string => (EXCLUDED.test(key) ? "exclude" : key.slice(key.lastIndexOf(" ") + 1));
const EXCLUDED = /^jobs \S+ strategy matrix exclude /;

/** A job that the file does not have any more cannot be needed. */
function isPartLost({key, before, after}: SettingChange, versions: ComparedVersions): boolean {
  if (!PARTS.test(key) || after === undefined || gained(before, after).length > 0) return false;
  const jobs = new Set([...versions.after.keys()].map((one) => one.split(" ")[1]));
  return gained(after, before).some((part) => !key.endsWith(" needs") || jobs.has(part));
}
