/** The comment of a run in progress says what happens, in edits 10 to 15 s apart. */
import {setTimeout as pause} from "node:timers/promises";
import {expect, onTestFailed, test} from "vitest";
import {bash, writeFileAt} from "../rig/model.ts";
import {PRODUCT_FILES, plain, WRITES} from "../rig/projects.ts";
import {assertPromises} from "../rig/promises.ts";
import {createRig} from "../rig/rig.ts";
import {CALLING} from "../rig/separated.ts";
import type {Rig} from "../rig/world.ts";
import {isSweep} from "../sweep.ts";

const {test: TEST_FILE, wrong} = PRODUCT_FILES;

/** How long the agent works, in seconds: over three edits in a sweep, otherwise over one. */
const WORK_SECONDS = isSweep ? 33 : 12;

/** The texts of the run's comment, with their times. */
function editsOf(rig: Rig): {at: number; text: string}[] {
  const writes = rig.github.requests.filter(
    ({method, path, status, login}) =>
      login === "github-actions[bot]" &&
      ["POST", "PATCH"].includes(method) &&
      /\/comments(?:\/\d+)?$/.test(path) &&
      status < 300,
  );
  return writes.map(({at, body}) => ({at, text: String(JSON.parse(body).body ?? "")}));
}

test("a run of one job: the tool call, files, cost, attempts and checks, with a clock", async () => {
  // The agent's own command names the token, so that no process may be accused of having it.
  await using rig = await createRig({files: plain(), onFailed: onTestFailed, watches: false});
  const token = rig.github.tokenOf("github-actions[bot]");
  rig.model.script([
    {
      when: "multiply",
      do: [
        writeFileAt("src/product.js", wrong),
        writeFileAt("tests/product.test.js", TEST_FILE),
        bash(`sleep ${WORK_SECONDS} # ${token}`),
      ],
      say: "Done.",
    },
    {when: "product", do: [writeFileAt("src/product.js", PRODUCT_FILES.right), bash("sleep 12")], say: "Fixed."},
  ]);
  const outcome = await rig.comment("/assay multiply");
  await assertPromises(rig, outcome);
  const edits = editsOf(rig);
  const live = edits.filter(({text}) => /\n⏳ /.test(text));
  const texts = live.map(({text}) => text);
  expect(texts.filter((text) => text.includes("Attempt 1 of 3: the agent is working")).join("\0")).toMatch(
    /· \d+ s · \$0\.\d+ · \[log\][^\n]+\n\n- \[x\] Read the request, and found 2 checks\n- \[ \] Attempt 1: agent · \d+ s · .* · 2 files edited\n {2}- Now: `bash sleep`\n {2}- Edited: `src\/product.js`, `tests\/product.test.js`\n- \[ \] Save/,
  );
  expect(texts.filter((text) => text.includes("Attempt 2 of 3")).join("\0")).toMatch(
    /Attempt 2 of 3[\s\S]*- \[x\] Attempt 1: checks failed: `test`\n- \[[ x]\] Attempt 2: agent/,
  );
  expect(texts.filter((text) => text.includes(token))).toEqual([]);
  const gaps = live.slice(1).map(({at}, index) => at - (live[index]?.at ?? 0));
  expect(gaps.length).toBeGreaterThanOrEqual(isSweep ? 4 : 2);
  // On a busy machine an edit may arrive late: then the next one follows sooner.
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(isSweep ? 9_500 : 5_000);
  if (isSweep) expect(Math.max(...gaps)).toBeLessThan(15_000);
  expect(edits.at(-1)?.text).toContain("✅ Verified");
  // GitHub's pacing is a second for each write: the pull request, and at once the finished comment, before all the rest.
  const writes = rig.github.requests.filter(({method, path}) => method !== "GET" && path !== "/graphql");
  const pullAt = writes.findIndex(({path}) => path.endsWith("/pulls"));
  expect(writes.slice(0, pullAt).filter(({path}) => !/\/(?:comments|reactions)(?:\/\d+)?$/.test(path))).toEqual([]);
  expect(writes[pullAt + 1]).toMatchObject({method: "PATCH", body: expect.stringContaining("✅ Verified")});
});

/** An edit of the job `progress` that GitHub carries out only after the report, when the check is made. */
async function editLate(rig: Rig): Promise<string> {
  while (!rig.github.requests.some(({path}) => path.endsWith("/check-runs"))) await pause(20);
  const {text: body} = editsOf(rig)[1] ?? {text: ""};
  const {path = ""} = rig.github.requests.findLast(({method}) => method === "PATCH") ?? {};
  await rig.github.as("github-actions[bot]", "PATCH", path, {body});
  return body;
}

if (isSweep)
  test("separate jobs with `live-progress`: another job edits the comment meanwhile, and never after the report", async () => {
    await using rig = await createRig({files: plain(), onFailed: onTestFailed});
    rig.model.script([{when: "multiply", do: [...WRITES.right, bash("sleep 40")], say: "Products are there."}]);
    const text = CALLING.replace(/^ {4}with:\n/m, (line) => `${line}      live-progress: "true"\n`);
    const run = await rig.begin("/assay multiply", {separated: {text}});
    const late = editLate(rig);
    const outcome = await run.ended;
    expect(await late).toMatch(/^<!--.*\n⏳ /);
    await assertPromises(rig, outcome);
    expect(outcome.jobs["progress"]?.result).toBe("success");
    const edits = editsOf(rig);
    const live = edits.filter(({text}) => text.includes("The agent is working** · "));
    expect(live.length).toBeGreaterThanOrEqual(2);
    expect(live.at(-1)?.text).toMatch(
      / · \d\d s · \[log\]\(https:\/\/x\.test\/Work\)\n\n- \[x\] Read the request, and found 2 checks\n/,
    );
    const gaps = live.slice(1).map(({at}, index) => at - (live[index]?.at ?? 0));
    expect(Math.max(...gaps)).toBeLessThan(30_000);
    expect(edits.at(-1)?.text).toContain("✅ Verified");
  });
