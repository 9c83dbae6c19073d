/** Node: the checks of a project's scripts, found by their names or by their commands. */
import type {Note, Stage} from "../../record/plan.ts";
import type {StageKind} from "../../record/words.ts";
import {toolOf} from "../../tools/command-name.ts";
import {kindOf, kindOfName, NAMES} from "../../tools/stage-kind.ts";
import {INSTALLED, originOf} from "../proposals/candidate-stages.ts";
import type {CheckRow} from "../proposals/ecosystem.ts";
import {screen} from "../proposals/screen.ts";
import {screenName} from "../proposals/screen-name.ts";
import type {Bodies} from "../scripts/package-script-parts.ts";
import {type Part, partsOf} from "../scripts/package-scripts.ts";
import {MANAGER_HINT, type NodeManager, type NodeProject, runScript} from "./node-manager.ts";
import {withoutOutput} from "./node-typescript.ts";

/** Scripts that check something other than the main script of their kind: both run. */
const ADDITIONAL: readonly (readonly [RegExp, string])[] = [
  [/^(format|fmt|prettier)([:-]check)?$|^check[:-](format|fmt|prettier)$|^(lint|test):(format|prettier)$/, "format"],
  [/^lint:(css|style)$|^stylelint$/, "css"],
  [/^lint:(md|package|ws)$/, "more"],
];

/** If more scripts than this have one kind, the others are variants. */
const MAX_BY_BODY = 3;

/** The checks of one kind: the alternatives of each family of names, best first. */
export function fromScripts(
  nodeProject: NodeProject,
  {kind, bodies, notes}: {kind: StageKind; bodies: Bodies; notes: Note[]},
): CheckRow[] {
  const scripts = [...nodeProject.scripts.keys()];
  const normalizedNames = scripts.map((script) => script.toLowerCase().replaceAll("_", "-"));
  const names = [
    ...NAMES[kind].flatMap((name) => scripts.filter((_, i) => normalizedNames[i] === name)),
    ...(kind === "lint" ? scripts.filter((script) => isFormatCheck(bodies, script)) : []),
  ];
  const namesByBody = names.length > 0 ? [] : namedByBody(nodeProject, kind, bodies);
  const checks: CheckRow[] = [];
  const startedNames = new Set<string>();
  const coveredCommands = new Set<string>();
  for (const name of [...names, ...namesByBody]) {
    const family = namesByBody.includes(name) ? name : (ADDITIONAL.find(([pattern]) => pattern.test(name))?.[1] ?? "");
    const parts = partsOf(bodies, name, kind);
    const reason = whySkipped({bodies, name, parts, covered: coveredCommands});
    if (reason !== null) {
      if (reason !== "") notes.push({about: `${nodeProject.file} scripts.${name}`, text: reason});
      continue;
    }
    const leaves = parts.flatMap((part) => part.leaves);
    const slot = `node:${kind}:${family}`;
    const isFirst = !startedNames.has(slot);
    startedNames.add(slot);
    if (isFirst && parts.length > 1) for (const leaf of leaves) coveredCommands.add(leaf);
    const ofKind = parts.filter((part) => part.kind === kind);
    const main = ofKind.find((part) => part.leaves.every((leaf) => screen(leaf).kind === "ok")) ?? ofKind[0];
    const isSplit = isFirst || (main !== undefined && parts.length === 1);
    const wholeScript: Part = {kind, script: name, line: null, leaves};
    for (const part of isSplit ? parts : [wholeScript])
      checks.push(checkOf(nodeProject, part, {slot: isSplit && part !== main ? null : slot, family, name}));
  }
  return checks;
}

