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
import {readBodies} from "./node-bodies.ts";
import {installOf, managerOf} from "./node-manager.ts";
import {fromScripts} from "./node-named.ts";
import {type Look, pathOf, toolsFor} from "./node-project.ts";
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
  const look: Look = {
    project,
    root,
    file,
    manager,
    scripts: textEntries(valueAt(manifest, "scripts")),
    wireit: mapOf(valueAt(manifest, "wireit")),
  };
  const scripts = withWireit(look);
  const bodies = readBodies(scripts, new Set([...scripts.keys()].filter((name) => isOrchestrated(look, name))));
  const notes: Note[] = [];
  const stages: CandidateStage[] = [];
  const seen = new Set<string>();
  for (const kind of STAGE_KINDS) {
    const drafts = fromScripts({...look, scripts}, {kind, bodies, notes});
    stages.push(...drafts.filter((draft) => isNew(seen, draft)));
  }
  for (const kind of STAGE_KINDS) {
    if (stages.some((draft) => draft.kind === kind && screen(draft.command).kind === "ok")) continue;
    const shared = {tools: toolsFor(manager, null), path: pathOf(root)};
    const memberChecks =
      members.length > 0 && kind !== "check"
        ? inAllMembers({project, root, members, manager, kind, draft: shared})
        : [];
    stages.push(
      ...(memberChecks.length > 0 ? memberChecks : toolDrafts(look, kind)).filter((draft) => isNew(seen, draft)),
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

const isOrchestrated = (look: Look, name: string): boolean =>
  look.wireit.has(name) && look.scripts.get(name)?.trim() === "wireit";

/** Wireit keeps the real command, and the scripts that run before it, in a separate field. */
function withWireit(look: Look): ReadonlyMap<string, string> {
  const scripts = new Map(look.scripts);
  for (const [name, body] of look.scripts) {
    if (!isOrchestrated(look, name)) continue;
    const settings = look.wireit.get(name);
    const command = textEntries(settings).get("command");
    const dependencies = (
      Array.isArray(valueAt(settings, "dependencies")) ? valueAt(settings, "dependencies") : []
    ) as unknown;
    const prerequisites = Array.isArray(dependencies)
      ? dependencies.filter((item): item is string => typeof item === "string" && look.scripts.has(item))
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

function toolDrafts(look: Look, kind: StageKind): CandidateStage[] {
  return fromTools({project: look.project, root: look.root, kind, bun: look.manager.name === "bun"}).map((tool) => ({
    kind,
    command: look.manager.plugAndPlay ? `yarn run ${tool.command}` : tool.command,
    cwd: look.root,
    origin: tool.origin,
    evidence: "tool",
    tools: [
      {
        name: look.manager.plugAndPlay ? "yarn" : tool.program,
        hint: "the set-up installs it; see that its install step runs",
      },
    ],
    path: pathOf(look.root),
    label: tool.program,
  }));
}

function isNew(seen: Set<string>, draft: CandidateStage): boolean {
  const key = `${draft.cwd} ${draft.command}`;
  if (seen.has(key)) return false;
  seen.add(key);
  return true;
}
