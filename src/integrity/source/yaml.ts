/** Parses YAML for the checks. The library is large, so it is loaded only for a change with YAML files. */
import {isOfKind, YAML_FILE} from "../../git/paths.ts";
import type {InspectedChange} from "./inspected-change.ts";

let parse: ((text: string) => unknown) | null = null;

/** Loads the library if these files need it. Must have ended before the checks start. */
export async function loadYaml(change: Pick<InspectedChange, "files">): Promise<void> {
  if (needsYaml(change)) parse ??= (await import("../../detect/files/parse-yaml.ts")).parseYaml;
}

/** Throws if the checks would read a file of this change as if it had no settings. */
export function requireYaml(change: Pick<InspectedChange, "files">): void {
  if (parse === null && needsYaml(change)) throw new Error("the YAML parser is not loaded");
}

/** Configuration files without an ending, such as `.eslintrc`, may contain YAML too. */
const MAY_BE_YAML = [...YAML_FILE, "rc", ".clang-tidy"];
const needsYaml = ({files}: Pick<InspectedChange, "files">): boolean =>
  files.some(({path, basePath}) => isOfKind(path, MAY_BE_YAML) || isOfKind(basePath, MAY_BE_YAML));

/** Throws for invalid YAML. */
export function parseYaml(text: string): unknown {
  if (parse === null) throw new Error("the YAML parser is not loaded");
  return parse(text);
}
