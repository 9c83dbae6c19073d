/** Fits the constraints of the chosen specs into a prompt: the most relevant sections first. */
import {type Constraint, extractConstraints} from "./constraints.ts";
import type {Spec} from "./find-specs.ts";
import type {ScorableText} from "./scorers/scorer.ts";
import {scoreByTfIdf} from "./scorers/tf-idf.ts";

const ALWAYS_CHARS = 2_000;
/** A shorter piece of a section is useless. */
const MIN_CHARS = 200;
/** A placeholder of a template, such as `[PRINCIPLE_1_NAME]`. */
const PLACEHOLDER = /\[[A-Z][A-Z0-9_]{4,}\]|\[(?:Describe|List|Add|Document|Explain)\b[^\]]{0,200}\]/g;
const MAX_PLACEHOLDERS = 2;

/** The text of a spec for a prompt. */
export interface SpecText {
  readonly path: string;
  readonly text: string;
}

/** The files that every run gets. They share a separate limit. Templates with placeholders are left out. */
export function fitAlways(files: readonly {readonly spec: Pick<Spec, "path">; readonly text: string}[]): SpecText[] {
  const filledFiles = files.filter(
    ({text}) => text.trim() !== "" && (text.match(PLACEHOLDER)?.length ?? 0) <= MAX_PLACEHOLDERS,
  );
  const shortestFirst = filledFiles.toSorted((one, other) => one.text.length - other.text.length);
  let remainingChars = ALWAYS_CHARS;
  const texts = new Map<string, string>();
  for (const [at, {spec, text}] of shortestFirst.entries()) {
    const fittedText = cutEnd(text.trim(), Math.floor(remainingChars / (filledFiles.length - at)));
    remainingChars -= fittedText.length;
    texts.set(spec.path, fittedText);
  }
  return filledFiles.map(({spec: {path}}) => ({path, text: texts.get(path) ?? ""}));
}

interface SpecSection extends Constraint, ScorableText {
  readonly index: number;
}

/**
 * One text per spec, in their order. Each spec gets its best section, then the best of all others follow while there is
 * room. Sections stay in the order of the spec. A spec for which there is no room is left out.
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
  const best = specs.flatMap((_, index) => orderedSections.find((section) => section.index === index) ?? []);
  const fittedTexts = new Map<SpecSection, string>();
  let remainingChars = maxChars;
  for (const section of new Set([...best, ...orderedSections])) {
    const room = Math.floor(remainingChars / Math.max(1, best.length - fittedTexts.size));
    if (section.text.length > room && room < MIN_CHARS) continue;
    const text = cutEnd(section.text, room);
    fittedTexts.set(section, text);
    remainingChars -= text.length + SEPARATOR.length;
  }
  return specs.flatMap(({spec: {path}}, index) => {
    const ownSections = sections.filter((section) => section.index === index);
    const texts = ownSections.flatMap((section) => fittedTexts.get(section) ?? []);
    const leftOutTitles = ownSections.filter((section) => !fittedTexts.has(section)).map(({title}) => title);
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

/** At most `max` characters of a text, with a line about the missing end. */
function cutEnd(text: string, max: number): string {
  if (text.length <= max) return text;
  const note = "\n[… the rest is left out for its length …]";
  return `${text
    .slice(0, Math.max(0, max - note.length))
    .replace(/[\uD800-\uDBFF]$/, "")
    .trimEnd()}${note}`;
}
