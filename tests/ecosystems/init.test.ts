/** `assay init` in the fixture projects: what it writes is accepted once committed, and a second time it writes nothing. */
import {mkdirSync, readFileSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {afterEach, describe, expect, it} from "vitest";
import {planSchema} from "../../src/record/plan.ts";
import {assay, commitAll, copyOf} from "./copy.ts";

/** Projects of every kind. Those with quick tools that every machine here has are verified as well. */
const PLANNED = [
  "deno",
  "python",
  "rust",
  "go",
  "java-maven",
  "ruby",
  "php",
  "c-meson",
  "shell",
  "elixir",
  "lua",
  "terraform",
];
const VERIFIED = ["node-npm", "c-make", "c-cmake", "rust"];

describe("assay init", () => {
  let copy: ReturnType<typeof copyOf> | undefined;
  afterEach(() => copy?.remove());
  const files = (folder: string) =>
    ["verify.json", ".github/workflows/assay.yml"].map((path) => readFileSync(join(folder, path), "utf8"));

  it.each([...PLANNED, ...VERIFIED])("leaves its own files in %s alone, and they change no plan", async (name) => {
    copy = copyOf(name);
    const {folder} = copy;
    const before = planSchema.parse(JSON.parse((await assay(folder, "plan", "--json")).stdout));
    expect(await assay(folder, "init")).toMatchObject({code: 0, stderr: ""});
    const written = files(folder);
    commitAll(folder);

    const after = await assay(folder, "plan", "--json");
    expect(after.code).toBe(0);
    expect(planSchema.parse(JSON.parse(after.stdout)).stages).toEqual(before.stages);
    expect(before.stages.length).toBeGreaterThan(0);
    for (const stage of before.stages) expect(written[0]).toContain(stage.command);

    const again = await assay(folder, "init");
    expect(again.code).toBe(0);
    expect(again.stdout).toContain("left verify.json alone");
    expect(again.stdout).toContain("left .github/workflows/assay.yml alone");
    expect(files(folder)).toEqual(written);
  });

  it.each(VERIFIED)("gives %s a verify.json that `assay verify` accepts", async (name) => {
    copy = copyOf(name);
    await assay(copy.folder, "init");
    commitAll(copy.folder);
    const ran = await assay(copy.folder, "verify");
    expect(ran).toMatchObject({code: 0});
    expect(ran.stdout).toContain("✅ Verified");
  });

  it.each(PLANNED)("gives %s commented lines that are valid when uncommented, and that count", async (name) => {
    copy = copyOf(name);
    await assay(copy.folder, "init");
    const file = join(copy.folder, "verify.json");
    const text = readFileSync(file, "utf8");
    const uncommented = text.replace(/^(\s*)\/\/ (?=(?:\s*\{"command"|\s*\]|"\w[\w:]*": [[{"\d]))/gm, "$1");
    expect(uncommented).not.toBe(text);
    writeFileSync(file, uncommented.replaceAll(/"timeout": \d+/g, '"timeout": 77'));
    const planned = await assay(copy.folder, "plan", "--json");
    expect(planned).toMatchObject({code: 0, stderr: ""});
    const {stages} = planSchema.parse(JSON.parse(planned.stdout));
    expect(stages.map((stage) => stage.timeout)).toEqual(stages.map(() => 77));
  });

  it("leaves a file in another place alone, and an owner's own workflow", async () => {
    copy = copyOf("c-make");
    const {folder} = copy;
    const own = "on: issue_comment\njobs: {a: {steps: [\n  {},\n]}}\n# uses\n";
    const workflow = `${own}    - uses: somebody/assay@0123456789012345678901234567890123456789\n`;
    const paths = {".assay/verify.json": "{}", ".github/workflows/bot.yml": workflow};
    for (const [path, text] of Object.entries(paths)) {
      mkdirSync(join(folder, path, ".."), {recursive: true});
      writeFileSync(join(folder, path), text);
    }
    const {stdout} = await assay(folder, "init", "--json");
    expect(JSON.parse(stdout).files).toEqual([
      {path: ".assay/verify.json", done: "left-alone"},
      {path: ".github/workflows/bot.yml", done: "left-alone"},
    ]);
  });
});
