/** P11, P12: agent and stages try to plant programs and settings; a machine without any namespace starts neither, unless the owner says so. */
import {createHash} from "node:crypto";
import {readdirSync, readFileSync, rmSync} from "node:fs";
import {join} from "node:path";
import {describe, expect, onTestFailed, onTestFinished, test} from "vitest";
import {assay, repositoryOf} from "../rig/command-line.ts";
import {isAble, LEVELS, without} from "../rig/levels.ts";
import {bash, writeFileAt} from "../rig/model.ts";
import {PRODUCT_FILES, plain} from "../rig/projects.ts";
import {assertPromises} from "../rig/promises.ts";
import {createRig} from "../rig/rig.ts";
import {SEPARATED} from "../rig/separated.ts";
import type {Rig} from "../rig/world.ts";
import {isSweep} from "../sweep.ts";

/** A name that no program has: what a product that is broken lets through must not harm the machine that the test is on. */
const PLANTED = `assay-planted-${process.pid}`;

/**
 * Every folder of PATH, the home, the tool cache and the runner's folders, as far as they can be guessed. Only
 * in a run: the rig runs a stage's command once more by itself, and then it plants nothing.
 */
const PLANT = `
touch planted.txt
if [ -n "$ASSAY_PROCESS" ]; then
  for folder in $(echo "$PATH" | tr : ' ') "$RUNNER_TOOL_CACHE" ../runner-temp-* ../runner-temp-*/bin ../home "$HOME"/.cargo "$HOME"/.ssh; do
    (echo x > "$folder/${PLANTED}") 2>/dev/null && echo "$folder/${PLANTED}" >> planted.txt
  done
  case "$HOME" in */run-1/home) for name in .bashrc .profile .npmrc .gitconfig .ssh/config; do
    (echo x > "$HOME/$name") 2>/dev/null && echo "$name" >> planted.txt
  done ;; *) echo "another home: $HOME" >> planted.txt ;; esac
  for file in ../runner-temp-*/_github_workflow_event.json ../runner-temp-*/_runner_file_commands/*/*/*; do
    (echo '{}' > "$file") 2>/dev/null && echo "$file" >> planted.txt
  done
  mknod device b 7 0 2>/dev/null && echo device >> planted.txt
fi`;

/** Programs and settings of the machine that the run was on. */
function machineOf({folder}: Pick<Rig, "folder">): Record<string, string> {
  const places = readdirSync(join(folder, "run-1"), {withFileTypes: true, recursive: true}).filter(
    (entry) => entry.isFile() && /\/(?:bin|home|tool-cache)(?:\/|$)/.test(entry.parentPath.slice(folder.length)),
  );
  const outside = places
    .map(({parentPath, name}) => join(parentPath, name))
    .filter((file) => !file.includes("/assay/"));
  return Object.fromEntries(
    outside.map((file) => [file, createHash("sha256").update(readFileSync(file)).digest("hex")]),
  );
}

// In each run: `tests/integration/engine/read-only.test.ts` and `tests/sweeps/attacks.test.ts`.
describe.each(isSweep ? LEVELS : [])("$name", ({under, isolation, isThere}) => {
  test.skipIf(!isThere)("neither the agent nor a stage plants anything", async () => {
    onTestFinished(() => {
      for (const folder of (process.env["PATH"] ?? "").split(":")) rmSync(join(folder, PLANTED), {force: true});
    });
    const stages = [
      {
        name: "test",
        kind: "test",
        command: `(${PLANT}\n) ; cat planted.txt; rm -f device planted.txt; node --test --test-reporter=tap`,
      },
    ];
    await using rig = await createRig({
      files: plain({verify: {stages, maxFixAttempts: 0}}),
      onFailed: onTestFailed,
      watches: false,
    });
    const right = writeFileAt("src/product.js", PRODUCT_FILES.right);
    rig.model.script([{when: "multiply", do: [bash(PLANT), bash("mv planted.txt by-agent.txt"), right], say: "Done."}]);
    const outcome = await rig.comment("/assay multiply", {under});
    await assertPromises(rig, outcome, {isHostile: true});
    expect(outcome.record?.attempts[0]?.verification?.isolation).toBe(isolation);
    const byTheAgent = (await rig.origin.read(outcome.outputs["branch"] ?? "", "by-agent.txt")) ?? "nothing to read";
    // The rig is below /tmp, of which each has its own: what was written beside the checkout is nowhere.
    expect(byTheAgent.split("\n").filter((line) => line !== "" && !line.startsWith("../"))).toEqual([]);
    const byTheStage = outcome.record?.attempts[0]?.verification?.stages[0]?.output?.head ?? "planted nothing known";
    expect(byTheStage).not.toMatch(/^(?:\/|\.|device|planted)/m);
    expect(machineOf(rig)).toEqual({});
  });
});

