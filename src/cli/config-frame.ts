/** The lines of `verify.json` around a mistake, for its owner's terminal; nothing else may quote the file. */
import {lstatSync, readFileSync} from "node:fs";
import {join} from "node:path";
import {findNodeAtLocation, type Node, type ParseError, parseTree} from "jsonc-parser";
import {codeFrame} from "./reporters/code-frame.ts";

/** Below the line of each mistake; empty if the folder's file does not have the mistake at that place. */
export function configFrame(folder: string, mistake: {file: string; path: string}): string[] {
  const text = readText(join(folder, mistake.file));
  if (text === null) return [];
  const offset = offsetOf(text, mistake.path);
  if (offset === null) return [];
  const before = text.slice(0, offset).split("\n");
  return codeFrame(text, {line: before.length, column: (before.at(-1) ?? "").length + 1});
}

function readText(file: string): string | null {
  try {
    // Opening a named pipe waits for its writer.
    return lstatSync(file).isFile() ? readFileSync(file, "utf8") : null;
  } catch {
    return null;
  }
}

/** Paths are those of config/mistakes.ts: `stages[0].name`, or `line 4, column 3` where the JSON ends. */
function offsetOf(text: string, path: string): number | null {
  const errors: ParseError[] = [];
  const tree = treeOf(text, errors);
  const place = /^line (\d+), column (\d+)$/.exec(path);
  if (place !== null) {
    const lines = text.split("\n").slice(0, Number(place[1]) - 1);
    const offset = lines.reduce((sum, line) => sum + line.length + 1, Number(place[2]) - 1);
    return text[offset] === "\uFFFD" || errors.some((error) => error.offset === offset) ? offset : null;
  }
  const keys = [...path.matchAll(/\[(\d+)\]|[^.[\]]+/g)].map(([key, index]) =>
    index === undefined ? key : Number(index),
  );
  if (tree === undefined || errors.length > 0) return null;
  // A missing key is in its object.
  const node =
    findNodeAtLocation(tree, keys) ?? (keys.length > 1 ? findNodeAtLocation(tree, keys.slice(0, -1)) : undefined);
  return node?.offset ?? null;
}

function treeOf(text: string, errors: ParseError[]): Node | undefined {
  try {
    return parseTree(text, errors, {allowTrailingComma: true});
  } catch {
    // It is nested too deeply for the parser, and the mistake says so.
    return undefined;
  }
}
