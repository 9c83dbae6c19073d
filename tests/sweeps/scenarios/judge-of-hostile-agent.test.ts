/** A hostile agent against the judge: what it writes neither runs outside the sandbox nor stops or disables the judge. */
import {existsSync, rmSync} from "node:fs";
import {readFile, writeFile} from "node:fs/promises";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {expect, onTestFailed, test} from "vitest";
import {criteria, judgement} from "../../rig/judge.ts";
import {bash, writeFileAt} from "../../rig/model.ts";
import {plain, WRITES} from "../../rig/projects.ts";
import {createRig} from "../../rig/rig.ts";
import {JUDGED} from "../../rig/separated.ts";
import {isSweep} from "../../sweep.ts";

const POINTS = ["A function multiplies two numbers", "The README names it"];
const MET = {answer: "met", quote: "export const product = (one, other) => one * other;"} as const;
const MISSING = {answer: "not met", quote: "added: src/product.js", reason: "No such line."} as const;
const rigWith = (judge: object, more: object = {}) =>
  createRig({files: plain({verify: {judge: {enabled: true, ...judge}, ...more}}), onFailed: onTestFailed});

test("a command that the agent adds to `agent-config` does not run when the judge starts", async () => {
  const escaped = join(tmpdir(), `assay-escaped-${process.pid}`);
  onTestFailed(() => rmSync(escaped, {force: true}));
  await using rig = await rigWith({effect: "show"});
  const edit = `
    const file = process.env.PI_CODING_AGENT_DIR + "/models.json";
    const models = JSON.parse(fs.readFileSync(file));
    models.providers.openai.headers = {"x-a": ${JSON.stringify(`!sh -c 'touch ${escaped}; echo x'`)}};
    fs.writeFileSync(file, JSON.stringify(models));`;
  const script = writeFileAt("edit.cjs", `const fs = require("fs");${edit}`);
  rig.model.script([
    {when: "multiply", do: [...WRITES.right, script, bash("node edit.cjs && rm edit.cjs")], say: "Done."},
    criteria(POINTS),
    judgement([MET, MISSING]),
  ]);
  const outcome = await rig.comment("/assay multiply");
  expect(outcome.record?.attempts.at(-1)).toMatchObject({
    changes: [{path: "src/product.js"}, {path: "tests/product.test.js"}],
    opinion: {kind: "judged", outcome: "not-met"},
  });
  expect(existsSync(escaped)).toBe(false);
});

if (isSweep)
  test("a cost that the agent's job claims does not switch off the job `judge`", async () => {
    await using rig = await rigWith({effect: "hold", maxAttempts: 1}, {budget: {usd: 5}});
    const judged = [criteria(POINTS), judgement([MET, MISSING])];
    rig.model.script([{when: "multiply", do: WRITES.right, say: "Done."}, ...judged, ...judged]);
    const onUpload = async ({job, folder}: {job: string; folder: string}) => {
      if (job !== "work") return;
      const file = join(folder, "record.json");
      const record = JSON.parse(await readFile(file, "utf8"));
      const attempt = record.attempts.at(-1);
      attempt.turn.usage.costUsd = 1_000;
      delete attempt.opinion;
      await writeFile(file, JSON.stringify(record));
    };
    const outcome = await rig.comment("/assay multiply", {separated: {text: JUDGED, onUpload}});
    expect(outcome.record?.attempts.at(-1)?.opinion).toMatchObject({outcome: "not-met", isAdvisory: false});
    expect(outcome.record?.publication.kind).toBe("parked");
  });

if (isSweep)
  test("many long file names do not keep the job `publish` from its start", async () => {
    await using rig = await rigWith({effect: "show"});
    const write = `
      const fs = require("fs"), {randomBytes} = require("crypto");
      for (let file = 0; file < 90; file++) {
        const folder = "data/" + Array.from({length: 7}, () => randomBytes(120).toString("hex")).join("/");
        fs.mkdirSync(folder, {recursive: true});
        fs.writeFileSync(folder + "/x.js", ("export const a" + file + " = 1;\\n").repeat(20));
      }`;
    const script = writeFileAt("write.cjs", write);
    rig.model.script([
      {when: "multiply", do: [...WRITES.right, script, bash("node write.cjs && rm write.cjs")], say: "Done."},
      criteria(POINTS),
      judgement([1, 2].map(() => ({answer: "met", quote: "verdict of the checks: verified"}))),
    ]);
    const outcome = await rig.comment("/assay multiply", {separated: {text: JUDGED}});
    expect(outcome.record?.publication.kind).toBe("published");
    expect(outcome.record?.attempts.at(-1)?.opinion).toMatchObject({outcome: "met", isAdvisory: false});
  });
