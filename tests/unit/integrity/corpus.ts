/** The corpus of tamperings and honest changes: small files with edits, as data in `tests/fixtures/integrity`. */
import {readdirSync, readFileSync} from "node:fs";
import {join} from "node:path";
import {parse} from "yaml";
import type {InspectedChange, InspectedFile} from "../../../src/integrity/source/inspected-change.ts";
import {isTestPath} from "../../../src/integrity/source/kinds.ts";

const FOLDER = join(import.meta.dirname, "../../fixtures/integrity");

interface CorpusCase {
  readonly name: string;
  /** path, text to find, replacement */
  readonly edit?: readonly (readonly [string, string, string])[];
  readonly write?: Readonly<Record<string, string>>;
  readonly delete?: readonly string[];
  readonly move?: Readonly<Record<string, string>>;
  /**
   * The expected level of a tampering, if it is not `flag`; `run`: the text shows it not at all or as a note, and a run of the tests finds
   * it; `none`: nothing does for certain. `flag` at an honest change is a known false alarm.
   */
  readonly level?: "block" | "flag" | "run" | "none";
  /** true for an honest change of tests or gate files */
  readonly gate?: boolean;
}

export interface CorpusFile {
  readonly tool: string;
  readonly base: Readonly<Record<string, string>>;
  readonly tampered: readonly CorpusCase[];
  readonly honest: readonly CorpusCase[];
}

export function readCorpus(): CorpusFile[] {
  return readdirSync(FOLDER).map((name) => parse(readFileSync(join(FOLDER, name), "utf8")));
}

/** Throws for an edit that finds nothing, so that no case is empty by mistake. */
export function changeOf({base}: CorpusFile, one: CorpusCase): InspectedChange {
  const head = new Map(Object.entries(base));
  const from = new Map<string, string>();
  for (const path of one.delete ?? []) head.delete(path);
  for (const [old, path] of Object.entries(one.move ?? {})) {
    head.set(path, head.get(old) ?? "");
    head.delete(old);
    from.set(path, old);
  }
  for (const [path, text] of Object.entries(one.write ?? {})) head.set(path, text);
  for (const [path, find, replacement] of one.edit ?? []) {
    const text = head.get(path) ?? "";
    if (find === replacement) continue;
    if (!text.includes(find)) throw new Error(`${one.name}: ${path} does not have ${JSON.stringify(find)}`);
    head.set(
      path,
      text.replace(find, () => replacement),
    );
  }
  const moved = new Set(from.values());
  const paths = [...new Set([...Object.keys(base), ...head.keys()])].filter((path) => !moved.has(path));
  const all = paths.map((path) => fileAt(path, from.get(path) ?? path, {base, head}));
  const files = all.filter(({before, after, path, basePath}) => before !== after || path !== basePath);
  const relatedTests = all
    .filter((file) => !files.includes(file) && /test/i.test(file.path))
    .map(({after}) => after ?? "");
  const names = paths.map((path) => path.replace(/^(?:src|lib)\//, "").split(/[/.]/)[0] ?? "");
  const testPaths = [...head.keys()].filter(isTestPath);
  return {
    files,
    relatedTests,
    plan: null,
    roots: new Set(names),
    testPaths,
  };
}

function fileAt(
  path: string,
  basePath: string,
  {base, head}: {base: CorpusFile["base"]; head: ReadonlyMap<string, string>},
): InspectedFile {
  const [before = null, after = null] = [base[basePath], head.get(path)];
  const status = path !== basePath ? "renamed" : before === null ? "added" : after === null ? "deleted" : "modified";
  return {path, basePath, status, before, after, isExecutable: false};
}