describe.skipIf(!isAble)(`without bubblewrap and user namespaces${isAble ? "" : " (needs root)"}`, () => {
  const under = without("bwrap", "unshare");

  test("the agent is not started, and the report says what to install", async () => {
    await using rig = await createRig({files: plain(), onFailed: onTestFailed, watches: false});
    const outcome = await rig.comment("/assay multiply", {under});
    await assertPromises(rig, outcome, {isHostile: true});
    expect(outcome.record?.failures).toMatchObject([{kind: "no-sandbox"}]);
    expect(outcome.record?.attempts).toEqual([]);
    expect(outcome.comments.at(-1)?.body).toContain("apt-get install -y bubblewrap");
    expect(outcome.comments.at(-1)?.body).toContain('"sandbox": "off"');
  });

  if (isSweep)
    test("no stage of the change is started", async () => {
      await using rig = await createRig({files: plain(), onFailed: onTestFailed, watches: false});
      const outcome = await rig.comment("/verify", {under});
      await assertPromises(rig, outcome, {isHostile: true});
      expect(outcome.record?.verdict).toMatchObject({kind: "unverified", why: "gate-error"});
      expect(outcome.record?.attempts[0]?.verification?.stages).toEqual([]);
      expect(outcome.comments.at(-1)?.body).toContain("apt-get install -y bubblewrap");
    });

  test.each(isSweep ? ["one job", "separate jobs"] : [])(
    "with `sandbox: off` agent and stages run in %s, and the report names it",
    async (mode) => {
      await using rig = await createRig({
        files: plain({verify: {sandbox: "off"}}),
        onFailed: onTestFailed,
        watches: false,
      });
      const right = writeFileAt("src/product.js", PRODUCT_FILES.right);
      rig.model.script([{when: "multiply", do: [right], say: "Done."}]);
      const separated = {text: SEPARATED, under: () => under};
      const outcome = await rig.comment("/assay multiply", mode === "one job" ? {under} : {separated});
      await assertPromises(rig, outcome);
      expect(outcome.record?.verdict.kind).toBe("verified");
      expect(outcome.record?.attempts[0]?.verification?.isolation).toBe("degraded");
      expect(outcome.comments.at(-1)?.body).toContain("Sandbox is off");
    },
  );

  if (isSweep)
    test("in separate jobs the agent is not started either, and the report says what to install", async () => {
      await using rig = await createRig({files: plain(), onFailed: onTestFailed, watches: false});
      const outcome = await rig.comment("/assay multiply", {separated: {text: SEPARATED, under: () => under}});
      await assertPromises(rig, outcome);
      expect(outcome.exitCode).toBe(1);
      expect(outcome.record?.failures).toMatchObject([{kind: "no-sandbox"}]);
      expect(outcome.record?.attempts).toEqual([]);
      expect(outcome.comments.at(-1)?.body).toContain("apt-get install -y bubblewrap");
    });

  test("`assay verify` in a terminal runs, and says that there is no sandbox", () => {
    const folder = repositoryOf({
      "verify.json": JSON.stringify({stages: [{name: "look", kind: "build", command: "test -f here"}]}),
      here: "",
    });
    onTestFinished(() => rmSync(folder, {recursive: true}));
    const {status, stdout, stderr} = assay(folder, ["verify"], {}, under);
    expect(stdout + stderr).toContain("No sandbox");
    const {record} = assay(folder, ["verify", "--json"], {}, under);
    expect(record?.notes).toContainEqual({
      about: "No sandbox",
      text: expect.stringContaining("neither bubblewrap nor"),
    });
    expect(record?.verdict.kind).toBe("verified");
    expect(status).toBe(0);
  });
});
