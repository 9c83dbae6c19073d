/** Which files count as specs: globs with exclusions, large and binary files, links, and text that nobody sees. */
import {mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {dirname, join} from "node:path";
import {describe, expect, it, onTestFinished, test} from "vitest";
import {DEFAULT_CONFIG} from "../../../src/detect/config/config.ts";
import {openProject} from "../../../src/detect/files/open-project.ts";
import {chooseSpecs} from "../../../src/specs/choose-specs.ts";
import {ownedPaths} from "../../../src/specs/drift/claims.ts";
import {findSpecFiles, findSpecs} from "../../../src/specs/find-specs.ts";
import {projectOf} from "../detect/tree.ts";

const RULES = DEFAULT_CONFIG.specs;

function choose(task: string, specs: ReturnType<typeof findSpecs>, scorer: "tf-idf" | "names" = "tf-idf") {
  if (RULES === null) throw new Error("specs are switched off by default");
  const {given, texts, ranked} = chooseSpecs({task, specs, rules: {...RULES, scorer}});
  return {of: given.of, names: given.given.map(({name}) => name), texts, ranked: ranked.map(({spec}) => spec.name)};
}

describe("globs", () => {
  const paths = [
    ...["specs/lexer/lexer.spec.md", "specs/parser/parser.spec.md", "specs/parser/old/notes.md", "src/specs/a.md"],
    ...["README.md", "docs/README.md", "#notes.md"],
  ];
  it.each<[string[], string[]]>([
    [["specs/**", "!specs/parser/**"], ["specs/lexer/lexer.spec.md"]],
    [
      ["specs/**", "!specs/parser/**", "specs/parser/old/*.md"],
      ["specs/lexer/lexer.spec.md", "specs/parser/old/notes.md"],
    ],
    [
      ["specs/**", "!notes.md"],
      ["specs/lexer/lexer.spec.md", "specs/parser/parser.spec.md"],
    ],
    [["!specs/parser/**"], ["specs/lexer/lexer.spec.md"]],
    [["!specs/parser"], ["specs/lexer/lexer.spec.md"]],
    [["specs/parser/"], ["specs/parser/parser.spec.md", "specs/parser/old/notes.md"]],
    [["/specs/parser", "!old"], ["specs/parser/parser.spec.md"]],
    [["docs"], ["docs/README.md"]],
    [["specs/*"], ["specs/lexer/lexer.spec.md", "specs/parser/parser.spec.md", "specs/parser/old/notes.md"]],
    [["specs/{lexer,other}/"], ["specs/lexer/lexer.spec.md"]],
    [["/README.md"], ["README.md"]],
    [["README.md", "!/README.md"], ["docs/README.md"]],
    [["/specs/**/*.spec.md"], ["specs/lexer/lexer.spec.md", "specs/parser/parser.spec.md"]],
    [["#notes.md"], ["#notes.md"]],
    [[], []],
  ])("%j", (globs, expected) => {
    expect(findSpecFiles(paths, globs).map(({path}) => path)).toEqual(expected);
  });
});

async function specsOnDisk(write: (top: string) => void) {
  const top = mkdtempSync(join(tmpdir(), "assay-specs-"));
  onTestFinished(() => rmSync(top, {recursive: true}));
  write(top);
  return findSpecs(await openProject(top), null);
}
const specIn = (top: string, name: string, content: string | Buffer): string => {
  const path = join(top, `specs/${name}/${name}.spec.md`);
  mkdirSync(dirname(path), {recursive: true});
  writeFileSync(path, content);
  return path;
};

test("the beginning of a spec of any size is read", async () => {
  const specs = await specsOnDisk((top) =>
    specIn(top, "large", `## Purpose\nThe lexer.\n${"More words.\n".repeat(2e5)}`),
  );
  const {of, names, texts} = choose("lexer", specs);
  expect([of, names]).toEqual([1, ["large"]]);
  expect(texts[0]?.text).toContain("The lexer.");
});

test.each(["tf-idf", "names"] as const)("a binary spec and a spec without text are none (%s)", async (scorer) => {
  const specs = await specsOnDisk((top) => {
    specIn(top, "lexer", Buffer.from("## Purpose\nThe lexer.\0\x01"));
    specIn(top, "lexer-rules", "## Purpose\nThe lexer.\n");
    specIn(top, "lexer-todo", "<!-- the lexer -->\n");
  });
  const {of, names, ranked} = choose("the lexer", specs, scorer);
  expect([of, names]).toEqual([2, ["lexer-rules"]]);
  expect(ranked).not.toContain("lexer");
});

test.each(["tf-idf", "names"] as const)("links are no specs (%s)", async (scorer) => {
  const specs = await specsOnDisk((top) => {
    const target = specIn(top, "lexer", "## Purpose\nThe lexer.\n");
    for (const [name, to] of [
      ["lexer-link", target],
      ["outside-lexer", "/etc/hostname"],
    ] as const) {
      mkdirSync(join(top, "specs", name));
      symlinkSync(to, join(top, "specs", name, `${name}.spec.md`));
    }
    symlinkSync("lexer", join(top, "specs/linked-folder"));
  });
  const {of, names} = choose("the lexer", specs, scorer);
  expect([of, names]).toEqual([1, ["lexer"]]);
});

test("hidden text of a spec does not count in the ranking", () => {
  const tree = {
    "specs/a/a.spec.md": `## Purpose\n<!-- ${"lexer ".repeat(20)} -->\nThe parser reads tokens.\n`,
    "specs/b/b.spec.md": "## Purpose\nOne lexer, among the many other things that this module does in a day.\n",
    "specs/c/c.spec.md": "## Purpose\nThe printer.\n\n<!-- unfinished: the lexer, the lexer\n",
    "specs/d/d.spec.md": '## Purpose\nA [page](d.md "the lexer").\n\n[lexer]: x "lexer lexer"\n',
  };
  expect(choose("the lexer", findSpecs(projectOf(tree), null)).ranked).toEqual(["b"]);
});

describe("the context of an OpenSpec configuration", () => {
  const textsOf = (config: string) =>
    choose("anything", findSpecs(projectOf({"openspec/config.yaml": config}), null)).texts;

  it.each([
    ["a block", "schema: spec-driven\n\ncontext: |\n  Rust only.\n\n    deeper\n\nrules:\n  proposal:\n    - short\n"],
    ["a block at the end", "context: |-  # why\r\n  Rust only.\r\n\r\n    deeper"],
  ])("is given to every run: %s", (_, config) => {
    expect(textsOf(config)).toEqual([{path: "openspec/config.yaml", text: "Rust only.\n\n  deeper"}]);
  });

  it("may be one line, or missing", () => {
    expect(textsOf('context: "Rust only."\nschema: x\n')[0]?.text).toBe("Rust only.");
    expect(textsOf("schema: spec-driven\n# context: |\n#   Rust\nrules:\n  context: Go\n")).toEqual([]);
    expect(textsOf("context: |\nrules: {}\n")).toEqual([]);
  });

  it("owns no file that it mentions", () => {
    const [spec] = findSpecFiles(["openspec/config.yaml"], null);
    expect(spec && [...ownedPaths({...spec, text: "context: see src/a.ts"})]).toEqual([]);
  });
});
