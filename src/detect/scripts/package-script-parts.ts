/** Node: reads the bodies of package.json scripts and finds the commands that they finally start. */
import {memoize} from "../../shell/memoize.ts";
import {type SimpleCommand, splitShell} from "../../shell/split.ts";
import {unwrap} from "../../tools/command-name.ts";
import {screen} from "../proposals/screen.ts";

export type ScriptBodies = ReadonlyMap<string, string>;

/** One command of a script. */
interface Piece {
  /** the text in the script */
  readonly text: string;
  /** scripts of the same package that it starts */
  readonly refs: readonly string[];
  /** arguments that are added to the one script it starts */
  readonly extra: string;
}

export interface Bodies {
  readonly scripts: ScriptBodies;
  /** false for a script whose shell code cannot be read */
  isReadable(name: string): boolean;
  /** the plain commands that a script finally runs, through other scripts too; empty if it cannot be read */
  leavesOf(name: string): readonly string[];
}

const MAX_PIECES = 100;
/** Commands that change the folder or the variables for all later commands. */
const CHANGES_CONTEXT = new Set(["cd", "pushd", "popd", "export", "set", "source", "."]);

/** The package managers' own commands, which no script replaces. */
const MANAGER_COMMANDS: Readonly<Record<string, ReadonlySet<string>>> = {
  pnpm: new Set("install i add remove publish pack audit link import update up dlx exec create init".split(" ")),
  yarn: new Set("install add remove publish pack audit link import upgrade up dlx exec create init version".split(" ")),
  bun: new Set("build test x init create install i add remove update link pm publish exec".split(" ")),
};
/** npm runs only these scripts without `run`. */
const NPM_SCRIPTS = new Set(["test", "start", "stop", "restart"]);
const isManagerCommand = (program: string, word: string): boolean =>
  program === "npm" ? !NPM_SCRIPTS.has(word) : MANAGER_COMMANDS[program]?.has(word) === true;
/**
 * pnpm's way to start several scripts: `"/^test:(unit|types)$/"`. Only this simple form is accepted, because a foreign
 * pattern can backtrack without end.
 */
const SELECTS = /^\/\^?(?:[\w:-]|\.\*|\([\w:|-]+\))+\$?\/$/;
/** Options that make a manager run the scripts of other packages. */
const IN_OTHER_PACKAGES =
  /^(-w|-ws|--workspace|--workspaces|-r|--recursive|--filter|-F|-C|--dir|--prefix|--cwd|workspaces?)(=.*)?$/;

/** Reads each body once, even if scripts start each other. */
export function readBodies(scripts: ScriptBodies): Bodies {
  const bodies = bodiesOf.get(scripts) ?? createBodies(scripts);
  bodiesOf.set(scripts, bodies);
  return bodies;
}

/** Cached because every kind of stage asks for the same scripts. */
const bodiesOf = new WeakMap<ScriptBodies, Bodies>();

function createBodies(scripts: ScriptBodies): Bodies {
  const piecesOf = memoize((name) => parse(scripts, scripts.get(name) ?? ""));
  const around = (name: string): string[] =>
    [`pre${name}`, name, `post${name}`].filter((script) => scripts.has(script));
  const leavesBy = ({refs, text, extra}: Piece, leavesOfRef: (ref: string) => readonly string[]): string[] =>
    refs.length === 0 ? [text] : refs.flatMap(leavesOfRef).map((leaf) => (extra === "" ? leaf : `${leaf} ${extra}`));
  const collect = (name: string, seen: Set<string>): string[] => {
    if (seen.has(name)) return [];
    seen.add(name);
    const pieces = around(name).flatMap((script) => piecesOf(script) ?? []);
    return pieces.flatMap((piece) => leavesBy(piece, (ref) => collect(ref, seen))).slice(0, MAX_PIECES);
  };
  const leavesOf = memoize((name) => withoutMessages(collect(name, new Set())));
  return {
    scripts,
    leavesOf,
    isReadable: (name) => around(name).every((script) => piecesOf(script) !== null),
  };
}

