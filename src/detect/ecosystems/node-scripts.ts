/** Node: takes composite scripts apart into checks that run, and are reported, one by one. */
import type {StageKind} from "../../record/words.ts";
import {unwrap} from "../../shell/program.ts";
import {splitShell} from "../../shell/split.ts";
import {kindOf, kindOfName, kindOfWords} from "../../shell/stage-kind.ts";
import {screen} from "../proposals/screen.ts";
import {type Bodies, type Piece, readBodies, type Scripts} from "./node-bodies.ts";

/** One check that a script comes down to. */
export interface Part {
  readonly kind: StageKind;
  /** the script that holds it */
  readonly script: string;
  /** the line to run by itself; null: the script must be started by the package manager */
  readonly line: string | null;
  /** the plain commands at the end of it */
  readonly leaves: readonly string[];
}

/** Tools that need nothing of what a package manager sets up but their place on the PATH. */
const DIRECT =
  /^(tsc|tsgo|vue-tsc|svelte-check|eslint|oxlint|biome|xo|standard|prettier|stylelint|vitest|jest|mocha|ava)$/;

const PREPARES =
  /(^|[\s:_-])(clean|clear|prepare|setup|codegen|generate|gen|build|compile|sync|reset|seed|copy|rimraf|del|del-cli|mkdirp?|cpy|shx|rm|cp)([\s:_-]|$)/;

/** Scripts that install, or tie packages together: the set-up's business. */
const SETS_UP = /^(setup|install|bootstrap|prepare)$/;

/**
 * The checks that a script comes down to. Read-only parts of a chain (`eslint . && ava`) come out one by one, so that each is
 * reported and none runs twice; what must stay together (a build before the tests) stays together.
 */
export function partsOf(bodies: Bodies, name: string, kind: StageKind): Part[] {
  return takeApart({bodies, seen: new Set()}, name, kind);
}

/** The plain commands that one script comes down to; empty when it cannot be read. For many scripts, keep `readBodies`. */
export function leavesOf(scripts: Scripts, name: string): string[] {
  return [...readBodies(scripts).leavesOf(name)];
}

interface Walk {
  readonly bodies: Bodies;
  /** scripts that were taken apart already: none runs twice, and a circle ends */
  readonly seen: Set<string>;
}

function takeApart(walk: Walk, name: string, kind: StageKind): Part[] {
  const {bodies, seen} = walk;
  if (seen.has(name)) return [];
  seen.add(name);
  const leaves = bodies.leavesOf(name);
  const kinds = new Set(leaves.map(kindOf).filter((one) => one !== null));
  const [told] = kinds;
  const whole: Part = {
    kind: kind === "check" && kinds.size === 1 ? (told ?? kind) : kind,
    script: name,
    line: null,
    leaves,
  };
  const all = bodies.piecesOf(name);
  if (all === null) return [whole];
  // A linter needs nothing that is made; what a `prelint` installs has been installed.
  const lints = kind === "lint" || kind === "typecheck";
  const needed = lints ? all.filter(({refs}) => refs.length === 0 || !refs.every((ref) => SETS_UP.test(ref))) : all;
  const pieces = needed.length > 0 ? needed : all;
  if (kind === "build") return [withoutFormatters(bodies, pieces, whole)];
  const [only] = pieces;
  if (pieces.length === 1 && only !== undefined) return orWhole(whole, single(walk, only, whole));
  // What is made on the way is there for what comes after it, but for linters.
  const isMaking = (piece: Piece): boolean => prepares(piece.text) || piece.refs.some(prepares);
  const made = pieces.findIndex(isMaking);
  const peeled = pieces.filter(
    (piece, i) => isReadOnly(bodies, piece) && (made < 0 || i < made || isLint(bodies, piece)),
  );
  const rest = pieces.filter((piece) => !peeled.includes(piece));
  if (rest.length > 0 && rest.every(isMaking)) return [whole];
  const testsOnly =
    made < 0 &&
    rest.every((piece) =>
      piece.refs.length > 0
        ? piece.refs.every((ref) => kindOfName(ref) !== "build")
        : kindOfWords(piece.words) === "test",
    );
  if (peeled.length === 0 && !testsOnly) return [whole];
  const parts = peeled.flatMap((piece) => alone(walk, piece, whole));
  if (rest.length <= 1 || testsOnly)
    return orWhole(whole, [...parts, ...rest.flatMap((piece) => alone(walk, piece, whole))]);
  const line = rest.map((piece) => piece.text).join(" && ");
  return [...parts, {...whole, line, leaves: rest.flatMap((piece) => bodies.leavesOfPiece(piece))}];
}

