/** Chooses the parts of a diff for the judge if the whole does not fit: shortened before they are left out. */
import {
  clipLines,
  outline,
  withContext,
  withoutComments,
  withoutImports,
  withoutMoved,
  withoutRemovals,
} from "./condense.ts";
import {renderDiff, splitDiff} from "./diff-parts.ts";
import {type DiffExcerpt, openExcerpt, referToFirstPlace} from "./excerpt.ts";

const LINE_CHARS = {wide: 1_000, narrow: 300};
/** Code gets no more than this before each test and document has one part. */
const CODE_SHARE = 0.85;

/**
 * At most `max` characters of the diff. Tests and documents are shortened before code, and parts far from the points
 * before near ones. The content that a reviewer needs least is removed first: lock files, unchanged lines, repetitions,
 * comments, deeply nested lines.
 */
export function chooseHunks(options: {diff: string; points: readonly string[]; max: number}): DiffExcerpt {
  const wholeParts = splitDiff(options.diff);
  const parts = wholeParts.map((part) => ({...part, lines: clipLines(part.lines, LINE_CHARS.wide)}));
  const {shorten, summarizeFiles, leaveOut, isWithin, result} = openExcerpt({...options, whole: wholeParts, parts});
  if (renderDiff(parts).length <= options.max) return result();
  const uncommented = (lines: readonly string[], at: number) => withoutComments(lines, parts[at]?.path ?? "");
  const fits = () => isWithin("all", options.max);
  const codeFits = () => fits() || isWithin("code", options.max * CODE_SHARE);
  const restFits = () => fits() || isWithin("rest", options.max * (1 - CODE_SHARE));
  const narrow = (context: number) => (lines: readonly string[]) =>
    clipLines(withContext(lines, context), LINE_CHARS.narrow);

  summarizeFiles(({kind}) => kind === "derived", fits);
  shorten("rest", fits, narrow(1));
  shorten("code", fits, narrow(3));
  summarizeFiles(({head}) => head.includes("\ndeleted file mode "), fits);
  shorten("all", fits, referToFirstPlace(parts));
  shorten("all", fits, withoutMoved);
  shorten("rest", fits, uncommented);
  shorten("code", fits, narrow(1));
  shorten("code", fits, uncommented);
  shorten("all", fits, withoutImports);
  shorten("all", fits, withoutRemovals);
  for (const depth of [3, 2, 1]) shorten("rest", fits, (lines) => outline(lines, depth));
  for (const depth of [4, 3]) shorten("code", codeFits, (lines) => outline(lines, depth));
  leaveOut("rest", restFits, {keepsFirst: true});
  shorten("rest", restFits, (lines) => outline(lines, 0));
  for (const depth of [2, 1, 0]) shorten("code", codeFits, (lines) => outline(lines, depth));
  leaveOut("code", codeFits, {keepsFirst: true});
  leaveOut("code", codeFits);
  leaveOut("rest", fits);
  return result();
}