/** `if [ "$BROWSERS" = 1 ]; then …; else …; fi`: a choice by a variable that its user sets. */
const BY_VARIABLE =
  /\bif (?:test|\[) "?\$\{?(?!CI\b|npm_|NODE_ENV\b|GITHUB_)[A-Z]\w*\}?"?(?: ==? "?[\w.-]+"?)?(?: \])? ?; then ((?:(?!\b(?:if|fi|else)\b).)+); else ((?:(?!\b(?:if|fi|else)\b).)+); fi\b/g;

/** The commands of a script; null if its shell code cannot be read. */
function parse(scripts: ScriptBodies, script: string): Piece[] | null {
  const text = script.replace(BY_VARIABLE, (_, _chosen: string, otherwise: string) => otherwise);
  const commands = splitShell(text);
  if (commands === null) return null;
  const moves = commands.some((command) => CHANGES_CONTEXT.has(command.words[0] ?? ""));
  return commands
    .filter((command) => command.words.length > 0)
    .slice(0, MAX_PIECES + 1)
    .map((command): Piece => {
      const isPlain = Object.keys(command.env).length === 0 && !moves;
      const {refs, extra} = (isPlain ? startedScripts(scripts, command) : null) ?? {refs: [], extra: ""};
      return {text: text.slice(command.start, command.end).trim(), refs, extra};
    });
}

/** The scripts of this package that a command starts; null if there are none, or if they belong to another package. */
function startedScripts(scripts: ScriptBodies, command: SimpleCommand): {refs: string[]; extra: string} | null {
  const [program = "", ...rest] = unwrap(command.words);
  if (["npm", "pnpm", "yarn", "bun"].includes(program)) {
    if (rest.some((word) => IN_OTHER_PACKAGES.test(word))) return null;
    const managerWords = program === "pnpm" ? rest.slice(rest.findIndex((word) => !word.startsWith("-"))) : rest;
    const [name = "", ...extra] = managerWords.filter(
      (word) => !["-s", "--silent", "run", "run-script"].includes(word),
    );
    if (program === "pnpm" && extra.length === 0 && SELECTS.test(name)) {
      const refs = [...scripts.keys()].filter((script) => new RegExp(name.slice(1, -1)).test(script));
      return refs.length > 0 ? {refs, extra: ""} : null;
    }
    const script = name === "t" ? "test" : name;
    if (!["run", "run-script"].includes(rest[0] ?? "") && isManagerCommand(program, script)) return null;
    if (script.startsWith("-") || !scripts.has(script)) return null;
    const raws = command.raws.slice(command.raws.length - extra.length).filter((word, i) => word !== "--" || i > 0);
    return {refs: [script], extra: raws.slice(0, extra.length).join(" ")};
  }
  if (program === "node" && rest[0] === "--run" && scripts.has(rest[1] ?? ""))
    return {refs: [rest[1] ?? ""], extra: ""};
  if (!["run-s", "run-p", "npm-run-all", "npm-run-all2", "concurrently"].includes(program)) return null;
  const patterns = rest
    .filter((word) => !word.startsWith("-"))
    .map((word) => word.replace(/^npm:/, "").replace(/^(npm|pnpm|yarn|bun) (run )?/, ""));
  const groups = patterns.map((word) => matchingScripts(scripts, word));
  return groups.length > 0 && groups.every((group) => group.length > 0) ? {refs: groups.flat(), extra: ""} : null;
}

function matchingScripts(scripts: ScriptBodies, pattern: string): string[] {
  if (!pattern.includes("*")) return scripts.has(pattern) ? [pattern] : [];
  const [head = ""] = pattern.split("*");
  const deep = pattern.endsWith("**");
  return [...scripts.keys()].filter(
    (name) => name.startsWith(head) && (deep || !name.slice(head.length).includes(":")),
  );
}

/** The leaves without commands that only print, unless all of them do. */
function withoutMessages(leaves: readonly string[]): readonly string[] {
  const real = leaves.filter((leaf) => screen(leaf).kind !== "placeholder");
  return real.length > 0 ? real : leaves;
}
