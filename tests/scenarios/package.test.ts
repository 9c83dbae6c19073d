/** The npm package: packed, installed into an empty project, and used as a command and as a library. */
import {spawnSync} from "node:child_process";
import {mkdtempSync, readFileSync, rmSync, statSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {Ajv2020} from "ajv/dist/2020.js";
import {afterAll, beforeAll, expect, test} from "vitest";
import type {PlanDocument, RecordDocument} from "../../src/cli/api.ts";
import type {Plan} from "../../src/record/plan.ts";
import type {RunRecord} from "../../src/record/record.ts";
import {DOCUMENT_SCHEMAS} from "../../src/run/document-schemas.ts";
import {NODE_20} from "../ecosystems/tools.ts";
import {assay, put, repositoryOf} from "../rig/command-line.ts";
import {PRODUCT_FILES, plain} from "../rig/projects.ts";
import {someOf} from "../sweep.ts";

const root = new URL("../..", import.meta.url).pathname;
// on CI Assay prints in colour
const env = {...process.env, NO_COLOR: "1", FORCE_COLOR: undefined};
let folder = "";
let archive = "";
let project = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "assay-package-"));
  archive = ran(root, process.execPath, ["scripts/package.mjs", folder]).trim().split("\n").at(-1) ?? "";
  writeFileSync(join(folder, "package.json"), "{}");
  ran(folder, "npm", ["install", "--offline", "--no-audit", "--no-fund", archive]);
  const files = Object.entries(plain()).map(([path, content]) => [path, String(content)]);
  project = repositoryOf(Object.fromEntries(files));
});
afterAll(() => {
  for (const path of [folder, project]) if (path !== "") rmSync(path, {recursive: true, force: true});
});

function ran(cwd: string, program: string, args: readonly string[]): string {
  const {status, stdout, stderr} = spawnSync(program, args, {cwd, encoding: "utf8", env});
  if (status !== 0) throw new Error(`${program} ${args.join(" ")}: ${stderr}`);
  return stdout;
}

test("it has less than 2.5 MB, no dependency, and nothing of the action or the tests", () => {
  expect(statSync(archive).size).toBeLessThan(2_500_000);
  const names = ran(folder, "tar", ["-tzf", archive]).trim().split("\n");
  expect(
    names.filter((name) => !/^package\/(dist|schemas)\/|^package\/(LICENSE|README\.md|package\.json)$/.test(name)),
  ).toEqual([]);
  expect(names).toContain("package/dist/api.d.ts");
  expect(names.filter((name) => /dist\/(main|post)\.js$/.test(name))).toEqual([]);
  const manifest = JSON.parse(readFileSync(join(folder, "node_modules/@assay-run/assay/package.json"), "utf8"));
  expect(manifest).not.toHaveProperty("dependencies");
  expect(manifest).not.toHaveProperty("private");
});

test.each(someOf([["this Node", process.execPath], ...(NODE_20 === null ? [] : [["Node 20", NODE_20]])]))(
  "the installed command verifies on %s, and fails where the change is wrong",
  (_, node = "") => {
    const verify = () =>
      spawnSync(node, [join(folder, "node_modules/.bin/assay"), "verify"], {
        cwd: project,
        encoding: "utf8",
        env,
      });
    expect(verify()).toMatchObject({status: 0, stdout: expect.stringContaining("✅ Verified")});
    put(project, {"src/product.js": PRODUCT_FILES.wrong, "tests/product.test.js": PRODUCT_FILES.test});
    expect(verify()).toMatchObject({status: 1, stdout: expect.stringContaining("products multiply")});
    ran(project, "git", ["clean", "-qfd"]);
  },
);

test("the example of the page runs", () => {
  const example = /```js\n([\s\S]*?)```/.exec(readFileSync(join(root, "docs/library.md"), "utf8"))?.[1] ?? "";
  writeFileSync(join(folder, "example.mjs"), example);
  const lines = ran(project, process.execPath, [join(folder, "example.mjs")]);
  expect(lines).toMatch(/test: [\s\S]*\nverified\nsyntax passed\ntest passed\n[\s\S]*TS2322[\s\S]*\n0\n$/);
});

/** The types of the library are those of the documents; only the compiler looks at this. */
const types = (plan: Plan, record: RunRecord): [PlanDocument, RecordDocument] => [plan, record];

test("the schemas fit the documents, and are those that `npm run schema` writes", () => {
  expect(types).toBeTypeOf("function");
  for (const [name, schema] of Object.entries(DOCUMENT_SCHEMAS)) {
    const published = JSON.parse(readFileSync(join(root, `docs/schemas/${name}.json`), "utf8"));
    expect(published).toEqual(JSON.parse(JSON.stringify(schema)));
    expect(published.$id).toMatch(new RegExp(`/v0/docs/schemas/${name}\\.json$`));
  }
  const printed = {
    "plan.1": ["plan"],
    "record.1": ["verify"],
    "findings.1": ["inspect", "--base", "HEAD"],
  };
  for (const [name, args] of Object.entries(printed)) {
    const check = new Ajv2020({strict: false}).compile(DOCUMENT_SCHEMAS[name] ?? {});
    const document: unknown = JSON.parse(assay(project, [...args, "--json"]).stdout);
    expect(check(document), JSON.stringify(check.errors)).toBe(true);
    expect(check({schema: "assay.other/1"})).toBe(false);
  }
});
