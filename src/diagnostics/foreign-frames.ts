/** Finds the stack frames of installed packages, test runners and the platform, so that the project's own frames stay. */
import {FOREIGN_FRAME} from "./line-patterns.ts";
import {bodyAt, type LogLines} from "./lines.ts";

/** A frame of any language with a file and a line. */
const OWN = /^\s*(?:at |File "|from |# |#\d+ |❯ )?\(?.*[\w/]\.\w{1,6}["')]?(?::|\(|, line )\d+/;
/** Go prints the function above its place. */
const GO_PLACE = /^\t\S+\.go:\d+(?: \+0x[\da-f]+)?$/;
const GO_FOREIGN = /^\t(?:\S*\/go\/src\/|\S*\/pkg\/mod\/|\S*\/go\/[\d.]+\/x64\/src\/|\/usr\/lib\/go[\w.-]*\/)/;
/** Rust numbers the function and prints its place below. */
const RUST_FUNCTION = /^\s+\d+: /;
/** Python shows the source of a frame below it. */
const HAS_SOURCE = /^\s*(?:File "|\S+:\d+: in )/;
const LONGEST_SOURCE = 6;

/**
 * The lines of `near` that are foreign frames. If the log has no other frames, there are none: these are all that
 * explains the failure, or the project is such a package itself.
 */
export function foreignFrames(options: {
  lines: LogLines;
  near: readonly number[];
  scores: Float64Array;
}): readonly number[] {
  const {lines, near, scores} = options;
  const foreign = new Uint8Array(lines.count);
  let hasOwn = false;
  for (const index of near) {
    const body = bodyAt(lines, index);
    if (GO_PLACE.test(body)) {
      if (GO_FOREIGN.test(body)) foreign.fill(1, Math.max(0, index - 1), index + 1);
      else scores[index - 1] = Math.max(scores[index - 1] ?? 0, scores[index] ?? 0);
      hasOwn ||= foreign[index] === 0;
    } else if (FOREIGN_FRAME.some((pattern) => pattern.test(body))) {
      foreign.fill(1, RUST_FUNCTION.test(bodyAt(lines, index - 1)) ? index - 1 : index, sourceEnd(lines, index));
    } else if (foreign[index] === 0) hasOwn ||= OWN.test(body);
  }
  return hasOwn ? near.filter((index) => foreign[index] === 1) : [];
}

/** The line after a frame and the source below it, which is indented further. */
function sourceEnd(lines: LogLines, index: number): number {
  const body = bodyAt(lines, index);
  let end = index + 1;
  if (!HAS_SOURCE.test(body)) return end;
  const depth = body.search(/\S/);
  while (end <= index + LONGEST_SOURCE && bodyAt(lines, end).search(/\S/) > depth) end++;
  return end;
}
