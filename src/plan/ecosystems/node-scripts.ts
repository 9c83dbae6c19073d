/** Node: reads the bodies of package.json scripts, and takes composite ones apart. */
import type {StageKind} from "../../words.ts";
import {baseName, unwrap} from "../commands.ts";
import {kindOfName, kindOfWords} from "../kinds.ts";
import {screen} from "../screen.ts";
import {type SimpleCommand, splitShell} from "../shell.ts";

/** One check that a script comes down to. */
export interface Part {
  kind: StageKind;
  /** the script that holds it */
  script: string;
  /** the line to run by itself; null: the script must be started by the package manager */
  line: string | null;
  /** the plain commands at the end of it */
  leaves: string[];
}

const MAX_DEPTH = 12;
const MAX_PIECES = 100;
/** Tools that need nothing of what a package manager sets up but their place on the PATH. */
const DIRECT =
  /^(tsc|tsgo|vue-tsc|svelte-check|eslint|oxlint|biome|xo|standard|prettier|stylelint|vitest|jest|mocha|ava)$/;

interface Piece {
  /** text as it stands in the script */
  text: string;
  words: readonly string[];
  /** scripts of the same package that it starts */
  refs: readonly string[];
  /** arguments that are added to the one script it starts */
  extra: string;
}

/**
 * The checks that a script comes down to. Read-only parts of a chain (`eslint . && ava`) come out one by one, so that each is
 * reported and none runs twice; what must stay together (a build before the tests) stays together.
 */
export function partsOf(scripts: ReadonlyMap<string, string>, name: string, kind: StageKind): Part[] {
  return takeApart(scripts, name, kind, new Set());
}

function takeApart(
  scripts: ReadonlyMap<string, string>,
  name: string,
  kind: StageKind,
  seen: ReadonlySet<string>,
): Part[] {
  const whole: Part = {kind, script: name, line: null, leaves: leavesOf(scripts, name)};
  const pieces = seen.size < MAX_DEPTH ? piecesOf(scripts, name) : null;
  if (pieces === null || seen.has(name) || kind === "build") return [whole];
  const inner = new Set([...seen, name]);
  const [only] = pieces;
  if (pieces.length === 1 && only !== undefined) return single({scripts, piece: only, whole, seen: inner});
  const peeled = pieces.filter((piece) => isReadOnly(scripts, piece));
  const rest = pieces.filter((piece) => !peeled.includes(piece));
  const tests = rest.every((piece) => piece.refs.length > 0 && piece.refs.every((ref) => kindOfName(ref) !== "build"));
  if (peeled.length === 0 && !tests) return [whole];
  const parts = peeled.flatMap((piece) => alone(scripts, piece, {whole, seen: inner}));
  if (rest.length === 0) return parts;
  if (rest.length === 1 || tests)
    return [...parts, ...rest.flatMap((piece) => alone(scripts, piece, {whole, seen: inner}))];
  return [
    ...parts,
    {
      ...whole,
      line: rest.map((piece) => piece.text).join(" && "),
      leaves: rest.flatMap((piece) => leavesOfPiece(scripts, piece)),
    },
  ];
}

/** A script that is one command: started by itself where nothing is lost by that. */
function single(o: {
  scripts: ReadonlyMap<string, string>;
  piece: Piece;
  whole: Part;
  seen: ReadonlySet<string>;
}): Part[] {
  if (o.piece.refs.length > 0) return alone(o.scripts, o.piece, o);
  const text = safely(o.piece.text);
  const direct = DIRECT.test(unwrap(o.piece.words)[0] ?? "") && !o.piece.text.includes("$");
  const kind = refine(o.whole.kind, kindOfWords(o.piece.words));
  return [{...o.whole, kind, line: direct || text !== o.piece.text ? text : null, leaves: [text]}];
}

function alone(
  scripts: ReadonlyMap<string, string>,
  piece: Piece,
  o: {whole: Part; seen: ReadonlySet<string>},
): Part[] {
  if (piece.refs.length === 0) {
    const text = safely(piece.text);
    return [{kind: refine(o.whole.kind, kindOfWords(piece.words)), script: o.whole.script, line: text, leaves: [text]}];
  }
  if (piece.extra !== "") {
    const leaves = leavesOfPiece(scripts, piece);
    return [{...o.whole, line: leaves.length === 1 ? safely(leaves[0] ?? "") : piece.text, leaves: leaves.map(safely)}];
  }
  return piece.refs.flatMap((ref) => takeApart(scripts, ref, kindOfName(ref) ?? o.whole.kind, o.seen));
}

/** A line made safe where the screen knows how. */
function safely(line: string): string {
  const found = screen(line);
  return "instead" in found && found.instead !== undefined ? found.instead : line;
}

/** A linter in a script called `test` is lint; but only a script's name can make something a build. */
function refine(promised: StageKind, told: StageKind | null): StageKind {
  return told === null || told === "build" || promised === "build" ? promised : told;
}

