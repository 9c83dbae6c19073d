/** Node.js and TypeScript: npm, pnpm, yarn and bun projects, first by their scripts, then by their tools. */
import type {Note} from "../../record/plan.ts";
import {STAGE_KINDS, type StageKind} from "../../record/words.ts";
import {mapOf, textEntries, valueAt} from "../files/manifest-values.ts";
import {inside} from "../files/project.ts";
import {
  type CandidateStage,
  type Ecosystem,
  EMPTY_PROPOSAL,
  type ProjectFolder,
  type Proposal,
} from "../proposals/ecosystem.ts";
import {screen} from "../proposals/screen.ts";
import {readBodies} from "../scripts/package-script-parts.ts";
import {installOf, managerOf} from "./node-manager.ts";
import {fromScripts} from "./node-named.ts";
import {type NodeProject, pathOf, toolsFor} from "./node-project.ts";
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
  if (manifest === undefined) return EMPTY_PROPOSAL;
  const manager = managerOf(project, root);
  const members = membersOf(project, root);
  const nodeProject: NodeProject = {
    project,
    root,
    file,
    manager,
    scripts: textEntries(valueAt(manifest, "scripts")),
    wireit: mapOf(valueAt(manifest, "wireit")),
  };
  const scripts = withWireit(nodeProject);
  const bodies = readBodies(scripts, new Set([...scripts.keys()].filter((name) => isOrchestrated(nodeProject, name))));
  const notes: Note[] = [];
  const stages: CandidateStage[] = [];
  const seenCommands = new Set<string>();
  for (const kind of STAGE_KINDS) {
    const candidates = fromScripts({...nodeProject, scripts}, {kind, bodies, notes});
    stages.push(...candidates.filter((candidate) => isNew(seenCommands, candidate)));
  }
  for (const kind of STAGE_KINDS) {
    if (stages.some((candidate) => candidate.kind === kind && screen(candidate.command).kind === "ok")) continue;
    const shared = {tools: toolsFor(manager, null), path: pathOf(root)};
    const memberChecks =
      members.length > 0 && kind !== "check"
        ? inAllMembers({project, root, members, manager, kind, draft: shared})
        : [];
    stages.push(
      ...(memberChecks.length > 0 ? memberChecks : toolDrafts(nodeProject, kind)).filter((candidate) =>
        isNew(seenCommands, candidate),
      ),
    );
  }
  const installs = ["dependencies", "devDependencies", "optionalDependencies"].some(
    (key) => mapOf(valueAt(manifest, key)).size > 0,
  );
  return {
    stages,
    setup: installs || members.length > 0 ? [installOf({root, manager, members})] : [],
    notes,
    covers: members,
  };
}

const isOrchestrated = (nodeProject: NodeProject, name: string): boolean =>
  nodeProject.wireit.has(name) && nodeProject.scripts.get(name)?.trim() === "wireit";

/** Wireit keeps the real command, and the scripts that run before it, in a separate field. */
function withWireit(nodeProject: NodeProject): ReadonlyMap<string, string> {
  const scripts = new Map(nodeProject.scripts);
  for (const [name, body] of nodeProject.scripts) {
    if (!isOrchestrated(nodeProject, name)) continue;
    const settings = nodeProject.wireit.get(name);
    const command = textEntries(settings).get("command");
    const dependencies = (
      Array.isArray(valueAt(settings, "dependencies")) ? valueAt(settings, "dependencies") : []
    ) as unknown;
    const prerequisites = Array.isArray(dependencies)
      ? dependencies.filter((item): item is string => typeof item === "string" && nodeProject.scripts.has(item))
      : [];
    // The chain is only read. The script's name starts wireit itself.
    scripts.set(
      name,
      [
        ...(command === undefined ? prerequisites.map((item) => `npm run ${item}`) : []),
        ...(command === undefined ? [] : [command]),
      ].join(" && ") || body,
    );
  }
  return scripts;
}

function toolDrafts(nodeProject: NodeProject, kind: StageKind): CandidateStage[] {
  return fromTools({
    project: nodeProject.project,
    root: nodeProject.root,
    kind,
    bun: nodeProject.manager.name === "bun",
  }).map((tool) => ({
    kind,
    command: nodeProject.manager.plugAndPlay ? `yarn run ${tool.command}` : tool.command,
    cwd: nodeProject.root,
    origin: tool.origin,
    evidence: "tool",
    tools: [
      {
        name: nodeProject.manager.plugAndPlay ? "yarn" : tool.program,
        hint: "the set-up installs it; see that its install step runs",
      },
    ],
    path: pathOf(nodeProject.root),
    label: tool.program,
  }));
}

function isNew(seenCommands: Set<string>, candidate: CandidateStage): boolean {
  const key = `${candidate.cwd} ${candidate.command}`;
  if (seenCommands.has(key)) return false;
  seenCommands.add(key);
  return true;
}
