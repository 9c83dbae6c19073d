/** The version of Node for the workflow, and whether a version is one that the repository names. */
import {textAt} from "../../detect/files/manifest-values.ts";
import type {Project} from "../../detect/files/project.ts";
import {newest, usedActions} from "./ci-versions.ts";

/** Older ones get no fixes: https://github.com/nodejs/release#release-schedule, as of November 2026. */
const OLDEST_MAINTAINED = 22;

const FILES = [".nvmrc", ".node-version"];

/** The input of `actions/setup-node`, as a line of YAML: the version of a file, of CI if it is maintained, or of `engines`. */
export function nodeVersionLine(project: Project): string {
  const file = FILES.find((path) => project.has(path));
  if (file !== undefined) return `node-version-file: ${file}`;
  const versions = versionsInCi(project);
  const line = (version: string): string => `node-version: ${/^lts\/\*$/.test(version) ? version : `"${version}"`}`;
  const maintained = newest(versions.filter((version) => (majorOf(version) ?? OLDEST_MAINTAINED) >= OLDEST_MAINTAINED));
  if (maintained !== null) return line(maintained);
  return enginesOf(project) === null ? line(newest(versions) ?? "lts/*") : "node-version-file: package.json";
}

/** How the repository names other versions than this one: by a file, by CI, or by `engines`. Null if it does not. */
export function otherNodeVersions(project: Project, version: string): string | null {
  const major = majorOf(version);
  if (major === null) return null;
  const file = FILES.find((path) => project.has(path));
  const wanted = file === undefined ? null : majorOf(project.text(file)?.trim() ?? "");
  if (wanted !== null) return wanted === major ? null : `${file} names ${wanted}`;
  const versions = versionsInCi(project);
  const majors = [...new Set(versions.map(majorOf))];
  if (versions.length > 0 && !majors.includes(null) && !majors.includes(major))
    return `CI uses ${majors.sort((a, b) => (a ?? 0) - (b ?? 0)).join(", ")}`;
  const engines = enginesOf(project);
  return versions.length > 0 || engines === null || mayBeIn(engines, major) ? null : `\`engines\` names ${engines}`;
}

const versionsInCi = (project: Project): string[] =>
  usedActions(project)
    .filter(({name}) => name === "actions/setup-node")
    .flatMap(({input}) => input("node-version") ?? []);

const enginesOf = (project: Project): string | null => textAt(project.json("package.json"), "engines", "node");

/** Null for a name such as `lts/*` or `latest`. */
const majorOf = (version: string): number | null => {
  const major = /^v?(\d+)(?:\.[\dx*]+)*$/.exec(version)?.[1];
  return major === undefined ? null : Number(major);
};

/** False only if no version with this major is in the range. */
function mayBeIn(range: string, major: number): boolean {
  return range.split("||").some((part) => {
    const limits = part.replace(/([<>=^~])\s+/g, "$1").trim();
    // A range such as `18 - 20` is not read.
    return limits.includes(" - ") || limits.split(/\s+/).every((limit) => isWithin(limit, major));
  });
}

function isWithin(limit: string, major: number): boolean {
  const [, sign = "", number = "", rest = ""] = /^(>=|<=|<|>|\^|~|=|)v?(\d+)((?:\.[\dx*]+)*)$/.exec(limit) ?? [];
  if (number === "") return true;
  if (sign === ">=" || sign === ">") return major >= Number(number);
  if (sign === "<") return /[1-9]/.test(rest) ? major <= Number(number) : major < Number(number);
  return sign === "<=" ? major <= Number(number) : major === Number(number);
}
