/** Reads the source files and their imports, and finds what the house rules forbid: cycles, wrong directions, long functions. */
import {readdirSync, readFileSync} from "node:fs";
import {dirname, join} from "node:path";

const root = join(import.meta.dirname, "../..");

export interface SourceFile {
  readonly path: string;
  readonly text: string;
  /** packages by name, files by their path from the root; type imports count */
  readonly imports: readonly string[];
  /** the imports that are left when the types are erased */
  readonly valueImports: readonly string[];
}

export type ImportGraph = ReadonlyMap<string, readonly string[]>;

const IMPORTS =
  /^(?:import|export)\b(?<types> type\b)?[^;"]*?\bfrom "(?<from>[^"]+)"|^import "(?<bare>[^"]+)"|\bimport\("(?<late>[^"]+)"\)/gm;

export function readSources(...folders: string[]): SourceFile[] {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), {recursive: true, encoding: "utf8"})
      .filter((name) => name.endsWith(".ts"))
      .map((name) => parseSource(join(folder, name), readFileSync(join(root, folder, name), "utf8"))),
  );
}

export function parseSource(path: string, text: string): SourceFile {
  const imports = [...text.matchAll(IMPORTS)].map(({groups = {}}) => {
    const name = groups["from"] ?? groups["bare"] ?? groups["late"] ?? "";
    return {
      name: name.startsWith(".") ? join(dirname(path), name) : name,
      isType: groups["types"] !== undefined,
    };
  });
  return {
    path,
    text,
    imports: imports.map(({name}) => name),
    valueImports: imports.filter(({isType}) => !isType).map(({name}) => name),
  };
}

/** `src/detect` for `src/detect/scripts/shell-lines.ts`; the whole of `lifecycle/` is one room. */
export function roomOf(path: string): string {
  return path.split("/", path.startsWith("src/") ? 2 : 1).join("/");
}

/** The same graph between groups of files, such as folders; imports within a group and of packages are left out. */
export function groupGraph(files: readonly SourceFile[], groupOf: (path: string) => string): ImportGraph {
  const paths = new Set(files.map(({path}) => path));
  const graph = new Map<string, string[]>();
  for (const file of files) {
    const group = groupOf(file.path);
    const imported = file.imports.filter((path) => paths.has(path)).map(groupOf);
    graph.set(group, [...new Set([...(graph.get(group) ?? []), ...imported.filter((name) => name !== group)])]);
  }
  return graph;
}

/** The import chain from `start` to every node that it reaches, itself excluded unless it is in a cycle. */
export function chainsFrom(start: string, graph: ImportGraph): Map<string, readonly string[]> {
  const chains = new Map<string, readonly string[]>();
  const pending: string[][] = [[start]];
  for (let chain = pending.pop(); chain !== undefined; chain = pending.pop()) {
    for (const next of graph.get(chain.at(-1) ?? "") ?? []) {
      if (chains.has(next)) continue;
      chains.set(next, [...chain, next]);
      pending.push([...chain, next]);
    }
  }
  return chains;
}

export function nodesInCycles(graph: ImportGraph): string[] {
  return [...graph.keys()].filter((node) => chainsFrom(node, graph).has(node)).sort();
}

/** The imports that do not point to the left in `order`; a node that the order lacks is never left of another. */
export function wrongDirections(graph: ImportGraph, order: readonly string[]): string[] {
  return [...graph].flatMap(([from, names]) =>
    names
      .filter((to) => !order.includes(to) || order.indexOf(to) >= order.indexOf(from))
      .map((to) => `${from} -> ${to}`),
  );
}

/** The chains by which pure files reach a package that is not allowed, or a file whose text `isImpure`. */
export function impureChains(options: {
  pure: readonly SourceFile[];
  all: readonly SourceFile[];
  packages: ReadonlySet<string>;
  isImpure: (text: string) => boolean;
}): string[] {
  const files = new Map(options.all.map((file) => [file.path, file]));
  const graph = new Map(options.all.map((file) => [file.path, file.valueImports]));
  const isForbidden = (name: string) => {
    const file = files.get(name);
    return file === undefined ? !options.packages.has(packageOf(name)) : options.isImpure(file.text);
  };
  return options.pure.flatMap(({path}) =>
    [[path], ...chainsFrom(path, graph).values()]
      .filter((chain) => isForbidden(chain.at(-1) ?? ""))
      .map((chain) => chain.join(" -> ")),
  );
}

const OPENS_BODY = /(?:=>|\)(?:: .+)?) \{$/;
const CONTROL = /^(?:\} )?(?:if|else|for|while|switch|catch|do)\b/;

/**
 * Functions with more than `most` lines, as `path name`, from the head to the closing brace. It relies on the formatter: a
 * head that takes several lines starts and ends at one indent, and the body closes with the first brace at that indent.
 */
export function longFunctions({path, text}: SourceFile, most: number): string[] {
  const lines = text.split("\n");
  return lines.flatMap((line, opening) => {
    if (!OPENS_BODY.test(line)) return [];
    const indent = line.length - line.trimStart().length;
    const atIndent = (at: number) => lines[at]?.[indent] !== " " && (lines[at]?.slice(0, indent).trim() ?? "-") === "";
    let start = opening;
    while (/^[)}]/.test(lines[start]?.slice(indent) ?? "")) {
      do start -= 1;
      while (!atIndent(start));
    }
    const head = lines[start]?.slice(indent) ?? "";
    const end = lines.findIndex((later, at) => at > opening && atIndent(at) && later[indent] === "}");
    if (CONTROL.test(head) || end - start < most) return [];
    return [`${path} ${/(?:function\*?|const) (\w+)/.exec(head)?.[1] ?? /\w+/.exec(head)?.[0] ?? start + 1}`];
  });
}

/** Names of top-level types that are declared in more than one place. */
export function repeatedTypeNames(files: readonly SourceFile[]): string[] {
  const names = files.flatMap(({text}) =>
    [...text.matchAll(/^(?:export )?(?:interface|type) (\w+)/gm)].map((match) => match[1] ?? ""),
  );
  return [...new Set(names.filter((name, at) => names.indexOf(name) !== at))].sort();
}

/** The package of an import: `@scope/name` of `@scope/name/part`. */
const packageOf = (specifier: string): string =>
  specifier.startsWith("@") ? specifier.split("/").slice(0, 2).join("/") : specifier;
