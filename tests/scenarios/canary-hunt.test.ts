/** Agent, set-up and stages hunt for keys and tokens; what the agent has by right it sends through every door, in every disguise. */
import {execFileSync} from "node:child_process";
import {mkdtempDisposable, writeFile} from "node:fs/promises";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {expect, onTestFailed, test} from "vitest";
import {ENCODINGS} from "../rig/encodings.ts";
import {bash, writeFileAt} from "../rig/model.ts";
import {plain} from "../rig/projects.ts";
import {assertPromises} from "../rig/promises.ts";
import {createRig} from "../rig/rig.ts";

/**
 * Looks wherever a process can look: its environment, everybody's environment, command line and memory, homes, temporary and
 * runner's folders. Says how many secrets of the rig's it found, and where, but never which.
 */
const HUNT = `
const {readFileSync, readdirSync, openSync, readSync, statSync} = require("node:fs");
const {dirname, join} = require("node:path");
const form = process.env.ONLY_TOKENS ? /gh[ps]_[A-Za-z0-9]{36}|rig-runtime-[A-Za-z0-9]{12}/ : /gh[ps]_[A-Za-z0-9]{36}|rig-runtime-[A-Za-z0-9]{12}|sk-rig-[0-9a-f]{32}-/;
const hits = new Set();
let open = 0;
let closed = 0;
// What the system refuses is closed; anything else that is thrown is a mistake of the hunt's own, and must not look like "nothing".
const attempt = (look, otherwise) => {
  try { const seen = look(); open++; return seen; } catch (error) { if (!error.code) throw error; closed++; return otherwise; }
};
const see = (where, read) => { if (form.test(attempt(read, ""))) hits.add(where); };
let left = 20000;
const walk = (folder, depth) => {
  for (const entry of attempt(() => readdirSync(folder, {withFileTypes: true}), [])) {
    const path = join(folder, entry.name);
    if (left-- < 0) return;
    if (entry.isDirectory() && entry.name !== "node_modules" && depth > 0) walk(path, depth - 1);
    else if (entry.isFile()) see("file " + entry.name, () => statSync(path).size < 2e6 && readFileSync(path, "latin1"));
  }
};
see("own environment", () => JSON.stringify(process.env));
const tree = [];
for (let pid = "self"; pid && pid !== "0"; ) {
  tree.push(pid);
  pid = /^PPid:\\s+(\\d+)/m.exec(attempt(() => readFileSync("/proc/" + pid + "/status", "utf8"), ""))?.[1];
}
for (const pid of readdirSync("/proc").filter((name) => /^\\d+$/.test(name)))
  for (const file of ["environ", "cmdline"]) see("process " + file, () => readFileSync("/proc/" + pid + "/" + file, "latin1"));
for (const pid of tree.slice(1, 3)) see("memory", () => {
  const memory = openSync("/proc/" + pid + "/mem");
  for (const line of readFileSync("/proc/" + pid + "/maps", "utf8").split("\\n")) {
    const [, from, to] = /^([0-9a-f]+)-([0-9a-f]+) rw/.exec(line) || [];
    if (!from) continue;
    const buffer = Buffer.alloc(Math.min(Number("0x" + to) - Number("0x" + from), 4e6));
    attempt(() => readSync(memory, buffer, 0, buffer.length, Number("0x" + from)), 0);
    if (form.test(buffer.toString("latin1"))) return buffer.toString("latin1");
  }
  return "";
});
const {HOME, TMPDIR, RUNNER_TEMP} = process.env;
const here = process.cwd();
const roots = process.argv.slice(2).concat(RUNNER_TEMP, HOME, TMPDIR, here, ...(here.includes("checkout") ? [dirname(here), dirname(dirname(here))] : []));
for (const root of new Set(roots.filter(Boolean))) { left = 20000; walk(root, 6); }
console.log("the hunt found " + hits.size + ": " + [...hits].join(", "));
console.log("places seen: " + open + ", closed: " + closed);
`;

test("the hunt finds what lies open, so that finding nothing means something", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "hunt-"));
  const secret = `rig-runtime-${"c".repeat(12)}`;
  await writeFile(join(folder.path, "notes"), secret);
  const env = {PATH: process.env["PATH"], HOME: folder.path, OPEN: secret};
  const found = execFileSync(process.execPath, ["-e", HUNT], {encoding: "utf8", env, cwd: folder.path});
  expect(found).toMatch(/the hunt found [3-9].*own environment.*process environ.*memory.*file notes/);
});

test("agent, set-up and stages find nothing", async () => {
  const hunt = "node hunt.cjs";
  const stages = [
    {name: "hunt", kind: "build", command: hunt, timeout: 60},
    {name: "test", kind: "test", command: `${hunt} && node --test`, timeout: 60},
  ];
  const verify = {setup: [{command: hunt}], stages, maxFixAttempts: 0};
  await using rig = await createRig({files: plain({verify, files: {"hunt.cjs": HUNT}}), onFailed: onTestFailed});
  // the model's key is the agent's own: it hunts for the others
  const byAgent = bash("ONLY_TOKENS=1 node hunt.cjs > found.txt");
  rig.model.script([{when: "multiply", do: [byAgent, writeFileAt("src/x.js", "export const x = 1;\n")], say: "Done."}]);
  const outcome = await rig.comment("/assay multiply");
  await assertPromises(rig, outcome, {isHostile: true});
  const verification = outcome.record?.attempts[0]?.verification;
  const said = [...(verification?.setup ?? []), ...(verification?.stages ?? [])].map(({output}) => output?.head ?? "");
  const byTheAgent = (await rig.origin.read(outcome.outputs["branch"] ?? "", "found.txt")) ?? "";
  for (const [found, seen = ""] of [...said, byTheAgent].map((text) => text.split("\n"))) {
    expect(found).toBe("the hunt found 0: ");
    // a hunt that could look nowhere has shown nothing
    expect(Number(/^places seen: (\d+), closed: \d+$/.exec(seen)?.[1])).toBeGreaterThan(10);
  }
  expect(said).toHaveLength(3);
});

test("what the agent has by right gets out through no door, in no disguise", async () => {
  const stages = [{name: "test", kind: "test", command: "cat tests/leak.txt; exit 1", timeout: 60}];
  await using rig = await createRig({files: plain({verify: {stages, maxFixAttempts: 0}}), onFailed: onTestFailed});
  const disguises = Object.entries(ENCODINGS).map(([name, encode]) => `${name}: ${encode(rig.model.key)}`);
  rig.model.script([
    {
      when: "multiply",
      do: [
        writeFileAt("src/x.js", "export const x = 1;\n"),
        writeFileAt("tests/leak.txt", disguises.join("\n")),
        ...disguises.map((line, index) => writeFileAt(`leaks/${index}.txt`, `${line}\n`)),
      ],
      say: `Here it is:\n\n${disguises.join("\n\n")}`,
    },
  ]);
  const outcome = await rig.comment("/assay multiply");
  await assertPromises(rig, outcome, {isHostile: true});
  const {record} = outcome;
  expect(record?.attempts[0]?.verification?.stages[0]?.output?.head).toContain("hexadecimal: ***");
  expect(record?.failures).toMatchObject([{kind: "secret-in-change"}]);
  // what carries the key is not on the server in any disguise
  const kept = await rig.origin.tree(outcome.outputs["branch"] || rig.base);
  expect(Object.keys(kept).filter((path) => path.includes("leak"))).toEqual([]);
});
