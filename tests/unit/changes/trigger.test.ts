/** Which changed paths ask for a verification. */
import {describe, expect, it} from "vitest";
import {DEFAULT_CODE_EXTENSIONS, DEFAULT_SKIP_PATTERNS} from "../../../src/changes/path-lists.ts";
import {
  type DocumentReaders,
  decideFromPaths,
  isDocument,
  matchExtensions,
  matchSkipped,
} from "../../../src/changes/trigger.ts";
import type {Change} from "../../../src/record/verification.ts";
import {cpuClock} from "../report/cpu-time.ts";

const rules = {skipPatterns: DEFAULT_SKIP_PATTERNS, codeExtensions: DEFAULT_CODE_EXTENSIONS};
const modified = (...paths: string[]): Change[] => paths.map((path) => ({path, status: "modified"}));

const decide = (changes: readonly Change[], own = rules, readers: DocumentReaders = new Map()) =>
  decideFromPaths(changes, own, readers);

describe("whatToVerify", () => {
  it.each([
    ["src/a.ts", "is code"],
    ["a.MJS", "is code"],
    ["deep/er/App.vue", "is code"],
    ["lib/x.kt", "is code"],
    ["infra/main.tf", "is code"],
    ["docs/conf.py", "is code"],
    ["package.json", "decides how"],
    ["packages/a/package-lock.json", "decides how"],
    ["tsconfig.build.json", "decides how"],
    ["requirements-dev.txt", "decides how"],
    ["native/CMakeLists.txt", "decides how"],
    [".github/workflows/ci.yml", "decides how"],
    [".eslintrc.cjs", "decides how"],
    ["apps/web/Dockerfile", "decides how"],
    ["verify.json", "decides how"],
    ["tests/fixtures/input.md", "read by tests"],
    ["pkg/testdata/golden.txt", "read by tests"],
    ["src/__snapshots__/a.test.ts.snap", "read by tests"],
    ["assets/logo.png", "an unknown kind"],
    ["data/weights.bin", "an unknown kind"],
    ["Procfile", "an unknown kind"],
    ["words.txt", "an unknown kind"],
    ["prompts/system.md", "an unknown kind"],
    ["src/prompt.md", "an unknown kind"],
    ["templates/README.md", "an unknown kind"],
    ["src/main/resources/NOTICE.txt", "an unknown kind"],
    ["NEWS.py", "is code"],
    ["LICENSE-check.sh", "is code"],
    ["README.csv", "an unknown kind"],
  ])("verifies a change of %s", (path, why) => {
    const trigger = decide(modified("README.md", path));
    expect(trigger.kind).toBe("verify");
    expect(trigger).toHaveProperty("because", expect.stringContaining(why));
    expect(trigger).toHaveProperty("because", expect.stringContaining(path));
  });

  it.each([
    ...["README.md", "README.zh-CN.md", "README", "a/b/CHANGELOG.md", "docs/guide/notes.txt", "LICENSE", "LICENSE-MIT"],
    ...["docs/img/a.png", ".gitignore", "readme.rst", ".github/ISSUE_TEMPLATE/bug.yml"],
  ])("skips a change of only %s and says by which pattern", (path) => {
    const trigger = decide(modified(path));
    expect(trigger).toMatchObject({kind: "skip", why: "only-skipped-paths"});
    expect(trigger).toHaveProperty("detail", expect.stringMatching(/: .+ \(.+\)$/));
  });

  it("verifies a document that code of the base names", () => {
    expect(decide(modified("README.md"), rules, new Map([["README.md", "src/lib.rs"]]))).toEqual({
      kind: "verify",
      because: "README.md is named in src/lib.rs",
    });
    const own = {...rules, skipPatterns: ["*.md"]};
    expect(decide(modified("README.md"), own, new Map([["README.md", "src/lib.rs"]])).kind).toBe("skip");
  });

  it("reads a pattern that begins with # or ! as a name", () => {
    const own = (glob: string) => ({...rules, skipPatterns: [glob]});
    expect(decide(modified("#notes"), own("#*")).kind).toBe("skip");
    expect(decide(modified("!important"), own("!*")).kind).toBe("skip");
    expect(decide(modified("other.dat"), own("!*.md")).kind).toBe("verify");
  });

  it("lists at most five skipped paths", () => {
    const names = ["README", "CHANGELOG", "LICENSE", "NOTICE", "SECURITY"];
    const five = "README (documentation), CHANGELOG (documentation), LICENSE (documentation), NOTICE (documentation)";
    expect(decide(modified(...names))).toHaveProperty(
      "detail",
      `only paths that need no verification: ${five}, SECURITY (documentation)`,
    );
    expect(decide(modified(...names, "SUPPORT", "COPYING"))).toHaveProperty(
      "detail",
      `only paths that need no verification: ${five}, SECURITY (documentation) and 2 more`,
    );
  });

  it("skips when there is no change", () => {
    expect(decide([])).toMatchObject({kind: "skip", why: "no-change"});
  });

  it("counts both names of a rename, and a deletion", () => {
    expect(decide([{path: "old.md", from: "old.ts", status: "renamed"}]).kind).toBe("verify");
    expect(decide([{path: "new.ts", from: "new.md", status: "renamed"}]).kind).toBe("verify");
    expect(decide([{path: "docs/new.md", from: "docs/old.md", status: "renamed"}]).kind).toBe("skip");
    expect(decide([{path: "src/a.ts", status: "deleted"}]).kind).toBe("verify");
  });

  it("anchors a pattern with a slash, and lets one without a slash match in any folder", () => {
    const own = (glob: string) => ({...rules, skipPatterns: [glob]});
    expect(decide(modified("gen/a.ts"), own("gen/**")).kind).toBe("skip");
    expect(decide(modified("src/gen/a.ts"), own("gen/**")).kind).toBe("verify");
    expect(decide(modified("src/deep/.a.gen.ts"), own("*.gen.ts")).kind).toBe("skip");
  });

  it("lets the owner's patterns skip test files, but never build files", () => {
    const own = {...rules, skipPatterns: ["tests/manual/**", "*.json"]};
    expect(decide(modified("tests/manual/a.ts"), own).kind).toBe("skip");
    expect(decide(modified("package.json"), own).kind).toBe("verify");
  });

  it("takes the owner's list of extensions, dot or not", () => {
    const own = {skipPatterns: ["*"], codeExtensions: ["foo"]};
    expect(decide(modified("a.foo"), own).kind).toBe("skip");
    expect(decide(modified("a.foo"), {skipPatterns: [], codeExtensions: ["foo"]})).toHaveProperty(
      "because",
      "a.foo is code",
    );
  });

  it("shows a name with a line break on one line", () => {
    expect(decide(modified("a\nb.ts"))).toHaveProperty("because", "a\\nb.ts is code");
  });

  it("looks at ten thousand documents in well under two seconds", () => {
    const started = cpuClock();
    const many = modified(...Array.from({length: 10_000}, (_, at) => `docs/chapter-${at}/page.md`));
    expect(decide(many).kind).toBe("skip");
    expect(cpuClock() - started).toBeLessThan(2_000);
  });
});

describe("what skips a path", () => {
  it.each([
    ["README.md", true],
    ["docs/guide.md", true],
    ["docs/conf.py", false],
    ["tests/README.md", false],
    ["package.json", false],
    ["src/a.ts", false],
    ["notes/mine.xyz", true],
    ["verify.json", false],
  ])("%s: %s", (path, isSkipped) => {
    const own = {...rules, skipPatterns: [...DEFAULT_SKIP_PATTERNS, "notes/**", "verify.json"]};
    expect(matchSkipped(own)(path)).toBe(isSkipped);
  });

  it.each([
    ["README.md", true],
    ["LICENSE", true],
    ["docs/a.md", true],
    ["src/prompt.md", false],
    ["src/a.ts", false],
  ])("%s is a document: %s", (path, expected) => expect(isDocument(path)).toBe(expected));

  it("takes an ending with or without a dot, and only its first dot away", () => {
    const isCode = matchExtensions(["d.ts", ".Py"]);
    expect(["a.d.ts", "A.PY", "ad.ts", "a.dts", "py"].map(isCode)).toEqual([true, true, false, false, false]);
  });
});
