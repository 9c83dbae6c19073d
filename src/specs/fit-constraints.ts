/** Fits the constraints of the chosen specs into a prompt: the most relevant sections first. */
import {type Constraint, extractConstraints} from "./constraints.ts";
import type {Spec} from "./find-specs.ts";
import type {ScorableText} from "./scorers/scorer.ts";
import {scoreByTfIdf} from "./scorers/tf-idf.ts";

const ALWAYS_CHARS = 2_000;
/** A shorter piece of a section is useless. */
const MIN_CHARS = 200;
/** The best sections of a spec get this, if they need it, before a worse spec gets anything. */
const FIRST_CHARS = 1_000;
/** A placeholder of a template, such as `[PRINCIPLE_1_NAME]`. */
const PLACEHOLDER = /\[[A-Z][A-Z0-9_]{4,}\]|\[(?:Describe|List|Add|Document|Explain)\b[^\]]{0,200}\]/g;
const MAX_PLACEHOLDERS = 2;

/** The text of a spec for a prompt. */
export interface SpecText {
  readonly path: string;
  readonly text: string;
}

/**
 * The files that every run gets. They share a separate limit. Templates with placeholders are left out, and so are
 * files of which only a useless piece would fit.
 */
export function fitAlways(files: readonly {readonly spec: Pick<Spec, "path">; readonly text: string}[]): SpecText[] {
  const filledFiles = files.filter(
    ({text}) => text.trim() !== "" && (text.match(PLACEHOLDER)?.length ?? 0) <= MAX_PLACEHOLDERS,
  );
  const shortestFirst = filledFiles.toSorted((one, other) => one.text.length - other.text.length);
  let remainingChars = ALWAYS_CHARS;
  const textsByPath = new Map<string, string>();
  for (const [at, {spec, text}] of shortestFirst.entries()) {
    const room = Math.floor(remainingChars / (filledFiles.length - at));
    if (room < Math.min(text.trim().length, MIN_CHARS)) continue;
    const fittedText = cutEnd(text.trim(), room);
    remainingChars -= fittedText.length;
    textsByPath.set(spec.path, fittedText);
  }
  return filledFiles.flatMap(({spec: {path}}) => {
    const text = textsByPath.get(path);
    return text === undefined ? [] : [{path, text}];
  });
}

interface SpecSection extends Constraint, ScorableText {
  readonly index: number;
}

/**
 * One text per spec, in their order. The best spec gets its best sections first, then the next spec; then the cut
 * sections get the rest of their text, and the best of all others follow while there is room. Sections stay in the
 * order of the spec. A spec that does not fit is left out.
 */
export function fitConstraints({
  task,
  specs,
  maxChars,
}: {
  task: string;
  specs: readonly {readonly spec: Pick<Spec, "path" | "format">; readonly text: string}[];
  maxChars: number;
}): SpecText[] {
  const sections = specs.flatMap(({spec, text}, index) =>
    extractConstraints(spec.format, text).map(
      (constraint): SpecSection => ({
        ...constraint,
        index,
        name: constraint.title,
        read: () => Buffer.from(constraint.text),
      }),
    ),
  );
  const scoredSections = new Set(scoreByTfIdf(task, sections).map(({spec}) => spec));
  const orderedSections = [...scoredSections, ...sections.filter((section) => !scoredSections.has(section))];
  const {rooms, remainingChars} = divideRoom({orderedSections, specCount: specs.length, maxChars});
  return joinSections({specs, sections, rooms, remainingChars});
}

/** The number of characters that each section gets. A section that gets none is not in the map. */
function divideRoom(options: {orderedSections: readonly SpecSection[]; specCount: number; maxChars: number}): {
  rooms: Map<SpecSection, number>;
  remainingChars: number;
} {
  const {orderedSections, specCount} = options;
  const rooms = new Map<SpecSection, number>();
  let remainingChars = options.maxChars;
  const give = (section: SpecSection, mostChars: number): boolean => {
    const roomBefore = rooms.get(section);
    const available = remainingChars + (roomBefore ?? -SEPARATOR.length);
    const room = Math.min(section.text.length, mostChars, available);
    if (room < Math.min(section.text.length, MIN_CHARS)) return false;
    remainingChars = available - room;
    rooms.set(section, room);
    return true;
  };
  for (let index = 0; index < specCount; index++) {
    const [best, ...others] = orderedSections.filter((section) => section.index === index);
    if (best === undefined) continue;
    const charsBefore = remainingChars;
    // A worse spec gets nothing if a better one did not fit.
    if (!give(best, Math.max(FIRST_CHARS, Math.floor(remainingChars / (specCount - index))))) break;
    for (const section of others) {
      const room = FIRST_CHARS - (charsBefore - remainingChars);
      if (room >= MIN_CHARS) give(section, room);
    }
  }
  const givenSpecs = new Set([...rooms.keys()].map(({index}) => index));
  for (const section of new Set([...rooms.keys(), ...orderedSections]))
    if (givenSpecs.has(section.index)) give(section, Number.POSITIVE_INFINITY);
  return {rooms, remainingChars};
}

function joinSections(options: {
  specs: readonly {readonly spec: Pick<Spec, "path">}[];
  sections: readonly SpecSection[];
  rooms: ReadonlyMap<SpecSection, number>;
  remainingChars: number;
}): SpecText[] {
  let {remainingChars} = options;
  return options.specs.flatMap(({spec: {path}}, index) => {
    const ownSections = options.sections.filter((section) => section.index === index);
    const texts = ownSections.flatMap((section) => {
      const room = options.rooms.get(section);
      return room === undefined ? [] : [cutEnd(section.text, room)];
    });
    const leftOutTitles = ownSections.filter((section) => !options.rooms.has(section)).map(({title}) => title);
    const note = `[… left out for their length: ${leftOutTitles.join(", ")} …]`.slice(0, MAX_NOTE_CHARS);
    if (leftOutTitles.length > 0 && texts.length > 0 && remainingChars > MAX_NOTE_CHARS) {
      texts.push(note);
      remainingChars -= note.length + SEPARATOR.length;
    }
    return texts.length === 0 ? [] : [{path, text: texts.join(SEPARATOR)}];
  });
}

const SEPARATOR = "\n\n";
const MAX_NOTE_CHARS = 300;

/**
 * Patterns up to the end of a sentence or line, and up to the end of a word. They are anchored, because unanchored
 * patterns take quadratic time on a text without an end.
 */
const CUT_ENDS = [/^[\s\S]*(?:(?<!\d)[.!?:;。！？](?=\s|$)|(?=\n))/, /^[\s\S]*(?=\s)/];
/** A text is cut at an earlier place only if this share of it stays. */
const MIN_SHARE = 0.6;

/** At most `max` characters of a text, up to the end of a sentence or a line, with a line about the missing end. */
function cutEnd(text: string, max: number): string {
  if (text.length <= max) return text;
  const note = "\n[… the rest is left out for its length …]";
  const mostText = text.slice(0, Math.max(0, max - note.length)).replace(/[\uD800-\uDBFF]$/, "");
  const cutTexts = CUT_ENDS.map((end) => end.exec(mostText)?.[0] ?? "");
  const longEnough = cutTexts.find((cutText) => cutText.length >= MIN_SHARE * mostText.length) ?? mostText;
  return `${longEnough.trimEnd()}${note}`;
}
