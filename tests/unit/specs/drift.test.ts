/** Where a change leaves specs and code in disagreement, and which new modules lack a spec. */
import {describe, expect, it} from "vitest";
import {DEFAULT_CONFIG} from "../../../src/detect/config/config.ts";
import type {Change} from "../../../src/record/verification.ts";
import {mentionedPaths, ownedPaths} from "../../../src/specs/drift/claims.ts";
import {findDrift} from "../../../src/specs/drift/find-drift.ts";
import {findModulesWithoutSpec} from "../../../src/specs/drift/write-first.ts";
import {findSpecFiles} from "../../../src/specs/find-specs.ts";

type Tree = Readonly<Record<string, string>>;

function changesBetween(base: Tree, candidate: Tree): Change[] {
  return [...new Set([...Object.keys(base), ...Object.keys(candidate)])].flatMap((path): Change[] => {
    const [before, after] = [base[path], candidate[path]];
    if (before === after) return [];
    return [{path, status: before === undefined ? "added" : after === undefined ? "deleted" : "modified"}];
  });
}

const specsIn = (tree: Tree) =>
  findSpecFiles(Object.keys(tree), null).map((spec) => ({...spec, text: tree[spec.path] ?? ""}));

async function driftOf(base: Tree, change: Record<string, string | null>) {
  const merged = Object.entries({...base, ...change});
  const candidate = Object.fromEntries(merged.flatMap(([path, text]) => (text === null ? [] : [[path, text]])));
  const {findings, concerned} = await findDrift({
    specs: specsIn(candidate).filter(({path}) => path in base),
    added: specsIn(candidate).filter(({path}) => !(path in base)),
    removed: specsIn(base).filter(({path}) => !(path in candidate)),
    changes: changesBetween(base, candidate),
    read: async (side, path) => (side === "base" ? base : candidate)[path] ?? null,
  });
  return {found: findings.map(({code, file, message}) => `${code} ${file}: ${message}`), concerned};
}

const SPEC =
  "---\nmodule: parser\nfiles:\n  - src/parser.ts\n  - 'src/lexer.ts'\n---\n## Public API\n`parseLine(text)`\n";
const BASE: Tree = {
  "specs/parser/parser.spec.md": SPEC,
  "src/parser.ts": "export function parseLine(text: string) {}\n",
  "src/lexer.ts": "export const lex = 1;\n",
  "src/other.ts": "export const other = 1;\n",
};

describe("drift", () => {
  it("is a spec that did not change with a file that it owns", async () => {
    expect(await driftOf(BASE, {"src/lexer.ts": "export const lex = 2;\n"})).toEqual({
      found: ["spec-unchanged specs/parser/parser.spec.md: `src/lexer.ts` changed, and this spec did not"],
      concerned: 1,
    });
  });

  it("is none if the spec changed too, or a file next to it, or nothing that a spec owns", async () => {
    const change = {"src/lexer.ts": "export const lex = 2;\n"};
    const none = {found: [], concerned: 1};
    expect(await driftOf(BASE, {...change, "specs/parser/parser.spec.md": `${SPEC}more\n`})).toEqual(none);
    expect(await driftOf(BASE, {...change, "specs/parser/tasks.md": "done"})).toEqual(none);
    expect(await driftOf(BASE, {"src/other.ts": "1"})).toEqual({found: [], concerned: 0});
  });

  it("is a named symbol that is gone, unless it moved inside the change or to an owned file", async () => {
    const spec = {"specs/parser/parser.spec.md": `${SPEC}more\n`};
    const renamed = {"src/parser.ts": "export function readLine(text: string) {}\n", ...spec};
    const gone = ["symbol-gone specs/parser/parser.spec.md: this spec names `parseLine`, gone from `src/parser.ts`"];
    expect((await driftOf(BASE, renamed)).found).toEqual(gone);
    const moved = "export function parseLine() {}\n";
    expect((await driftOf(BASE, {...renamed, "src/new.ts": moved})).found).toEqual([]);
    expect((await driftOf({...BASE, "src/lexer.ts": moved}, renamed)).found).toEqual([]);
    expect((await driftOf(BASE, {...renamed, "tests/parser.test.ts": "// not parseLine"})).found).toEqual(gone);
  });

  it("is a file that a spec names and the change removes", async () => {
    const base = {...BASE, "openspec/specs/search/spec.md": "### Requirement: Index\nKept in src/other.ts.\n"};
    expect((await driftOf(base, {"src/other.ts": null, "openspec/changes/a/specs/search/spec.md": "x"})).found).toEqual(
      ["file-gone openspec/specs/search/spec.md: this spec names `src/other.ts`, which this change removes"],
    );
  });

  it("is a spec that the change removes, unless its changed files are gone or another spec owns them", async () => {
    const change = {"src/parser.ts": "export const other = 1;\n", "specs/parser/parser.spec.md": null};
    expect((await driftOf(BASE, change)).found).toEqual([
      "spec-removed specs/parser/parser.spec.md: `src/parser.ts` changed, and the change removes this spec",
    ]);
    expect((await driftOf(BASE, {...change, "src/parser.ts": null})).found).toEqual([]);
    expect((await driftOf(BASE, {...change, "specs/reader/reader.spec.md": SPEC})).found).toEqual([]);
    expect((await driftOf(BASE, {"specs/parser/parser.spec.md": null, "src/other.ts": "2"})).found).toEqual([]);
  });

  it("is nothing of a decision record, and a feature's spec need not change with its code", async () => {
    const text = "## Decision\nWe keep src/other.ts. FR-001 SHALL stay.\n";
    const base = {
      ...BASE,
      "docs/adr/0001-a.md": text,
      "specs/001-a/spec.md": text,
      ".kiro/specs/a/requirements.md": text,
    };
    expect((await driftOf(base, {"src/other.ts": "2"})).found).toEqual([]);
    expect((await driftOf(base, {"src/other.ts": null})).found.map((one) => one.split(":")[0])).toEqual([
      "file-gone specs/001-a/spec.md",
      "file-gone .kiro/specs/a/requirements.md",
    ]);
  });
});