/** A build that formats its sources on the way (a `postbuild` that writes) is checked without that. */
function withoutFormatters(bodies: Bodies, pieces: readonly Piece[], whole: Part): Part {
  const formats = (piece: Piece): boolean => {
    const leaves = bodies.leavesOfPiece(piece);
    return leaves.length > 0 && leaves.every((leaf) => kindOf(leaf) === "lint" && screen(leaf).kind === "mutates");
  };
  const rest = pieces.filter((piece) => !formats(piece));
  if (rest.length === 0 || rest.length === pieces.length) return whole;
  const leaves = rest.flatMap((piece) => bodies.leavesOfPiece(piece));
  return {...whole, line: rest.map((piece) => piece.text).join(" && "), leaves};
}

const orWhole = (whole: Part, parts: Part[]): Part[] => (parts.length > 0 ? parts : [whole]);

/** A script that is one command: started by itself where nothing is lost by that. */
function single(walk: Walk, piece: Piece, whole: Part): Part[] {
  if (piece.refs.length > 0) return alone(walk, piece, whole);
  const text = safely(piece.text);
  const direct = DIRECT.test(unwrap(piece.words)[0] ?? "") && !piece.text.includes("$");
  const kind = refine(whole.kind, kindOfWords(piece.words));
  return [{...whole, kind, line: direct || text !== piece.text ? text : null, leaves: [text]}];
}

function alone(walk: Walk, piece: Piece, whole: Part): Part[] {
  if (piece.refs.length === 0) {
    const text = safely(piece.text);
    return [{kind: refine(whole.kind, kindOfWords(piece.words)), script: whole.script, line: text, leaves: [text]}];
  }
  if (piece.refs.length > 1 && piece.refs.some(prepares)) {
    const isAll = walk.bodies.piecesOf(whole.script)?.length === 1;
    return [{...whole, line: isAll ? null : piece.text, leaves: walk.bodies.leavesOfPiece(piece).map(safely)}];
  }
  if (piece.extra === "") return piece.refs.flatMap((ref) => takeApart(walk, ref, kindOfName(ref) ?? whole.kind));
  const leaves = walk.bodies.leavesOfPiece(piece).map(safely);
  return [{...whole, line: leaves.length === 1 ? (leaves[0] ?? "") : piece.text, leaves}];
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

/** The name of a script, or a command, that makes or clears away something for what comes after it. */
const prepares = (what: string): boolean => PREPARES.test(what);

function isLint(bodies: Bodies, piece: Piece): boolean {
  return bodies.leavesOfPiece(piece).every((leaf) => kindOf(leaf) === "lint");
}

function isReadOnly(bodies: Bodies, piece: Piece): boolean {
  const leaves = bodies.leavesOfPiece(piece).map((leaf) => splitShell(leaf)?.[0]?.words ?? []);
  return (
    leaves.length > 0 &&
    leaves.every((words) => {
      const kind = kindOfWords(words);
      // A compiler that writes files prepares what comes after it.
      const emits = /^(tsc|tsgo|vue-tsc)$/.test(unwrap(words)[0] ?? "") && !words.includes("--noEmit");
      return (kind === "lint" || kind === "typecheck") && !emits;
    })
  );
}
