/** Which lines of the base make a changed document something that code reads. */
import {mkdtemp, rm} from "node:fs/promises";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {afterAll, beforeAll, describe, expect, it} from "vitest";
import {decideVerification} from "../../../src/changes/document-readers.ts";
import {DEFAULT_CODE_EXTENSIONS, DEFAULT_SKIP_PATTERNS} from "../../../src/changes/path-lists.ts";
import {openRepository, type Repository} from "../../../src/git/repository.ts";
import type {Change} from "../../../src/record/verification.ts";
import {git} from "../../rig/git.ts";
import {everyNth} from "../../sweep.ts";
import {value, write} from "./place.ts";

const rules = {skipPatterns: DEFAULT_SKIP_PATTERNS, codeExtensions: DEFAULT_CODE_EXTENSIONS};

/** The changed path, the file of the base that names it, and its text. */
const READ: readonly [string, string, string][] = [
  ["README.md", "src/lib.rs", '#![doc = include_str!("../README.md")]\n'],
  ["README.md", "src/lib.rs", '#[doc = include_str!("../README.md")]\n'],
  ["README.md", "setup.py", 'setup(long_description=open("README.md").read())\n'],
  ["README.md", "web/about.ts", 'import text from "../README.md";\n'],
  ["README.md", "pyproject.toml", '[tool.pytest.ini_options]\naddopts = "--doctest-glob=*.md"\n'],
  ["README.md", "tests/test_docs.py", 'for page in Path(".").glob("**/*.md"):\n'],
  ["README.md", "agents.yaml", "prompt: README.md\n"],
  ["docs/words.txt", "cmd/main.go", 'data, _ := os.ReadFile("docs/words.txt")\n'],
  ["docs/words.txt", "main.go", "//go:embed docs\n"],
  ["docs/words.txt", "main.go", "//go:embed docs/*.txt\n"],
  ["docs/words.txt", "main.go", "//go:embed all:docs\n"],
  ["docs/guide/NEWS.md", "docs/embed.go", "//go:embed guide/*\n"],
  ["src/help/README.md", "src/main.rs", 'static HELP: Dir = include_dir!("$CARGO_MANIFEST_DIR/src/help");\n'],
  ["app/help/README.md", "setup.py", '    package_data={"app": ["help/*"]},\n'],
  ["LICENSE", "about.go", "//go:embed LICENSE\n"],
  ["docs/a/words.txt", "list.js", "for (const name of fs.readdirSync('docs/a')) read(name);\n"],
  ["docs/a/words.txt", "list.py", 'for page in walk(Path(ROOT, "docs")):\n'],
  ["docs/words.txt", "list.js", "fs.readFileSync('docs/' + name);\n"],
  ["doc/pages/x.md", "list.ts", "fs.readFileSync(`./doc/pages/${name}.md`);\n"],
  ["docs/part-1.md", "list.py", 'open("../docs/part-%d.md" % number)\n'],
  ["content/news/README.md", "list.rb", 'Dir.children("content/news")\n'],
  ["docs/a.md", "package.json", '    "lint:docs": "markdownlint docs/",\n'],
  ["docs/guide/a.md", "package.json", '    "lint": "eslint src && vale docs/guide/*.md"\n'],
  ["docs/a.md", "package.json", '{"name": "a", "scripts": {"docs": "! grep -rn TODO docs"}}\n'],
  ["docs/a.md", "Makefile", "docs-check:\n\tsphinx-build -W docs out\n"],
  ["docs/a.md", "tools/check.sh", "vale ../docs\n"],
];

const UNREAD: readonly [string, string, string][] = [
  ["README.md", "src/main.ts", "// See README.md.\n"],
  ["README.md", "run.sh", "# described in README.md\n"],
  ["README.md", "src/main.c", "/*\n * README.md tells more\n */\n"],
  ["README.md", "pyproject.toml", '[project]\nreadme = "README.md"\n'],
  ["README.md", "Cargo.toml", '[package]\nreadme = "README.md"\n'],
  ["README.md", "CONTRIBUTING.md", "Read README.md first.\n"],
  ["README.md", ".npmignore", "README.md\n*.md\n"],
  ["README.md", ".github/workflows/ci.yml", "paths-ignore: ['**.md', 'README.md']\n"],
  ["docs/config.md", "src/main.ts", 'open("my-config.md");\nopen("config.mdx");\n'],
  ["docs/words.txt", "cmd/main.go", "//go:embed docs/*.txt\n"],
  ["docs/words.txt", "main.go", "//go:embed assets\n"],
  ["docs/words.txt", "list.js", "fs.readFileSync('docs/other.txt');\n"],
  ["docs/words.txt", "list.js", "fetch('https://example.com/docs/'); route('/docs');\n"],
  ["docs/words.txt", "list.js", "fs.readdirSync('mydocs'); fs.readdirSync('docs-old');\n"],
  ["docs/words.txt", "package.json", '{"files": ["docs"]}\n'],
  ["docs/words.txt", "package.json", '  "description": "See the docs folder",\n  "directories": {"doc": "docs"}\n'],
  ["docs/words.txt", "package.json", '  "lint": "eslint docs-old other/docs"\n'],
  ["docs/words.txt", "Makefile", "docs: build\n\techo\n"],
  ["content/news/README.md", "list.js", "fs.readdirSync('content');\n"],
];

