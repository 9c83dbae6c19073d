/** Node: splits composite scripts into checks that run, and are reported, one by one. */
import type {StageKind} from "../../record/words.ts";
import {splitShell} from "../../shell/split.ts";
import {COMMANDS, programsWith} from "../../tools/all-commands.ts";
import {unwrap} from "../../tools/command-name.ts";
import {kindOf, kindOfName, kindOfWords} from "../../tools/stage-kind.ts";
import {safeVariant, screen} from "../proposals/screen.ts";
import type {Bodies, Piece} from "./package-script-parts.ts";

/** One check that a script runs. */
export interface Part {
  readonly kind: StageKind;
  /** the script that contains it */
  readonly script: string;
  /** the line to run by itself; null if only the package manager can start the script */
  readonly line: string | null;
  /** the plain commands that it finally runs */
  readonly leaves: readonly string[];
}

/** Tools that need only PATH from the package manager. */
const DIRECT = programsWith("needs only PATH");

const PREPARES =
  /(^|[\s:_-])(clean|clear|prepare|setup|codegen|generate|gen|build|compile|sync|reset|seed|copy|rimraf|del|del-cli|mkdirp?|cpy|shx|rm|cp)([\s:_-]|$)/;

/** Scripts that install or link packages; the setup does that. */
const SETS_UP = /^(setup|install|bootstrap|prepare)$/;

/**
 * The checks that a script runs. Read-only parts of a chain (`eslint . && ava`) become separate checks, so that each is
 * reported and none runs twice. Dependent parts (a build before the tests) stay together.
 */
export function partsOf(bodies: Bodies, name: string, kind: StageKind): Part[] {
  return splitScript({bodies, seen: new Set()}, name, kind);
}

interface Walk {
  readonly bodies: Bodies;
  /** scripts that were split already: none runs twice, and a circle ends */
  readonly seen: Set<string>;
}

function splitScript(walk: Walk, name: string, kind: StageKind): Part[] {
  const {bodies, seen} = walk;
  if (seen.has(name)) return [];
  seen.add(name);
  const leaves = bodies.leavesOf(name);
  const kinds = new Set(leaves.map(kindOf).filter((one) => one !== null));
  const [onlyKind] = kinds;
  const wholeScript: Part = {
    kind: kind === "check" && kinds.size === 1 ? (onlyKind ?? kind) : kind,
    script: name,
    line: null,
    leaves,
  };
  const all = bodies.piecesOf(name);
  if (all === null) return [wholeScript];
  // A linter needs no build output, and the setup has already installed whatever a `prelint` installs.
  const lints = kind === "lint" || kind === "typecheck";
  const neededPieces = lints
    ? all.filter(({refs}) => refs.length === 0 || !refs.every((ref) => SETS_UP.test(ref)))
    : all;
  const pieces = neededPieces.length > 0 ? neededPieces : all;
  if (kind === "build") return [withoutFormatters(bodies, pieces, wholeScript)];
  const [only] = pieces;
  if (pieces.length === 1 && only !== undefined)
    return orWhole(wholeScript, partsOfOneCommand(walk, only, wholeScript));
  // Later commands need the files that earlier ones create. Linters do not.
  const isMaking = (piece: Piece): boolean => prepares(piece.text) || piece.refs.some(prepares);
  const firstMaking = pieces.findIndex(isMaking);
  const separable = pieces.filter(
    (piece, i) => isReadOnly(bodies, piece) && (firstMaking < 0 || i < firstMaking || isLint(bodies, piece)),
  );
  const otherPieces = pieces.filter((piece) => !separable.includes(piece));
  if (otherPieces.length > 0 && otherPieces.every(isMaking)) return [wholeScript];
  const testsOnly =
    firstMaking < 0 &&
    otherPieces.every((piece) =>
      piece.refs.length > 0
        ? piece.refs.every((ref) => kindOfName(ref) !== "build")
        : kindOfWords(piece.words) === "test",
    );
  if (separable.length === 0 && !testsOnly) return [wholeScript];
  const parts = separable.flatMap((piece) => alone(walk, piece, wholeScript));
  if (otherPieces.length <= 1 || testsOnly)
    return orWhole(wholeScript, [...parts, ...otherPieces.flatMap((piece) => alone(walk, piece, wholeScript))]);
  const line = otherPieces.map((piece) => piece.text).join(" && ");
  return [...parts, {...wholeScript, line, leaves: otherPieces.flatMap((piece) => bodies.leavesOfPiece(piece))}];
}

