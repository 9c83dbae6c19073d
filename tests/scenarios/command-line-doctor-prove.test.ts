/** `assay doctor --prove`: faults in scratch commits show which checks notice them, and which tests nobody runs. */
import {mkdtempSync, rmSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {expect, onTestFinished, test} from "vitest";
import {doctorSchema} from "../../src/onboarding/finding.ts";
import {assay, gitIn, put} from "../rig/command-line.ts";

const FILES = {
  "verify.json": JSON.stringify({stages: [{name: "unit", kind: "test", command: "node --test"}]}),
  "package.json": JSON.stringify({name: "shop", type: "module", scripts: {test: "node --test"}}),
  "price.js":
    "export function price(count, each) {\n  if (count === 0) return 0;\n  return count * each;\n}\n\nexport function tax(sum) {\n  return sum / 5;\n}\n",
  "price.test.js": `import assert from "node:assert";
import {test} from "node:test";
import {price, tax} from "./price.js";
test("price", () => assert.equal(price(2, 3), 6));
test("nothing", () => assert.equal(price(0, 3), 0));
test("tax", () => assert.equal(tax(10), 2));
`,
  Makefile: "check:\n\tcargo build\n",
  "Cargo.toml": '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n',
  "src/lib.rs":
    "pub fn twice(n: u32) -> u32 {\n    n * 2\n}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn doubles() {\n        assert_eq!(super::twice(2), 4);\n    }\n}\n",
};

function repositoryOf(files: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), "gate-proof-"));
  onTestFinished(() => rmSync(folder, {recursive: true}));
  const git = gitIn(folder);
  git("init", "-q");
  put(folder, files);
  git("add", "-A");
  git("-c", "user.name=dev", "-c", "user.email=dev@example.com", "commit", "-qm", "First commit");
  return {folder, git};
}

test("a fault is noticed, tests that nobody runs are an error, and nothing is left", () => {
  const {folder, git} = repositoryOf(FILES);
  put(folder, {"price.js": "broken (\n"});
  const state = () => [git("status", "--porcelain"), git("for-each-ref"), git("count-objects", "-v")];
  const before = state();
  const {status, stdout, left} = assay(folder, ["doctor", "--prove", "--json"]);
  const {findings, proof} = doctorSchema.parse(JSON.parse(stdout));
  expect(proof?.tried).toEqual(
    expect.arrayContaining([
      expect.objectContaining({kind: "fault", languages: ["JavaScript"], path: "price.js", outcome: "noticed"}),
      expect.objectContaining({kind: "skipped-test", findings: ["disabled-tests"], outcome: "noticed"}),
      expect.objectContaining({kind: "deleted-test", findings: ["removed-tests"], outcome: "noticed"}),
      expect.objectContaining({kind: "broken-tests", languages: ["Rust"], outcome: "not-noticed"}),
    ]),
  );
  expect(findings).toContainEqual(
    expect.objectContaining({
      about: "Rust",
      state: "missing",
      next: 'add to `stages` in verify.json: {"name":"test","kind":"test","command":"cargo test"}',
    }),
  );
  expect({status, left, after: state()}).toEqual({status: 1, left: [], after: before});
});

test("without a check, its own tests or none of them are missing, without a table", () => {
  const {"price.js": code, "price.test.js": tests} = FILES;
  const unrun = {"verify.json": `{"stages": []}`, "package.json": FILES["package.json"]};
  const proved = (files: Readonly<Record<string, string>>) => assay(repositoryOf(files).folder, ["doctor", "--prove"]);
  const withTests = proved({...unrun, "price.js": code, "price.test.js": tests});
  expect([withTests.status, withTests.stdout]).toEqual([
    1,
    expect.stringMatching(
      /^❌ JavaScript: no check runs its tests: 1 file with tests \(price\.test\.js\)\. There is no check at all\n {3}→ .*\n\n1 to fix\.\n$/,
    ),
  ]);
  const withNothing = proved({"README.md": "Shop\n"});
  expect([withNothing.status, withNothing.stdout]).toEqual([
    2,
    expect.stringMatching(
      /^❌ checks: no checks were found, .*\n {3}→ .*`assay init` writes a template\)\n\n1 to fix\.\n$/,
    ),
  ]);
});
