/** Node: the facts that all parts of the detector share, and the common fields of its candidates. */

import {folderOf, inside, type Project} from "../files/project.ts";
import type {CandidateStage} from "../proposals/ecosystem.ts";
import {MANAGER_HINT, type NodeManager} from "./node-manager.ts";

export interface NodeProject {
  readonly project: Project;
  readonly root: string;
  readonly file: string;
  readonly manager: NodeManager;
  readonly scripts: ReadonlyMap<string, string>;
  readonly wireit: ReadonlyMap<string, unknown>;
}

/** The program that a candidate needs: the command's own, or for null the package manager. No install step provides `node`. */
export function toolsFor(manager: NodeManager, command: string | null): CandidateStage["tools"] {
  const name = command?.split(" ")[0] ?? manager.name;
  if (!/^[\w.@-]+$/.test(name)) return [];
  if (name === manager.name) return [{name, hint: MANAGER_HINT[manager.name]}];
  return [{name, hint: name === "node" ? MANAGER_HINT.npm : "the set-up installs it; see that its install step runs"}];
}

/** The folders of the installed tools, of this folder and of those above it. */
export function pathOf(root: string): string[] {
  const folders = [root];
  for (let folder = root; folder !== "."; folder = folderOf(folder)) folders.push(folderOf(folder));
  return folders.map((folder) => inside(folder, "node_modules/.bin"));
}