/** A build that also formats its sources (a `postbuild` that writes) is checked without the formatter. */
function withoutFormatters(bodies: Bodies, pieces: readonly Piece[], whole: Part): Part {
  const isFormatter = (piece: Piece): boolean => {
    const leaves = bodies.leavesOfPiece(piece);
    return leaves.length > 0 && leaves.every((leaf) => kindOf(leaf) === "lint" && screen(leaf).kind === "mutates");
  };
  const otherPieces = pieces.filter((piece) => !isFormatter(piece));
  if (otherPieces.length === 0 || otherPieces.length === pieces.length) return whole;
  const leaves = otherPieces.flatMap((piece) => bodies.leavesOfPiece(piece));
  return {...whole, line: otherPieces.map((piece) => piece.text).join(" && "), leaves};
}

const orWhole = (whole: Part, parts: Part[]): Part[] => (parts.length > 0 ? parts : [whole]);

/** A script that is one command: the command is started directly if it needs nothing from the package manager. */
function partsOfOneCommand(walk: Walk, piece: Piece, whole: Part): Part[] {
  if (piece.refs.length > 0) return alone(walk, piece, whole);
  const text = safeVariant(piece.text);
  const direct = DIRECT.has(unwrap(piece.words)[0] ?? "") && !piece.text.includes("$");
  const kind = refineKind(whole.kind, kindOfWords(piece.words));
  return [{...whole, kind, line: direct || text !== piece.text ? text : null, leaves: [text]}];
}

function alone(walk: Walk, piece: Piece, whole: Part): Part[] {
  if (piece.refs.length === 0) {
    const text = safeVariant(piece.text);
    return [{kind: refineKind(whole.kind, kindOfWords(piece.words)), script: whole.script, line: text, leaves: [text]}];
  }
  if (piece.refs.length > 1 && piece.refs.some(prepares)) {
    const isAll = walk.bodies.piecesOf(whole.script)?.length === 1;
    return [{...whole, line: isAll ? null : piece.text, leaves: walk.bodies.leavesOfPiece(piece).map(safeVariant)}];
  }
  if (piece.extra === "") return piece.refs.flatMap((ref) => splitScript(walk, ref, kindOfName(ref) ?? whole.kind));
  const leaves = walk.bodies.leavesOfPiece(piece).map(safeVariant);
  return [{...whole, line: leaves.length === 1 ? (leaves[0] ?? "") : piece.text, leaves}];
}

/** A linter in a script called `test` counts as lint. Only the name of a script can make a command a build. */
function refineKind(promised: StageKind, actual: StageKind | null): StageKind {
  return actual === null || actual === "build" || promised === "build" ? promised : actual;
}

/** True for a script name or a command that creates or removes files for later commands. */
const prepares = (command: string): boolean => PREPARES.test(command);

function isLint(bodies: Bodies, piece: Piece): boolean {
  return bodies.leavesOfPiece(piece).every((leaf) => kindOf(leaf) === "lint");
}

function isReadOnly(bodies: Bodies, piece: Piece): boolean {
  const leaves = bodies.leavesOfPiece(piece).map((leaf) => splitShell(leaf)?.[0]?.words ?? []);
  return (
    leaves.length > 0 &&
    leaves.every((words) => {
      const kind = kindOfWords(words);
      // A compiler that writes files prepares later commands.
      const [program = ""] = unwrap(words);
      const compiler = COMMANDS.find(({emitsUnless, programs}) => emitsUnless && programs?.includes(program));
      const emits = compiler?.emitsUnless !== undefined && !words.includes(compiler.emitsUnless);
      return (kind === "lint" || kind === "typecheck") && !emits;
    })
  );
}
