/** Node: the checks of a project's scripts, found by their names or by their commands. */
import type {Note} from "../../record/plan.ts";
import type {StageKind} from "../../record/words.ts";
import {toolOf} from "../../shell/program.ts";
import {kindOf, kindOfName, NAMES} from "../../shell/stage-kind.ts";
import type {CandidateStage} from "../proposals/ecosystem.ts";
import {screen, screenName} from "../proposals/screen.ts";
import type {Bodies} from "../scripts/package-script-parts.ts";
import {type Part, partsOf} from "../scripts/package-scripts.ts";
import {runScript} from "./node-manager.ts";
import {type NodeProject, pathOf, toolsFor} from "./node-project.ts";
import {withoutOutput} from "./node-typescript.ts";

/** Scripts that check something other than the main script of their kind: both run. */
const ADDITIONAL: readonly (readonly [RegExp, string])[] = [
  [/^(format|fmt|prettier)([:-]check)?$|^check[:-](format|fmt|prettier)$|^(lint|test):(format|prettier)$/, "format"],
  [/^lint:(css|style)$|^stylelint$/, "css"],
  [/^lint:(md|package|ws)$/, "more"],
];

/** If more scripts than this have one kind, the others are variants. */
const MAX_BY_BODY = 3;

/** The candidates of one kind: the alternatives of each family of names, best first. */
export function fromScripts(
  nodeProject: NodeProject,
  o: {kind: StageKind; bodies: Bodies; notes: Note[]},
): CandidateStage[] {
  const {kind, bodies, notes} = o;
  const scripts = [...nodeProject.scripts.keys()];
  const normalizedNames = scripts.map((script) => script.toLowerCase().replaceAll("_", "-"));
  const names = [
    ...NAMES[kind].flatMap((name) => scripts.filter((_, i) => normalizedNames[i] === name)),
    ...(kind === "lint" ? scripts.filter((script) => isFormatCheck(bodies, script)) : []),
  ];
  const namesByBody = names.length > 0 ? [] : namedByBody(nodeProject, kind, bodies);
  const candidates: CandidateStage[] = [];
  const begun = new Set<string>();
  const covered = new Set<string>();
  for (const name of [...names, ...namesByBody]) {
    const body = nodeProject.scripts.get(name) ?? "";
    const family = namesByBody.includes(name) ? name : (ADDITIONAL.find(([pattern]) => pattern.test(name))?.[1] ?? "");
    const parts = partsOf(bodies, name, kind);
    const asWritten = screen(body);
    const background = asWritten.kind === "server" && /&\s/.test(body.replaceAll("&&", "")) ? asWritten : undefined;
    const unsafe = [
      ...(isFormatCheck(bodies, name) ? [] : [screenName(name)]),
      ...parts.flatMap((part) => part.leaves.map(screen)),
    ].find((found) => found.kind !== "ok" && found.kind !== "unknown");
    const objection = background ?? unsafe;
    if (objection !== undefined && "why" in objection && (parts.length <= 1 || objection === background)) {
      notes.push({about: `${nodeProject.file} scripts.${name}`, text: `passed over: ${objection.why}`});
      continue;
    }
    if (body.trim() === "") continue;
    if (bodies.piecesOf(name) !== null && bodies.leavesOf(name).length === 0) {
      notes.push({
        about: `${nodeProject.file} scripts.${name}`,
        text: "skipped: it only starts itself, and would never end",
      });
      continue;
    }
    const slot = `node:${kind}:${family}`;
    if (parts.every((part) => part.leaves.length > 0 && part.leaves.every((leaf) => covered.has(leaf)))) {
      notes.push({about: `${nodeProject.file} scripts.${name}`, text: "skipped: another script runs its commands too"});
      continue;
    }
    const isFirst = !begun.has(slot);
    begun.add(slot);
    if (isFirst && parts.length > 1) for (const leaf of parts.flatMap((part) => part.leaves)) covered.add(leaf);
    const ofKind = parts.filter((part) => part.kind === kind);
    const main = ofKind.find((part) => part.leaves.every((leaf) => screen(leaf).kind === "ok")) ?? ofKind[0];
    if (isFirst || (main !== undefined && parts.length === 1))
      candidates.push(
        ...parts.map((part) => toDraft(nodeProject, part, {slot: part === main ? slot : null, family, name})),
      );
    else {
      const leaves = parts.flatMap((part) => part.leaves);
      candidates.push(toDraft(nodeProject, {kind, script: name, line: null, leaves}, {slot, family, name}));
    }
  }
  return candidates;
}