it("a spec owns the files of its front matter, else those that it mentions", () => {
  const owned = (path: string, text: string) => specsIn({[path]: text}).flatMap((spec) => [...ownedPaths(spec)]);
  expect(owned("specs/a/a.spec.md", SPEC)).toEqual(["src/parser.ts", "src/lexer.ts"]);
  expect(owned("openspec/specs/a/spec.md", "See `./src/a.ts`, (lib/b.rs) and src/c/d.py.")).toEqual([
    "src/a.ts",
    "lib/b.rs",
    "src/c/d.py",
  ]);
  expect(owned("specs/001-a/spec.md", "See src/a.ts.")).toEqual([]);
});

describe("a new module without a spec", () => {
  const missing = (change: Tree) => {
    const candidate = {...BASE, ...change};
    const changes = changesBetween(BASE, candidate);
    const changed = new Set(changes.map(({path}) => path));
    return findModulesWithoutSpec({
      specs: specsIn(BASE),
      newSpecs: specsIn(candidate).filter(({path}) => changed.has(path)),
      changes,
      basePaths: Object.keys(BASE),
      codeExtensions: DEFAULT_CONFIG.codeExtensions,
    }).map(({file, message}) => `${file}: ${message}`);
  };

  it("is a new folder with code, or a new file next to one that a spec owns", () => {
    expect(missing({"lib/store/index.ts": "1", "lib/store/disk.ts": "2"})).toEqual([
      "lib/store/index.ts: `lib` is a new module: add a spec with its name, or name the file in a spec of this change",
    ]);
    expect(missing({"src/user-store.ts": "1"})).toEqual([
      "src/user-store.ts: `src/user-store.ts` is a new module: add a spec with its name, or name the file in a spec of this change",
    ]);
  });

  it("is none with a spec of its name, or one that names its file; and no test or document is a module", () => {
    expect(missing({"src/user-store.ts": "1", "specs/user_store/user_store.spec.md": "x"})).toEqual([]);
    expect(missing({"src/user-store.ts": "1", "specs/users/users.spec.md": "For src/user-store.ts."})).toEqual([]);
    expect(missing({"lib/store/index.ts": "1", "specs/store/store.spec.md": "x"})).toEqual([]);
    const empty = ["", " \n", "---\nmodule: store\n---\n", "<!-- lib/store/index.ts -->", "[a]: lib/store/index.ts\n"];
    for (const text of empty)
      expect(missing({"lib/store/index.ts": "1", "specs/store/store.spec.md": text}), text).toHaveLength(1);
    expect(missing({"tests/new/a.ts": "1", "src/a.test.ts": "1", "src/notes.md": "1"})).toEqual([]);
  });
});

describe("paths", () => {
  it("are found without the punctuation after them", () => {
    const text = "See ./src/a.ts, (lib/b.js), [docs/c](docs/c.md). And a-b/@c/d.e/[id].ts...";
    expect([...mentionedPaths(text)]).toEqual(["src/a.ts", "lib/b.js", "docs/c](docs/c.md", "a-b/@c/d.e/[id].ts"]);
    const quoted = "---\nfiles:\n  - \"a/b.ts\" \r\n  - 'c.ts'\n---\n";
    expect([...ownedPaths({...specsIn(BASE)[0], text: quoted} as never)]).toEqual(["a/b.ts", "c.ts"]);
  });

  // With a quadratic pattern, each of these takes minutes.
  it.each([
    ["a long word", "a".repeat(250_000)],
    ["a long run of brackets", `a/${")".repeat(250_000)}a`],
    ["a long list of quotes", `---\nfiles:\n  - a${"'".repeat(19_000)}b\n---\n`],
  ])("take linear time in %s", (_, text) => {
    expect(mentionedPaths(text).size + ownedPaths({...specsIn(BASE)[0], text} as never).size).toBeLessThan(3);
  });
});
