/** melos: the scripts of a workspace of Dart packages that CI runs, by their commands. */
import type {StageKind} from "../../record/words.ts";
import {kindsOf} from "../../tools/stage-kind.ts";
import {inside} from "../files/project.ts";
import {findFirst, isInWorkflows, originOf} from "../proposals/candidate-stages.ts";
import type {CheckRow, Ecosystem, ProjectFolder, Proposal} from "../proposals/ecosystem.ts";
import {MELOS, type MelosScript, melosPackages, melosScriptsOfCi} from "../scripts/melos-scripts.ts";

export const melos: Ecosystem = {
  name: "melos",
  title: "melos",
  manifests: MELOS.files,
  where: "beside",
  detect,
};

function detect({project, root}: ProjectFolder): Proposal {
  const packages = melosPackages(project, root);
  const file = findFirst(project, root, MELOS.files);
  if (packages === null || file === null) return {};
  const folders = [root, ...packages];
  const inFolders = (name: string): string[] => folders.map((folder) => `/${inside(folder, name)}`);
  const isPrepared = isInWorkflows(project, /\bmelos (bootstrap|bs)\b|\/melos-action@/);
  const bootstrap = {
    command: "melos bootstrap",
    inputs: [...MELOS.files, ...inFolders("pubspec.yaml")],
    provides: [".dart_tool", "pubspec_overrides.yaml"].flatMap(inFolders),
  };
  return {
    tool: {name: MELOS.name, hint: MELOS.hint},
    origin: originOf(file, "a workspace of melos", MELOS.name),
    checks: melosScriptsOfCi(project, root).flatMap((script) => checkOf(file, script)),
    installs: isPrepared ? [bootstrap] : [],
  };
}

/** A script of one kind. It runs in the packages, and replaces the same tool in one. */
function checkOf(file: string, {name, runs}: MelosScript): CheckRow[] {
  const kinds = new Set<StageKind>(runs.flatMap(kindsOf));
  const [kind] = kinds;
  if (kinds.size !== 1 || (kind !== "lint" && kind !== "typecheck" && kind !== "test")) return [];
  const origin = originOf(file, `the script \`${name}\` of melos`, name);
  return [
    {
      kind,
      command: `${MELOS.command} ${name}`,
      runs,
      evidence: "named",
      origin,
      ...(kind === "test" && {slot: "melos:test"}),
    },
  ];
}