/** Why a script is not used as a check, as text for a note; empty if no note is needed, null if it is used. */
function whySkipped(script: {
  bodies: Bodies;
  name: string;
  parts: readonly Part[];
  /** the commands of earlier scripts */
  covered: ReadonlySet<string>;
}): string | null {
  const {bodies, name, parts, covered} = script;
  const body = bodies.scripts.get(name) ?? "";
  const [, built] = /^(?:\.\/)?(target\/\S+)/.exec(body) ?? [];
  if (built !== undefined) return `skipped: it starts \`${built}\`, which only a build makes`;
  const asWritten = screen(body);
  if (asWritten.kind === "server" && /&\s/.test(body.replaceAll("&&", ""))) return `skipped: ${asWritten.why}`;
  const byName = isFormatCheck(bodies, name) ? [] : [screenName(name)];
  const screenings = [...byName, ...parts.flatMap((part) => part.leaves.map(screen))];
  const unsafe = screenings.find(({kind}) => kind !== "ok" && kind !== "unknown");
  if (unsafe !== undefined && "why" in unsafe && parts.length <= 1) return `skipped: ${unsafe.why}`;
  if (body.trim() === "") return "";
  if (bodies.piecesOf(name) !== null && bodies.leavesOf(name).length === 0)
    return "skipped: it only starts itself, and would never end";
  const isCovered = parts.every(({leaves}) => leaves.length > 0 && leaves.every((leaf) => covered.has(leaf)));
  return isCovered ? "skipped: another script runs its commands too" : null;
}

/** A compiler without `--noEmit` may be needed for its output. */
const isCompiler = (leaf: string): boolean => /(^|\s)(tsc|tsgo|vue-tsc)(\s|$)/.test(leaf) && !/--noEmit\b/.test(leaf);

/** True if a script such as `format`, which usually rewrites files, only checks: `"format": "prettier --check ."`. */
function isFormatCheck(bodies: Bodies, name: string): boolean {
  const leaves = bodies.leavesOf(name);
  // Without such an option a formatter prints its output and does not fail.
  const looks = (leaf: string): boolean =>
    kindOf(leaf) === "lint" &&
    screen(leaf).kind === "ok" &&
    /\s(--check|-c|--list-different|-l|check|ci)(\s|$)/.test(leaf);
  return /^(format|fmt|prettier)$/.test(name) && leaves.length > 0 && leaves.every(looks);
}

/** Scripts whose commands show their kind although their names do not: `"test:code": "eslint ."`. */
function namedByBody(nodeProject: NodeProject, kind: StageKind, bodies: Bodies): string[] {
  if (kind === "build" || kind === "check") return [];
  const ofKind = (leaf: string): boolean =>
    kindOf(leaf) === kind && screen(leaf).kind === "ok" && (kind !== "typecheck" || !isCompiler(leaf));
  return [...nodeProject.scripts.keys()]
    .filter((name) => kindOfName(name) === null && !/^(pre|post)/.test(name) && screenName(name).kind === "ok")
    .filter((name) => bodies.leavesOf(name).length > 0 && bodies.leavesOf(name).every(ofKind))
    .slice(0, MAX_BY_BODY);
}

function checkOf(
  nodeProject: NodeProject,
  {kind, script, line, leaves}: Part,
  {slot, family, name}: {slot: string | null; family: string; name: string},
): CheckRow {
  const {project, root, manager, file, scripts} = nodeProject;
  const isManaged = line === null || manager.plugAndPlay;
  const direct = isManaged ? null : kind === "typecheck" ? withoutOutput(project, root, line) : line;
  const body = scripts.get(script) ?? "";
  const isOwn = script === name;
  const via = isOwn ? "" : `, which \`${name}\` starts`;
  const suffix = !isOwn
    ? script.replace(/^(test|lint|check)[:-]/, "")
    : direct === null
      ? ""
      : toolOf(direct.split(" "));
  const label = family || suffix;
  let change = "";
  if (direct !== null && direct !== body.trim()) {
    if (direct !== line) change = ", without output files";
    else
      change = screen(body).kind === "ok" ? ", split into its commands" : ", in a form that ends and rewrites nothing";
  }
  return {
    kind,
    command: direct ?? runScript(manager, script),
    origin: originOf(file, `the script \`${script}\`${via}${change}`, `scripts.${script}`),
    evidence: "named",
    ...(direct !== null && {tools: toolsFor(manager, direct)}),
    runs: [...(line === null || isOwn ? [`npm run ${script}`] : []), ...leaves],
    ...(slot !== null && {slot}),
    ...(label !== "" && {label}),
  };
}

/** The program that a command needs. Stages may use `node` without an install step. */
function toolsFor(manager: NodeManager, command: string): Stage["tools"] {
  const [name = ""] = command.split(" ");
  if (!/^[\w.@-]+$/.test(name)) return [];
  if (name === manager.name) return [{name, hint: MANAGER_HINT[manager.name]}];
  return [{name, hint: name === "node" ? MANAGER_HINT.npm : INSTALLED}];
}
