/** Node: the checks that a project's scripts are, by their names. */
import type {Note, Stage} from "../../record/plan.ts";
import type {StageKind} from "../../record/words.ts";
import {kindOf, NAMES} from "../../tools/stage-kind.ts";
import {INSTALLED, originOf} from "../proposals/candidate-stages.ts";
import type {CheckRow} from "../proposals/ecosystem.ts";
import {safeVariant, screen} from "../proposals/screen.ts";
import {screenName} from "../proposals/screen-name.ts";
import type {Bodies} from "../scripts/package-script-parts.ts";
import {MANAGER_HINT, type NodeManager, type NodeProject, runScript} from "./node-manager.ts";

/** Scripts that check something other than the main script of their kind: both run. */
const ADDITIONAL: readonly (readonly [RegExp, string])[] = [
  [/^(format|fmt|prettier)([:-]check)?$|^check[:-](format|fmt|prettier)$|^(lint|test):(format|prettier)$/, "format"],
  [/^lint:(css|style)$|^stylelint$/, "css"],
  [/^lint:(md|package|ws)$/, "more"],
];

/** The checks of one kind: the alternatives of each family of names, best first. */
export function fromScripts(
  nodeProject: NodeProject,
  {kind, bodies, notes}: {kind: StageKind; bodies: Bodies; notes: Note[]},
): CheckRow[] {
  const scripts = [...nodeProject.scripts.keys()];
  const names = NAMES[kind].flatMap((name) =>
    scripts.filter((script) => script.toLowerCase().replaceAll("_", "-") === name),
  );
  return names.flatMap((name): CheckRow[] => {
    const reason = whySkipped(bodies, name);
    if (reason === null) return [checkOf(nodeProject, {kind, name, leaves: bodies.leavesOf(name)})];
    if (reason !== "") notes.push({about: `${nodeProject.file} scripts.${name}`, text: `skipped: ${reason}`});
    return [];
  });
}

/** Why a script is not used as a check, as text for a note; empty if no note is needed, null if it is used. */
function whySkipped(bodies: Bodies, name: string): string | null {
  const body = bodies.scripts.get(name) ?? "";
  if (body.trim() === "") return "";
  const [, built] = /^(?:\.\/)?(target\/\S+)/.exec(body) ?? [];
  if (built !== undefined) return `it starts \`${built}\`, which only a build makes`;
  const leaves = bodies.leavesOf(name);
  if (leaves.length === 0 && bodies.isReadable(name)) return "it only starts itself, and would never end";
  const asWritten = screen(body);
  if (asWritten.kind === "server" && /&\s/.test(body.replaceAll("&&", ""))) return asWritten.why;
  // One command has a form that ends and rewrites nothing.
  const lines = leaves.length === 1 ? leaves.map(safeVariant) : leaves;
  const unsafe = [screenName(name), ...lines.map(screen)].find(({kind}) => kind !== "ok" && kind !== "unknown");
  return unsafe !== undefined && "why" in unsafe ? unsafe.why : null;
}

function checkOf(
  {manager, file}: NodeProject,
  {kind, name, leaves}: {kind: StageKind; name: string; leaves: readonly string[]},
): CheckRow {
  const [only = "", ...others] = leaves;
  const safe = others.length === 0 ? safeVariant(only) : only;
  const isReplaced = safe !== only && !manager.plugAndPlay;
  const family = ADDITIONAL.find(([pattern]) => pattern.test(name))?.[1] ?? "";
  const kinds = new Set(leaves.map(kindOf));
  const [shown = null] = kinds;
  // A linter in a script called `test` counts as lint. Only the name of a script can make a command a build.
  const isShown = kinds.size === 1 && shown !== null && shown !== "build" && kind !== "build";
  return {
    kind: isShown ? shown : kind,
    command: isReplaced ? safe : runScript(manager, name),
    origin: originOf(
      file,
      `the script \`${name}\`${isReplaced ? ", in a form that ends and rewrites nothing" : ""}`,
      `scripts.${name}`,
    ),
    evidence: "named",
    ...(isReplaced && {tools: toolsFor(manager, safe)}),
    runs: isReplaced ? [safe] : leaves,
    slot: `node:${kind}:${family}`,
    ...(family !== "" && {label: family}),
  };
}

/** The program that a command needs. Stages may use `node` without an install step. */
function toolsFor(manager: NodeManager, command: string): Stage["tools"] {
  const [name = ""] = command.split(" ");
  if (!/^[\w.@-]+$/.test(name)) return [];
  if (name === manager.name) return [{name, hint: MANAGER_HINT[manager.name]}];
  return [{name, hint: name === "node" ? MANAGER_HINT.npm : INSTALLED}];
}
