/** Node: what every part of the detector looks at, and what its drafts have in common. */

import {folderOf, inside, type Project} from "../files/project.ts";
import type {CandidateStage} from "../proposals/ecosystem.ts";
import {MANAGER_HINT, type Manager} from "./node-manager.ts";

export interface Look {
  readonly project: Project;
  readonly root: string;
  readonly file: string;
  readonly manager: Manager;
  readonly scripts: ReadonlyMap<string, string>;
  readonly wireit: ReadonlyMap<string, unknown>;
}

/** The program that a draft needs: the command's own, or with null the package manager. No install brings `node` itself. */
export function toolsFor(manager: Manager, command: string | null): CandidateStage["tools"] {
  const name = command?.split(" ")[0] ?? manager.name;
  if (!/^[\w.@-]+$/.test(name)) return [];
  if (name === manager.name) return [{name, hint: MANAGER_HINT[manager.name]}];
  return [{name, hint: name === "node" ? MANAGER_HINT.npm : "the set-up installs it; see that its install step runs"}];
}

/** Where the tools of the folder are, and those of the folders above it. */
export function pathOf(root: string): string[] {
  const folders = [root];
  for (let here = root; here !== "."; here = folderOf(here)) folders.push(folderOf(here));
  return folders.map((folder) => inside(folder, "node_modules/.bin"));
}