function isReadOnly(scripts: ReadonlyMap<string, string>, piece: Piece): boolean {
  const leaves = leavesOfPiece(scripts, piece).map((leaf) => splitShell(leaf)?.[0]);
  return (
    leaves.length > 0 &&
    leaves.every((leaf) => {
      const kind = leaf === undefined ? null : kindOfWords(leaf.words);
      // A compiler that writes files prepares what comes after it.
      const emits =
        leaf !== undefined &&
        /^(tsc|tsgo|vue-tsc)$/.test(unwrap(leaf.words)[0] ?? "") &&
        !leaf.words.some((word) => word === "--noEmit");
      return (kind === "lint" || kind === "typecheck") && !emits;
    })
  );
}

/** The commands of a script with those of its pre and post scripts around it; null when they cannot be taken apart. */
function piecesOf(scripts: ReadonlyMap<string, string>, name: string): Piece[] | null {
  const pieces: Piece[] = [];
  for (const script of [`pre${name}`, name, `post${name}`]) {
    const body = scripts.get(script);
    if (body === undefined) continue;
    const commands = splitShell(body);
    if (
      commands === null ||
      commands.some(
        (command) =>
          !["start", "&&", ";"].includes(command.joint) || command.words.length === 0 || command.writes.length > 0,
      )
    )
      return null;
    pieces.push(...commands.map((command) => pieceOf(scripts, body, command)));
  }
  return pieces.length > 0 && pieces.length <= MAX_PIECES ? pieces : null;
}

function pieceOf(scripts: ReadonlyMap<string, string>, body: string, command: SimpleCommand): Piece {
  const text = body.slice(command.start, command.end).trim();
  const found = Object.keys(command.env).length === 0 ? referenced(scripts, command) : null;
  return {text, words: command.words, refs: found?.refs ?? [], extra: found?.extra ?? ""};
}

/** The scripts of this package that a command starts; null when it starts none, or some of another package. */
function referenced(
  scripts: ReadonlyMap<string, string>,
  command: SimpleCommand,
): {refs: string[]; extra: string} | null {
  const [program = "", ...rest] = unwrap(command.words);
  if (["npm", "pnpm", "yarn", "bun"].includes(baseName(program))) {
    const quiet = rest.filter((word) => !/^(-s|--silent|run|run-script)$/.test(word));
    const [name = "", ...extra] = quiet;
    const script = name === "t" ? "test" : name;
    if (script.startsWith("-") || !scripts.has(script) || (program === "bun" && name === "test" && rest[0] === "test"))
      return null;
    const raws = command.raws.slice(command.raws.length - extra.length).filter((word, i) => word !== "--" || i > 0);
    return {refs: [script], extra: extra.length > 0 ? raws.join(" ") : ""};
  }
  if (program === "node" && rest[0] === "--run" && scripts.has(rest[1] ?? ""))
    return {refs: [rest[1] ?? ""], extra: ""};
  const many = ["run-s", "run-p", "npm-run-all", "npm-run-all2", "concurrently"].includes(program);
  if (!many) return null;
  const wanted = rest
    .filter((word) => !word.startsWith("-"))
    .map((word) => word.replace(/^npm:/, "").replace(/^(npm|pnpm|yarn|bun) (run )?/, ""));
  const refs = wanted.flatMap((word) => matching(scripts, word));
  return refs.length > 0 && wanted.every((word) => matching(scripts, word).length > 0) ? {refs, extra: ""} : null;
}

function matching(scripts: ReadonlyMap<string, string>, pattern: string): string[] {
  if (!pattern.includes("*")) return scripts.has(pattern) ? [pattern] : [];
  const [head = ""] = pattern.split("*");
  const deep = pattern.endsWith("**");
  return [...scripts.keys()].filter(
    (name) => name.startsWith(head) && (deep || !name.slice(head.length).includes(":")),
  );
}

/** The plain commands that a script comes down to, scripts it starts included; empty when it cannot be read. */
export function leavesOf(
  scripts: ReadonlyMap<string, string>,
  name: string,
  seen: ReadonlySet<string> = new Set(),
): string[] {
  if (seen.has(name) || seen.size > MAX_DEPTH) return [];
  const inner = new Set([...seen, name]);
  const leaves = [`pre${name}`, name, `post${name}`].flatMap((script) => {
    const body = scripts.get(script);
    if (body === undefined) return [];
    const commands = (splitShell(body) ?? []).filter((command) => command.words.length > 0);
    return commands
      .flatMap((command) => leavesOfPiece(scripts, pieceOf(scripts, body, command), inner))
      .slice(0, MAX_PIECES);
  });
  // What only prints tells something where there is nothing else.
  const real = leaves.filter((leaf) => screen(leaf).kind !== "placeholder");
  return real.length > 0 ? real : leaves;
}

function leavesOfPiece(
  scripts: ReadonlyMap<string, string>,
  piece: Piece,
  seen: ReadonlySet<string> = new Set(),
): string[] {
  if (piece.refs.length === 0) return [piece.text];
  const leaves = piece.refs.flatMap((ref) => leavesOf(scripts, ref, seen));
  return piece.extra === "" ? leaves : leaves.map((leaf) => `${leaf} ${piece.extra}`);
}
