/** The event's payload is out of the agent's reach, and `post` does not need it: the run's own thread gets its end. */
import {readdir, readFile, writeFile} from "node:fs/promises";
import {join} from "node:path";
import {expect, onTestFailed, test} from "vitest";
import {bash, STUBBORN_CALL, writeFileAt} from "../../rig/model.ts";
import {plain} from "../../rig/projects.ts";
import {assertPromises} from "../../rig/promises.ts";
import {createRig} from "../../rig/rig.ts";

const OVERWRITE = `for f in $(find "$PWD/.." -name event.json -path '*workflow*' 2>/dev/null); do echo '{}' > "$f"; done`;

test.each(["with nothing", "with another thread's number"])(
  "overwritten %s, and main killed",
  async (variant) => {
    await using rig = await createRig({files: plain(), onFailed: onTestFailed});
    const other = await rig.openIssue({title: "Another one"});
    const on = await rig.openIssue({title: "Products"});
    const half = writeFileAt("src/half.js", "export const half = 1;\n");
    rig.model.script([{when: "multiply", do: [bash(OVERWRITE), half, bash(STUBBORN_CALL)], say: "never"}]);
    const run = await rig.begin("/assay multiply", {on});
    await run.saw(/bash .*sleep/);
    const file = await eventFile(rig.folder);
    const text = await readFile(file, "utf8");
    expect(text.length).toBeGreaterThan(100);
    // what an agent behind no fence would have done
    await writeFile(file, variant === "with nothing" ? "{}" : text.replaceAll(`"number":${on}`, `"number":${other}`));
    run.kill("SIGKILL");
    const outcome = await run.ended;
    await assertPromises(rig, outcome);
    expect(outcome.record?.failures).toMatchObject([{kind: "interrupted"}]);
    expect(await rig.origin.read(`refs/heads/assay/parked/issue-${on}`, "src/half.js")).toContain("half");
    const elsewhere = await rig.github.as("ada", "GET", `/repos/${rig.origin.name}/issues/${other}/comments`);
    expect(elsewhere).toEqual([]);
  },
  120_000,
);

async function eventFile(folder: string): Promise<string> {
  const all = await readdir(folder, {recursive: true});
  const found = all.find((path) => path.endsWith(join("_github_workflow", "event.json")));
  if (found === undefined) throw new Error(`there is no event file in ${folder}`);
  return join(folder, found);
}