/** A compiler without `--noEmit` may be needed for its output. */
const isCompiler = (leaf: string): boolean => /(^|\s)(tsc|tsgo|vue-tsc)(\s|$)/.test(leaf) && !/--noEmit\b/.test(leaf);

/** `format` rewrites files in most projects. True if it only checks: `"format": "prettier --check ."`. */
function isFormatCheck(bodies: Bodies, name: string): boolean {
  const leaves = bodies.leavesOf(name);
  // Without such an option a formatter prints its output and does not fail.
  const looks = (leaf: string): boolean =>
    kindOf(leaf) === "lint" &&
    screen(leaf).kind === "ok" &&
    /\s(--check|-c|--list-different|-l|check|ci)(\s|$)/.test(leaf);
  return /^(format|fmt|prettier)$/.test(name) && leaves.length > 0 && leaves.every(looks);
}

/** Scripts whose commands show their kind although the name does not: `"test:code": "eslint ."`. */
function namedByBody(nodeProject: NodeProject, kind: StageKind, bodies: Bodies): string[] {
  if (kind === "build" || kind === "check") return [];
  const ofKind = (leaf: string): boolean =>
    kindOf(leaf) === kind && screen(leaf).kind === "ok" && (kind !== "typecheck" || !isCompiler(leaf));
  return [...nodeProject.scripts.keys()]
    .filter((name) => kindOfName(name) === null && !/^(pre|post)/.test(name) && screenName(name).kind === "ok")
    .filter((name) => bodies.leavesOf(name).length > 0 && bodies.leavesOf(name).every(ofKind))
    .slice(0, MAX_BY_BODY);
}

function toDraft(
  nodeProject: NodeProject,
  part: Part,
  o: {slot: string | null; family: string; name: string},
): CandidateStage {
  const {root, manager, file} = nodeProject;
  const managed = part.line === null || manager.plugAndPlay;
  const line =
    part.kind === "typecheck" ? withoutOutput(nodeProject.project, root, part.line ?? "") : (part.line ?? "");
  const command = managed ? runScript(manager, part.script) : line;
  const body = nodeProject.scripts.get(part.script) ?? "";
  const via = part.script === o.name ? "" : `, which \`${o.name}\` starts`;
  const change =
    managed || body.trim() === command
      ? ""
      : line !== part.line
        ? ", without output files"
        : screen(body).kind === "ok"
          ? ", split into its commands"
          : ", in a form that ends and rewrites nothing";
  const suffix =
    part.script === o.name
      ? managed
        ? ""
        : toolOf(command.split(" "))
      : part.script.replace(/^(test|lint|check)[:-]/, "");
  const label = o.family !== "" ? o.family : suffix;
  return {
    kind: part.kind,
    command,
    cwd: root,
    origin: {file, key: `scripts.${part.script}`, why: `the script \`${part.script}\`${via}${change}`},
    evidence: "named",
    tools: toolsFor(manager, managed ? null : command),
    path: pathOf(root),
    runs: [...(part.line === null || part.script === o.name ? [`npm run ${part.script}`] : []), ...part.leaves],
    ...(o.slot === null ? {} : {slot: o.slot}),
    ...(label === "" ? {} : {label}),
  };
}
