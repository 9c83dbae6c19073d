/** Finds the specs of a file tree: in the places of the known formats, or in those of verify.json. */
import type {SpecRules} from "../detect/config/config.ts";
import type {Project} from "../detect/files/project.ts";
import {stemOf} from "../git/paths.ts";
import {keepVisibleText} from "../markdown/visible-text.ts";
import {FORMATS} from "./formats/all.ts";
import {configured} from "./formats/configured.ts";
import type {SpecFormat} from "./formats/format.ts";
import {compileSpecGlobs} from "./globs.ts";
import type {ScorableText} from "./scorers/scorer.ts";

const EMPTY = new Uint8Array();
/** More specs are ignored. */
const MAX_SPECS = 10_000;
/** A NUL among the first bytes shows that a file is binary. */
const SAMPLE_BYTES = 8 * 1024;
/** A text without these characters hides nothing. */
const MAY_HIDE = /[^\t\n\r !-$'-;=-Z\\-{}~]/;

/** A document that states what code must do. */
export interface SpecFile {
  readonly path: string;
  readonly name: string;
  readonly format: SpecFormat;
  /** true for a file that every run gets, such as a constitution */
  readonly isAlways: boolean;
}

/** A spec whose text can be read. */
export interface Spec extends SpecFile, ScorableText {
  /** false for a binary file, a link, and a file that cannot be read */
  readonly isText: () => boolean;
}

/** Returns the specs among these paths. Globs replace the default locations. */
export function findSpecFiles(paths: readonly string[], globs: SpecRules["paths"]): SpecFile[] {
  const rules = globs === null ? null : compileSpecGlobs(globs);
  const specs: SpecFile[] = [];
  for (const path of paths) {
    if (rules?.isSpec(path) === false) continue;
    const spec = describeSpec(path) ?? (rules?.isReplacing ? describeAs(configured, path) : null);
    if (spec !== null) specs.push(spec);
    if (specs.length === MAX_SPECS) break;
  }
  return specs;
}

/** The same for a project. The texts can be read. */
export function findSpecs(project: Pick<Project, "below" | "head">, globs: SpecRules["paths"]): Spec[] {
  const folders = globs === null ? new Set(FORMATS.flatMap((format) => format.folders)) : ["."];
  const paths = [...folders].flatMap((folder) => project.below(folder));
  return findSpecFiles(paths, globs).map((spec) => {
    let isText: boolean | null = null;
    const readHead = (mostBytes: number): Uint8Array => {
      const head = project.head(spec.path, mostBytes);
      isText = head !== null;
      return head ?? EMPTY;
    };
    return {
      ...spec,
      read: readHead,
      clean: keepVisibleBytes,
      isText: () => {
        if (isText === null) readHead(SAMPLE_BYTES);
        return isText !== false;
      },
    };
  });
}

/** The bytes without the text that a rendered page does not show. */
export function keepVisibleBytes(bytes: Uint8Array): Uint8Array {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return MAY_HIDE.test(text.toString("latin1")) ? Buffer.from(keepVisibleText(text.toString()).text) : bytes;
}

function describeSpec(path: string): SpecFile | null {
  for (const format of FORMATS) {
    if (format.always?.test(path)) return {...describeAs(format, path), isAlways: true};
    if (format.spec.test(path)) return describeAs(format, path);
  }
  return null;
}

function describeAs(format: SpecFormat, path: string): SpecFile {
  const name = format.spec.exec(path)?.groups?.["name"] ?? stemOf(path);
  return {path, name, format, isAlways: false};
}
