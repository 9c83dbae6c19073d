/** Which changed paths ask for a verification. */
import {describe, expect, it} from "vitest";
import {DEFAULT_CODE_EXTENSIONS, DEFAULT_SKIP_PATTERNS} from "../../../src/changes/path-lists.ts";
import {whatToVerify} from "../../../src/changes/trigger.ts";
import type {Change} from "../../../src/record/verification.ts";

const rules = {skipPatterns: DEFAULT_SKIP_PATTERNS, codeExtensions: DEFAULT_CODE_EXTENSIONS};
const modified = (...paths: string[]): Change[] => paths.map((path) => ({path, status: "modified"}));

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
    ["assets/logo.png", "no known kind"],
    ["data/weights.bin", "no known kind"],
    ["Procfile", "no known kind"],
  ])("verifies a change of %s", (path, why) => {
    const trigger = whatToVerify(modified("README.md", path), rules);
    expect(trigger.kind).toBe("verify");
    expect(trigger).toHaveProperty("because", expect.stringContaining(why));
    expect(trigger).toHaveProperty("because", expect.stringContaining(path));
  });

  it.each(["README.md", "a/b/CHANGELOG.md", "notes.txt", "LICENSE", "LICENSE-MIT", "docs/img/a.png", ".gitignore"])(
    "skips a change of only %s and says by which pattern",
    (path) => {
      const trigger = whatToVerify(modified(path), rules);
      expect(trigger).toMatchObject({kind: "skip", why: "only-skipped-paths"});
      expect(trigger).toHaveProperty("detail", expect.stringMatching(/: .+ \(.+\)$/));
    },
  );

  it("skips when there is no change", () => {
    expect(whatToVerify([], rules)).toMatchObject({kind: "skip", why: "no-change"});
  });

  it("counts both names of a rename, and a deletion", () => {
    expect(whatToVerify([{path: "old.md", from: "old.ts", status: "renamed"}], rules).kind).toBe("verify");
    expect(whatToVerify([{path: "new.ts", from: "new.md", status: "renamed"}], rules).kind).toBe("verify");
    expect(whatToVerify([{path: "new.md", from: "old.md", status: "renamed"}], rules).kind).toBe("skip");
    expect(whatToVerify([{path: "src/a.ts", status: "deleted"}], rules).kind).toBe("verify");
  });

  it("anchors a pattern with a slash, and lets one without a slash match in any folder", () => {
    const own = (glob: string) => ({...rules, skipPatterns: [glob]});
    expect(whatToVerify(modified("gen/a.ts"), own("gen/**")).kind).toBe("skip");
    expect(whatToVerify(modified("src/gen/a.ts"), own("gen/**")).kind).toBe("verify");
    expect(whatToVerify(modified("src/deep/.a.gen.ts"), own("*.gen.ts")).kind).toBe("skip");
  });

  it("lets the owner's patterns skip test files, but never build files", () => {
    const own = {...rules, skipPatterns: ["tests/manual/**", "*.json"]};
    expect(whatToVerify(modified("tests/manual/a.ts"), own).kind).toBe("skip");
    expect(whatToVerify(modified("package.json"), own).kind).toBe("verify");
  });

  it("takes the owner's list of extensions, dot or not", () => {
    const own = {skipPatterns: ["*"], codeExtensions: ["foo"]};
    expect(whatToVerify(modified("a.foo"), own).kind).toBe("skip");
    expect(whatToVerify(modified("a.foo"), {skipPatterns: [], codeExtensions: ["foo"]})).toHaveProperty(
      "because",
      "a.foo is code",
    );
  });

  it("shows a name with a line break on one line", () => {
    expect(whatToVerify(modified("a\nb.ts"), rules)).toHaveProperty("because", "a\\nb.ts is code");
  });

  it("looks at ten thousand documents in well under two seconds", () => {
    const started = performance.now();
    const many = modified(...Array.from({length: 10_000}, (_, at) => `docs/chapter-${at}/page.md`));
    expect(whatToVerify(many, rules).kind).toBe("skip");
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});
