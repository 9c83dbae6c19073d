/** Node.js and TypeScript: npm, pnpm, yarn and bun projects, first by their scripts, then by their tools. */
import type {Note} from "../../record/plan.ts";
import {STAGE_KINDS} from "../../record/words.ts";
import {mapOf, textAt, textEntries, textsOf, valueAt} from "../files/manifest-values.ts";
import {foldersUpFrom, inside} from "../files/project.ts";
import type {CheckRow, Ecosystem, ProjectFolder, Proposal} from "../proposals/ecosystem.ts";
import {screen} from "../proposals/screen.ts";
import {readBodies} from "../scripts/package-script-parts.ts";
import {installOf, MANAGER_HINT, managerOf, type NodeProject, ownScriptsOf} from "./node-manager.ts";
import {fromScripts} from "./node-named.ts";
import {fromTools} from "./node-tools.ts";
import {inAllMembers, membersOf} from "./node-workspaces.ts";

export const node: Ecosystem = {
  name: "node",
  title: "Node.js and TypeScript",
  manifests: ["package.json"],
  where: "anywhere",
  detect,
};

function detect({project, root}: ProjectFolder): Proposal {
  const file = inside(root, "package.json");
  const manifest = project.json(file);
  if (manifest === undefined) return {};
  const manager = managerOf(project, root);
  const members = membersOf(project, root);
  const scripts = readScripts(manifest);
  const notes: Note[] = [];
  const nodeProject: NodeProject = {project, root, file, manager, scripts};
  const bodies = readBodies(scripts);
  const checks: CheckRow[] = [];
  const add = (check: CheckRow): void => {
    if (!checks.some(({cwd, command}) => cwd === check.cwd && command === check.command)) checks.push(check);
  };
  for (const kind of STAGE_KINDS) fromScripts(nodeProject, {kind, bodies, notes}).forEach(add);
  for (const kind of STAGE_KINDS) {
    if (checks.some((check) => check.kind === kind && screen(check.command).kind === "ok")) continue;
    const memberChecks = kind === "check" ? [] : inAllMembers(nodeProject, members, kind);
    (memberChecks.length > 0 ? memberChecks : fromTools(nodeProject, kind)).forEach(add);
  }
  const hasDependencies = ["dependencies", "devDependencies", "optionalDependencies"].some(
    (key) => mapOf(valueAt(manifest, key)).size > 0,
  );
  return {
    tool: {name: manager.name, hint: MANAGER_HINT[manager.name]},
    // The programs of this folder's packages, and of the packages of the folders above it.
    shared: {path: foldersUpFrom(root).map((folder) => inside(folder, "node_modules/.bin"))},
    checks,
    installs: [
      ...(hasDependencies || members.length > 0 ? [installOf({root, manager, members})] : []),
      ...ownScriptsOf({project, root, manager, members}),
    ],
    notes,
    covers: members,
  };
}

/** The scripts of a manifest. Wireit keeps the real command, or the scripts that run before it, in a separate field. */
function readScripts(manifest: unknown): Map<string, string> {
  const scripts = new Map(textEntries(valueAt(manifest, "scripts")));
  const isScript = (name: string): boolean => scripts.has(name);
  for (const [name, settings] of mapOf(valueAt(manifest, "wireit"))) {
    const body = scripts.get(name) ?? "";
    if (body.trim() !== "wireit") continue;
    const prerequisites = textsOf(valueAt(settings, "dependencies")).filter(isScript);
    // The chain is only used for detection. wireit itself runs by the script's name.
    const chain = textAt(settings, "command") ?? prerequisites.map((item) => `npm run ${item}`).join(" && ");
    scripts.set(name, chain || body);
  }
  return scripts;
}
