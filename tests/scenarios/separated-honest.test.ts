/** The workflow of the separated mode, walked with GitHub's own parser: each job has its own machine and its own token. */
import {readFileSync} from "node:fs";
import {join} from "node:path";
import {expect, onTestFailed, test} from "vitest";
import {placesOfConversation, talkative} from "../rig/plain-text.ts";
import {PRODUCT_FILES, plain} from "../rig/projects.ts";
import {assertPromises} from "../rig/promises.ts";
import {createRig} from "../rig/rig.ts";
import {SEPARATED} from "../rig/separated.ts";

/** What the comment says when jobs begin and end. */
const STEPS = [
  "⏳ **Preparing the run",
  "⏳ **The agent works, then the checks run on a clean machine",
  "⏳ **Saving the result",
  "**✅ Verified",
];

/** As it is, and in the header that git sends. */
const formsOf = (token: string) => [token, Buffer.from(`x-access-token:${token}`).toString("base64")];

test("an honest run publishes what the verifying job has seen", async () => {
  await using rig = await createRig({files: plain(), onFailed: onTestFailed});
  rig.model.script([{when: "multiply", ...talkative("src/product.js", PRODUCT_FILES.right), say: "Done."}]);
  const trace = join(rig.folder, "publish.trace");
  let page = "";
  const outcome = await rig.comment("/assay multiply, please", {
    separated: {
      text: SEPARATED,
      // secrets with common values: GitHub drops an output that contains one
      masked: ["main", "ada", "refs", "please", "comment"],
      onUpload: async ({job, folder}) => {
        if (job === "publish") page = readFileSync(folder, "utf8");
      },
      under: (part) => {
        // appended: `post` writes into the same file
        const strace = ["strace", "-A", "-f", "-qq", "-e", "trace=execve", "-s", "4096"];
        if (part === "publish") return [...strace, "-o", trace];
        // with the whole environment of each program
        return part === "work" || part === "verify" ? [...strace, "-v", "-o", join(rig.folder, `${part}.trace`)] : [];
      },
    },
  });
  await assertPromises(rig, outcome);
  expect(outcome.exitCode).toBe(0);
  expect(outcome.record?.session).toMatchObject({ref: "refs/assay/session/issue-1"});
  expect(await placesOfConversation(rig, outcome, 1)).toEqual([]);
  expect(outcome.record?.attempts.at(-1)?.verification?.job).toBe("own");
  expect(outcome.comments.at(-1)?.body).toContain("verified in a separate job");
  const edits = rig.github.requests.filter(({method, path}) => method !== "GET" && /\/comments(?:\/\d+)?$/.test(path));
  const texts = edits.map(({body}) => String(JSON.parse(body).body ?? ""));
  expect(texts.at(-1)).toBe(outcome.notices[0]?.body);
  const shown = texts.slice(0, -1).map((text) => STEPS.find((step) => text.includes(step)));
  expect(shown.filter((step) => step !== undefined)).toEqual(STEPS);
  // The times come from two machines.
  expect(outcome.summary).toMatch(/section Attempt 1\n🤖 Agent :0, \d+ms\n(?:.*\n)*✅ test :done, \d+, \d+ms\n/);
  expect(page).toContain("✅ Verified");
  expect(page).toContain("<h2>Timeline</h2>");
  expect(outcome.pullRequests).toMatchObject([{head: "assay/issue-1", headCommit: outcome.outputs["commit"]}]);

  // P12: neither the agent's job nor the verifying one is given a token that writes, and no program there has one.
  const writing = outcome.jobTokens.filter(({mayWrite}) => mayWrite);
  expect(writing.map(({job}) => job).sort()).toEqual(["admit", "publish"]);
  for (const job of ["work", "verify"]) {
    const seen = readFileSync(join(rig.folder, `${job}.trace`), "utf8");
    const isIn = ({token}: {token: string}) => formsOf(token).some((form) => seen.includes(form));
    expect(writing.filter(isIn)).toEqual([]);
    // git's call of this job, to which its reading token belongs, was seen
    expect(outcome.jobTokens.filter(isIn).map((one) => one.job)).toEqual([job]);
  }

  // One token wrote, and whoever else tried was refused. What its job started is Node and git's own programs, and no file of a checkout.
  const pushes = rig.git.requests.filter(({path, status}) => path.endsWith("git-receive-pack") && status === 200);
  expect(new Set(pushes.map(({token}) => token)).size).toBe(1);
  const started = readFileSync(trace, "utf8").matchAll(/execve\("([^"]+)"/g);
  const programs = [...new Set([...started].map(([, file = ""]) => file))];
  expect(programs.length).toBeGreaterThan(1);
  // beside git and Node: the probe of how processes could be fenced in here, which every job begins with
  const known =
    /^(?:\/usr\S*\/git(?:-[a-z-]+)?|\S+\/node_modules\/node\/bin\/node|\/usr\/bin\/(?:bwrap|setpriv|unshare|readlink)|\/bin\/sh)$/;
  expect(programs.filter((file) => !known.test(file))).toEqual([]);
  expect(programs.filter((file) => file.startsWith(rig.folder))).toEqual([]);
});
