/** Loads the parser and the grammars of languages, each at most once and only when a file needs it. */
import {existsSync, readFileSync} from "node:fs";
import {setFlagsFromString} from "node:v8";
import {brotliDecompressSync} from "node:zlib";
import type {TestLanguage} from "./languages/language.ts";
import {grammarFile, languageOf} from "./languages.ts";
import {keepGrammar} from "./loaded-grammars.ts";

type Library = typeof import("web-tree-sitter");
let start: Promise<Library> | null = null;
/**
 * The loads that have begun, by language. A grammar that is loaded twice is two grammars, and a parser refuses a tree
 * of the other one.
 */
const loads = new Map<TestLanguage, Promise<void>>();

/** Loads what the reading of these files needs. Must have ended before they are read. */
export async function loadGrammars(paths: Iterable<string>): Promise<void> {
  const languages = new Set([...paths].flatMap((path) => languageOf(path) ?? []));
  for (const language of languages) {
    const loading = loads.get(language) ?? load(language);
    loads.set(language, loading);
    await loading;
  }
}

async function load(language: TestLanguage): Promise<void> {
  start ??= startLibrary();
  const {Language, Parser} = await start;
  const parser = new Parser();
  parser.setLanguage(await Language.load(wasmOf(language.grammar)));
  keepGrammar(language, {parser, clock: () => performance.now()});
}

async function startLibrary(): Promise<Library> {
  // A grammar runs for some milliseconds, so code that is made quickly costs less than code that runs quickly. At run time,
  // `--liftoff-only` does not imply these two.
  for (const flag of ["--no-wasm-tier-up", "--no-wasm-dynamic-tiering"]) setFlagsFromString(flag);
  const library = await import("web-tree-sitter");
  await library.Parser.init({wasmBinary: wasmOf("web-tree-sitter/web-tree-sitter.wasm")});
  return library;
}

/** The build puts compressed files into `dist/grammars`; the bundle is in `dist` or in a folder there. */
function wasmOf(file: string): Uint8Array {
  const packed = ["./grammars/", "../grammars/"].map((folder) => new URL(folder + grammarFile(file), import.meta.url));
  const built = packed.find((url) => existsSync(url));
  if (built !== undefined) return brotliDecompressSync(readFileSync(built));
  return readFileSync(new URL(`../../node_modules/${file}`, import.meta.url));
}
