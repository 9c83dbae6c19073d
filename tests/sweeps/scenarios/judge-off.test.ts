/** A judge that is off leaves no trace, and a content judge changes nothing of what is published. */
import {execFileSync} from "node:child_process";
import {expect, onTestFailed, test} from "vitest";
import {criteria, judgement} from "../../rig/judge.ts";
import {plain, WRITES} from "../../rig/projects.ts";
import {assertPromises} from "../../rig/promises.ts";
import {createRig} from "../../rig/rig.ts";

/** The names of all parts of a record, without those of list entries' numbers. */
function pathsOf(value: unknown, at = ""): string[] {
  if (typeof value !== "object" || value === null) return [at];
  return [
    ...new Set(Object.entries(value).flatMap(([key, part]) => pathsOf(part, `${at}.${/^\d+$/.test(key) ? "" : key}`))),
  ];
}

async function run(
  judge: object | null,
  turns: Parameters<Awaited<ReturnType<typeof createRig>>["model"]["script"]>[0],
) {
  await using rig = await createRig({
    files: plain({verify: judge === null ? {} : {judge}}),
    onFailed: onTestFailed,
  });
  rig.model.script([{when: "multiply", do: WRITES.right, say: "Done."}, ...turns]);
  const outcome = await rig.comment("/assay multiply");
  await assertPromises(rig, outcome);
  const publication = outcome.record?.publication;
  if (publication?.kind !== "published") throw new Error("nothing was published");
  const {"verify.json": _, ...files} = await rig.origin.tree(publication.commit);
  const git = (...args: string[]) =>
    execFileSync("git", ["--git-dir", rig.origin.folder, ...args], {encoding: "latin1"});
  // The bases differ in verify.json alone, so the bytes differ only in the ids that follow from it, and in the clock.
  const commit = git("cat-file", "commit", publication.commit)
    .replaceAll(/\b[0-9a-f]{40}\b/g, "id")
    .replaceAll(/^((?:author|committer) .*> )\d+/gm, "$1clock");
  const patch = git("diff-tree", "-p", "--binary", "--full-index", `${publication.commit}^`, publication.commit);
  const withoutIds = (text: string) =>
    text.replaceAll(/\b[0-9a-f]{12,40}\b/g, "id").replaceAll(/\d+\.\d+\.\d+\.\d+:\d+/g, "host");
  return {
    prompts: rig.model.prompts.map(withoutIds),
    // Faults are injected only if the machine has time for it, whatever the judge does.
    parts: pathsOf({...outcome.record, sensitivity: undefined}).sort(),
    published: {files, commit, patch},
    body: outcome.comments.at(-1)?.body ?? "",
  };
}

test("off by default and by `enabled: false`, and content when on: the same prompts to the agent, the same bytes in the commit", async () => {
  const absent = await run(null, []);
  const off = await run({enabled: false, effect: "hold", when: "always"}, []);
  expect(off.prompts).toEqual(absent.prompts);
  expect(off.parts).toEqual(absent.parts);
  expect(off.parts.some((path) => path.includes("opinion"))).toBe(false);
  expect(off.body).not.toContain("Second opinion");
  const met = {answer: "met", quote: "export const product"} as const;
  const on = await run({enabled: true, effect: "hold"}, [criteria(["It multiplies"]), judgement([met])]);
  expect(on.prompts[0]).toBe(absent.prompts[0]);
  expect([off.published, on.published]).toEqual([absent.published, absent.published]);
  expect(on.body).toContain("1 of 1 point met");
});