describe("a changed document", () => {
  let folder: string;
  let repository: Repository;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "assay-readers-"));
    await git(tmpdir(), ["init", "--quiet", join(folder, "source")]);
    await commit({empty: ""});
    const variables = {PATH: process.env["PATH"]};
    const source = {kind: "local", folder: join(folder, "source")} as const;
    repository = value(await openRepository({folder: join(folder, "bot"), source, variables}));
  });
  afterAll(() => rm(folder, {recursive: true, force: true, maxRetries: 3}));

  async function commit(files: Readonly<Record<string, string>>): Promise<string> {
    const source = join(folder, "source");
    await git(source, ["rm", "-rqf", "--ignore-unmatch", "."]);
    await write(source, files);
    await git(source, ["add", "-f", "."]);
    await git(source, ["commit", "--quiet", "--allow-empty", "-m", "Files"]);
    return git(source, ["rev-parse", "HEAD"]);
  }

  async function decide(base: Readonly<Record<string, string>>, change: Change) {
    const {commit: id} = value(await repository.fetch(await commit(base)));
    return decideVerification({git: repository.git, commit: id, changes: [change], rules, stages: []});
  }

  it.each(everyNth(READ, 3))("%s is verified when %s reads it: %j", async (path, file, text) => {
    const trigger = await decide({[path]: "Words\n", [file]: text}, {path, status: "modified"});
    expect(trigger).toMatchObject({kind: "verify"});
    expect(trigger).toHaveProperty("because", expect.stringMatching(/ is named in /));
  });

  it.each(everyNth(UNREAD, 3))("%s stays documentation although %s says %j", async (path, file, text) => {
    const trigger = await decide({[path]: "Words\n", [file]: text}, {path, status: "modified"});
    expect(trigger).toMatchObject({kind: "skip", why: "only-skipped-paths"});
  });

  it.each([
    ["its `when`", {when: ["docs/**"]}, true],
    ["its folder", {cwd: "docs/site"}, true],
    ["a folder of its command", {command: "vale --strict ./docs/"}, true],
    ["a pattern of its command", {command: "markdownlint '**/*.md'"}, true],
    ["the path from its folder", {command: "vale ../docs/site/a.md", cwd: "tools"}, true],
    ["another folder", {command: "vale doc docs-old", when: ["doc/**"], cwd: "documents"}, false],
    ["everything", {command: "./check ."}, false],
  ])("is verified where a stage reads it, by %s", async (_name, over, isRead) => {
    const base = value(await repository.fetch(await commit({"docs/site/a.md": "Words\n"}))).commit;
    const stages = [{name: "check", command: "./check", cwd: ".", when: [], ...over}];
    const changes = [{path: "docs/site/a.md", status: "modified"} as const];
    const trigger = await decideVerification({git: repository.git, commit: base, changes, rules, stages});
    expect(trigger.kind).toBe(isRead ? "verify" : "skip");
    const own = {...rules, skipPatterns: ["docs/**"]};
    expect(await decideVerification({git: repository.git, commit: base, changes, rules: own, stages})).toMatchObject({
      kind: "skip",
    });
  });

  it("counts what a manifest names as soon as the file goes away", async () => {
    const base = {"README.md": "Words\n", "pyproject.toml": '[project]\nreadme = "README.md"\n'};
    expect(await decide(base, {path: "README.md", status: "deleted"})).toMatchObject({kind: "verify"});
    const renamed = {path: "docs/readme.md", from: "README.md", status: "renamed"} as const;
    expect(await decide(base, renamed)).toMatchObject({kind: "verify"});
  });

  it("is verified when the base cannot be searched, or there are too many", async () => {
    const change = {path: "README.md", status: "modified"} as const;
    const gone = "0123456789012345678901234567890123456789";
    const {git: own} = repository;
    expect(await decideVerification({git: own, commit: gone, changes: [change], rules, stages: []})).toMatchObject({
      kind: "verify",
    });
    const many = Array.from({length: 501}, (_, at) => ({...change, path: `docs/${at}.md`}));
    const head = await git(join(folder, "source"), ["rev-parse", "HEAD"]);
    expect(await decideVerification({git: own, commit: head, changes: many, rules, stages: []})).toMatchObject({
      kind: "verify",
    });
  });
});
