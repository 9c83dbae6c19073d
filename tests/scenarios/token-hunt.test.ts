/** P11, P12: between any two steps the job's token is in the memory of Assay's main process, and of git while it pushes; nowhere else. */
import {spawn} from "node:child_process";
import {once} from "node:events";
import {mkdtempDisposable, writeFile} from "node:fs/promises";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {setTimeout as wait} from "node:timers/promises";
import {describe, expect, onTestFailed, test} from "vitest";
import {ENCODINGS} from "../rig/encodings.ts";
import {LEVELS} from "../rig/levels.ts";
import {bash, writeFileAt} from "../rig/model.ts";
import {PRODUCT_FILES, plain} from "../rig/projects.ts";
import {assertPromises} from "../rig/promises.ts";
import {createRig} from "../rig/rig.ts";
import {processesOf} from "../rig/runner/processes.ts";
import {huntFor} from "../rig/runner/token-hunt.ts";

const MAIN = /^\S*\/node \S*\/dist\/main\.js\b/;
const PUSHING = /^\S*git(?:-remote-https?)? /;
const LONGEST_WAIT_MS = 120_000;

const formsOf = (token: string): string[] => [
  ...Object.values(ENCODINGS).map((encode) => encode(token)),
  Buffer.from(`x-access-token:${token}`).toString("base64"),
];

test("the hunt finds a token that another process holds in its memory alone, and those in files", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "rig-hunt-"));
  const token = `ghs_${"h".repeat(36)}`;
  const keeps = "let kept = ''; process.stdin.on('data', (text) => { kept += text; console.log('kept'); });";
  const child = spawn(process.execPath, ["-e", keeps], {cwd: folder.path, stdio: ["pipe", "pipe", "ignore"]});
  child.stdin.write(token);
  await once(child.stdout, "data");
  await writeFile(join(folder.path, "notes"), `token = ${token}\n`);
  await writeFile(join(folder.path, "wide"), `token → ${token}`, "utf16le");
  const found = huntFor(formsOf(token), folder.path);
  const nothing = huntFor(formsOf(`ghs_${"n".repeat(36)}`), folder.path);
  child.kill();
  expect(found.map(({where}) => where)).toEqual(["memory", "file", "file"]);
  expect(nothing).toEqual([]);
});

describe.each(LEVELS)("$name", ({under, isolation, isThere}) => {
  test.skipIf(!isThere)("while the agent works, while a stage runs and while a commit is pushed", async () => {
    const [agents, stages] = [1, 2].map((step) => `3.${step}${process.pid}${Date.now() % 100_000}`);
    const command = `sleep ${stages} && node --test`;
    const verify = {stages: [{name: "test", kind: "test", command, timeout: 60}], maxFixAttempts: 0};
    // What takes a program away is started with the token in its environment, as the runner would be.
    await using rig = await createRig({
      files: plain({verify}),
      onFailed: onTestFailed,
      watches: under.length === 0,
    });
    const right = writeFileAt("src/product.js", PRODUCT_FILES.right);
    rig.model.script([{when: "multiply", do: [bash(`sleep ${agents}`), right], say: "Done."}]);
    const place = join(rig.folder, "run-1");
    const forms = formsOf(rig.github.tokenOf("github-actions[bot]"));
    const look = () => huntFor(forms, place);
    const pushed = new Promise<ReturnType<typeof look>>((resolve) => {
      rig.git.beforeNextPush(async () => resolve(look()));
    });
    const begun = await rig.begin("/assay multiply", {watchesMachine: true, under});
    const seen = [await running(`sleep ${agents}`, place, look), await running(`sleep ${stages}`, place, look)];
    const whilePushing = await pushed;
    const outcome = await begun.ended;
    await assertPromises(rig, outcome);
    expect(outcome.record?.verdict.kind).toBe("verified");
    expect(outcome.record?.attempts[0]?.verification?.isolation).toBe(isolation);
    for (const holders of [...seen, whilePushing]) {
      // a hunt that does not find it where it is by right has shown nothing
      expect(holders).toContainEqual({name: expect.stringMatching(MAIN), where: "memory"});
      expect(holders.filter(({where}) => where === "file")).toEqual([]);
    }
    for (const holders of seen) expect(holders.filter(({name}) => !MAIN.test(name))).toEqual([]);
    expect(whilePushing.filter(({name}) => !MAIN.test(name) && !PUSHING.test(name))).toEqual([]);
    expect(look()).toEqual([]);
    // programs, home configuration, event file and command files
    expect(outcome.changedOnMachine).toEqual([]);
  });
});

/** Looks as soon as this command runs. */
async function running<T>(command: string, place: string, look: () => T): Promise<T> {
  const end = performance.now() + LONGEST_WAIT_MS;
  while (!processesOf(place).some((line) => line.endsWith(`: ${command}`))) {
    if (performance.now() > end) throw new Error(`\`${command}\` was never started`);
    await wait(100);
  }
  return look();
}
