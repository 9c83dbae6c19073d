/** The version of Node for the workflow. */
import {newest, valuesInCi} from "../../detect/ci/tool-versions.ts";
import {textAt} from "../../detect/files/manifest-values.ts";
import type {Project} from "../../detect/files/project.ts";

/** The agent needs a newer one, and older ones get no fixes: https://github.com/nodejs/release#release-schedule, as of November 2026. */
const OLDEST_MAINTAINED = 22;

const FILES = [".nvmrc", ".node-version"];

/** The input of `actions/setup-node`, as a line of YAML: the version of CI if it is maintained, of a file, or of `engines`. */
export function nodeVersionLine(project: Project): string {
  const versions = valuesInCi(project, ["actions/setup-node"], "node-version");
  const line = (version: string): string => `node-version: ${version === "lts/*" ? version : `"${version}"`}`;
  const isMaintained = (version: string): boolean =>
    Number(/^\D?v?(\d+)/.exec(version)?.[1] ?? Infinity) >= OLDEST_MAINTAINED;
  const maintained = newest(versions.filter(isMaintained));
  if (maintained !== null) return line(maintained);
  const filesOfCi = valuesInCi(project, ["actions/setup-node"], "node-version-file");
  const file = [...filesOfCi, ...FILES].find((path) => project.has(path));
  if (file !== undefined) return `node-version-file: ${file}`;
  const hasEngines = textAt(project.json("package.json"), "engines", "node") !== null;
  return hasEngines ? "node-version-file: package.json" : line(newest(versions) ?? "lts/*");
}
