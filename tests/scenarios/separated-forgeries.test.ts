/** A machine with an agent on it sends a forged record, bundle or verdict: nothing is proposed, and one report says why. */
import {readFileSync, writeFileSync} from "node:fs";
import {cp, mkdtemp} from "node:fs/promises";
import {join} from "node:path";
import {expect, onTestFailed, test} from "vitest";
import {type RunRecord, recordSchema} from "../../src/record/record.ts";
import {git} from "../rig/git.ts";
import {writeFileAt} from "../rig/model.ts";
import {PRODUCT_FILES, plain} from "../rig/projects.ts";
import {assertPromises} from "../rig/promises.ts";
import {createRig} from "../rig/rig.ts";
import {SEPARATED, SHARED} from "../rig/separated.ts";
import type {Rig} from "../rig/world.ts";
import {isSweep} from "../sweep.ts";

interface Forgery {
  readonly name: string;
  /** what the agent writes */
  readonly content: string;
  /** what its machine does to the folder before it is uploaded */
  readonly forge: (options: {folder: string; artifacts: string; rig: Rig}) => Promise<void>;
  /** what its machine says that the hand-over said */
  readonly next?: string;
  /** the workflow; the template without it */
  readonly text?: string;
  readonly says: RegExp;
  readonly publication: "parked" | "none";
  /** only `npm run sweep` tries it */
  readonly isLong?: boolean;
}

const FORGERIES: readonly Forgery[] = [
  {
    name: "a record that tells of another tree",
    isLong: true,
    content: PRODUCT_FILES.right,
    forge: async ({folder}) =>
      edit(folder, (text) => text.replace(/"tree":"[0-9a-f]{40}","base"/g, `"tree":"${"a".repeat(40)}","base"`)),
    says: /about a different commit than its bundle/,
    publication: "parked",
  },
  {
    name: "a bundle with another commit than the record's",
    isLong: true,
    content: PRODUCT_FILES.right,
    forge: async ({folder, rig}) => bundle({rig, file: join(folder, "work.bundle"), isOnBase: true}),
    says: /about a different commit than its bundle/,
    publication: "parked",
  },
  {
    name: "a bundle whose commit stands on something else",
    isLong: true,
    content: PRODUCT_FILES.right,
    forge: async ({folder, rig}) => bundle({rig, file: join(folder, "work.bundle"), isOnBase: false}),
    says: /its parent is `[0-9a-f]{40}`, not/,
    publication: "none",
  },
  {
    name: "a verdict, which the verifying job does not share, on two machines",
    isLong: true,
    text: SHARED,
    content: PRODUCT_FILES.wrong,
    forge: async ({folder}) => edit(folder, green),
    next: "verify",
    says: /reported verified\. The verifying job reports failed, which counts/,
    publication: "parked",
  },
  {
    name: "a verdict in the verifying job's name, with that job left out",
    content: PRODUCT_FILES.wrong,
    async forge({folder, artifacts}) {
      edit(folder, green);
      await cp(folder, join(artifacts, "assay-verify"), {recursive: true});
    },
    next: "publish",
    says: /the verifying job reported no verdict/,
    publication: "parked",
  },
];

const tried = FORGERIES.filter(({isLong = false}) => !isLong || isSweep);
test.each(tried)("$name", async ({content, forge, next, text = SEPARATED, says, publication}) => {
  await using rig = await createRig({files: plain({verify: {maxFixAttempts: 0}}), onFailed: onTestFailed});
  const files = [writeFileAt("src/product.js", content), writeFileAt("tests/product.test.js", PRODUCT_FILES.test)];
  rig.model.script([{when: "multiply", do: files, say: "Done."}]);
  const outcome = await rig.comment("/assay multiply, please", {
    separated: {
      text,
      onUpload: async ({job, ...place}) => (job === "work" ? forge({...place, rig}) : undefined),
      forged: (part): Record<string, string> => (part === "hand-over" && next !== undefined ? {next} : {}),
    },
  });
  await assertPromises(rig, outcome);
  expect(outcome.jobs["publish"]?.result).toBe("failure");
  expect(outcome.record?.publication.kind).toBe(publication);
  expect(outcome.pullRequests).toEqual([]);
  expect(Object.keys(outcome.refs).filter((ref) => ref.startsWith("refs/heads/assay/issue"))).toEqual([]);
  const reports = outcome.comments.filter(({author}) => author === "github-actions[bot]");
  expect(reports).toHaveLength(1);
  expect(reports[0]?.body).toMatch(says);
});

function edit(folder: string, change: (text: string) => string): void {
  const file = join(folder, "record.json");
  const before = readFileSync(file, "utf8");
  const after = change(before);
  if (after === before) throw new Error("nothing was forged");
  writeFileSync(file, after);
}

/** Every verdict and every stage is good, as the form of a record wants it. */
function green(text: string): string {
  const record: RunRecord = recordSchema.parse(JSON.parse(text));
  const verdict = {kind: "verified"} as const;
  const attempts = record.attempts.map((one) => ({
    ...one,
    verdict,
    verification: one.verification && {
      ...one.verification,
      job: "own" as const,
      verdict,
      stages: one.verification.stages.map((stage) => ({...stage, outcome: "passed" as const, failureKind: null})),
    },
  }));
  return JSON.stringify({...record, attempts, verdict});
}

/** A commit of somebody else's making, under the name that the jobs look for. */
async function bundle({rig, file, isOnBase}: {rig: Rig; file: string; isOnBase: boolean}): Promise<void> {
  const folder = await mkdtemp(join(rig.folder, "forger-"));
  const run = (...args: string[]) => git(folder, args);
  await run("clone", "-q", rig.origin.folder, ".");
  writeFileSync(join(folder, "backdoor.js"), "export const open = true;\n");
  await run("add", "-A");
  const who = ["-c", "user.name=x", "-c", "user.email=x@example.com"];
  if (!isOnBase) await run(...who, "commit", "-q", "--allow-empty", "-m", "between");
  writeFileSync(join(folder, "src", "more.js"), "export const more = 1;\n");
  await run("add", "-A");
  await run(...who, "commit", "-q", "-m", "forged");
  await run("update-ref", "refs/assay/handed-over", "HEAD");
  await run("bundle", "create", "-q", file, "refs/assay/handed-over", `^${rig.base}`);
}
