/** `assay init` in the fixture projects: what it writes is accepted once committed, and a second time it writes nothing. */
import {mkdirSync, readFileSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {afterEach, describe, expect, it} from "vitest";
import {planSchema} from "../../src/record/plan.ts";
import {recordSchema} from "../../src/record/record.ts";
import {isSweep, someOf} from "../sweep.ts";
import {assay, commitAll, copyOf} from "./copy.ts";
import {FIXTURE_PROJECTS} from "./projects.ts";
import {missing} from "./tools.ts";

/** Projects whose tools are slow, or on few machines: what is written is only planned. */
const PLANNED = ["deno", "python", "java-maven", "c-meson", "terraform"];
/** Here `assay verify` accepts what is written; at least ten of them can run on every machine that tests this. */
const VERIFIED = [
  ...["node-npm", "rust", "go", "ruby-rake", "php", "c-make", "c-cmake", "shell", "just", "lua", "elixir"],
];
/** `npm run sweep` runs all of these; real-tools.test.ts runs the same stages without the files. */
const NOW_VERIFIED = isSweep ? VERIFIED : ["c-make"];
/** The plans of a few show it; which commands `init` writes for each ecosystem is a unit test. */
const NOW_PLANNED = isSweep ? [...PLANNED, ...VERIFIED] : NOW_VERIFIED;
/** The programs of a project that this machine lacks. */
const absent = (folder: string): string[] =>
  missing(FIXTURE_PROJECTS.find((project) => project.folder === folder)?.programs ?? [folder]);

describe("assay init", () => {
  let copy: ReturnType<typeof copyOf> | undefined;
  afterEach(() => copy?.remove());
  const files = (folder: string) =>
    ["verify.json", ".github/workflows/assay.yml"].map((path) => readFileSync(join(folder, path), "utf8"));

  it.each(NOW_PLANNED)("leaves its own files in %s alone, and they change no plan", async (name) => {
    copy = copyOf(name);
    const {folder} = copy;
    const before = planSchema.parse(JSON.parse((await assay(folder, "plan", "--json")).stdout));
    expect(await assay(folder, "init", "--no-prove")).toMatchObject({code: 0, stderr: ""});
    const written = files(folder);
    commitAll(folder);

    const after = await assay(folder, "plan", "--json");
    expect(after.code).toBe(0);
    expect(planSchema.parse(JSON.parse(after.stdout)).stages).toEqual(before.stages);
    expect(before.stages.length).toBeGreaterThan(0);
    for (const stage of before.stages) expect(written[0]).toContain(stage.command);

    const again = await assay(folder, "init");
    expect(again.code).toBe(0);
    expect(again.stdout).toContain("kept verify.json: it exists already");
    expect(again.stdout).toContain("kept .github/workflows/assay.yml: it exists already");
    expect(files(folder)).toEqual(written);
  });

  for (const name of NOW_VERIFIED) {
    const lacking = absent(name);
    const title = `gives ${name} a verify.json that \`assay verify\` accepts`;
    it.skipIf(lacking.length > 0)(
      lacking.length > 0 ? `${title} (not here: ${lacking.join(", ")})` : title,
      async () => {
        copy = copyOf(name);
        await assay(copy.folder, "init", "--no-prove");
        commitAll(copy.folder);
        const planned = planSchema.parse(JSON.parse((await assay(copy.folder, "plan", "--json")).stdout));
        const ran = await assay(copy.folder, "verify", "--json");
        const record = recordSchema.parse(JSON.parse(ran.stdout));
        expect(record.verdict).toEqual({kind: "verified"});
        expect(ran.code).toBe(0);
        const stages = record.attempts[0]?.verification?.stages ?? [];
        expect(stages.map(({name, outcome}) => [name, outcome])).toEqual(
          planned.stages.map((stage) => [stage.name, "passed"]),
        );
      },
    );
  }

  it("can be verified in ten projects or more, wherever the tests are in earnest", () => {
    const ready = VERIFIED.filter((name) => absent(name).length === 0);
    if (process.env["CI"] !== undefined) expect(ready.length).toBeGreaterThanOrEqual(10);
    else expect(ready.length).toBeGreaterThan(0);
  });

  it.each(someOf(PLANNED))("gives %s commented lines that are valid when uncommented, and that count", async (name) => {
    copy = copyOf(name);
    await assay(copy.folder, "init", "--no-prove");
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
