/** Tells which projects below the root no command of the root folder reads: its own module, workspace or package. */
import {memoize} from "../../shell/memoize.ts";
import {splitShell} from "../../shell/split.ts";
import {toolOf, unwrap} from "../../tools/command-name.ts";
import type {ProjectFamily} from "../../tools/tool-command.ts";
import {valueAt} from "../files/manifest-values.ts";
import {foldersUpFrom, inside, type Project} from "../files/project.ts";
import {findProjectsRead} from "./members.ts";
import {findProjects} from "./projects.ts";
import {familyOf} from "./reach.ts";

/** True if this command, started in the root folder, reads no project that this folder belongs to. */
export type IsSeparate = (folder: string, command: string) => boolean;

/** Families whose root command reads only the projects that manifests name. Python's tools read all folders. */
const NAMES_MEMBERS = new Set<ProjectFamily>(["go", "rust", "node", "gradle", "maven"]);

/** The test for the tree. Projects are searched when it is first asked. */
export function separateProjects(tree: Project): IsSeparate {
  let projects: ReturnType<typeof findProjects> | undefined;
  const isSeparate = memoize((key: string): boolean => {
    const [folder = ".", family] = key.split("\0");
    const known = [...NAMES_MEMBERS].find((one) => one === family);
    if (known === undefined) return false;
    projects ??= findProjects(tree);
    if (known === "rust" && hasOwnWorkspace(tree, folder)) return true;
    const home = projects.homeOf(inside(folder, "x"), known);
    if (home === null || home === ".") return false;
    return !findProjectsRead(projects, {folder: ".", family: known, whole: true}).has(home);
  });
  return (folder, command) => {
    const [first] = splitShell(command) ?? [];
    if (folder === "." || first === undefined) return false;
    const words = unwrap(first.words);
    const family =
      familyOf(words) ??
      (toolOf(words).startsWith("script ") ? "node" : undefined) ??
      // Extensions read the projects that cargo reads.
      (/^cargo(-|$)/.test(words[0] ?? "") ? "rust" : undefined);
    return family !== undefined && isSeparate(`${folder}\0${family}`);
  };
}

/** True for a folder in a cargo workspace below the root. */
const hasOwnWorkspace = (tree: Project, folder: string): boolean =>
  foldersUpFrom(folder).some(
    (one) => one !== "." && valueAt(tree.toml(inside(one, "Cargo.toml")), "workspace") !== undefined,
  );
