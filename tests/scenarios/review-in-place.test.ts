/** `/review` comments on the lines of findings and failures that the pull request shows, once, and resolves them when all is green. */
import {expect, onTestFailed, test} from "vitest";
import {PRODUCT_FILES, plain} from "../rig/projects.ts";
import {assertPromises} from "../rig/promises.ts";
import {createRig} from "../rig/rig.ts";
import {JUDGED} from "../rig/separated.ts";
import {isSweep, someOf} from "../sweep.ts";

const MODES = [
  {mode: "one job", how: {}},
  {mode: "separate jobs", how: {separated: {text: JUDGED}}},
];

test.each(someOf(MODES))(
  "failures are written on their lines, not twice, and resolved by a green run, in $mode",
  async ({how}) => {
    await using rig = await createRig({files: plain(), onFailed: onTestFailed});
    // `tests/sum.test.js` fails too, on a line that the pull request does not show.
    const files = {
      "src/sum.js": "export const sum = (one, other) => one - other;\n",
      "src/product.js": PRODUCT_FILES.wrong,
      "tests/product.test.js": PRODUCT_FILES.test,
    };
    const on = await rig.openPullRequest({title: "Products", branch: "product", files, by: "will"});
    const options = {...how, by: "will", on, noModel: true};

    if (isSweep) {
      // Nothing is commented on by another command.
      const verified = await rig.comment("/verify", options);
      await assertPromises(rig, verified);
      expect(verified.record?.verdict.kind).toBe("failed");
      expect(rig.github.threads).toEqual([]);
    }

    const reviewed = await rig.comment("/review", options);
    await assertPromises(rig, reviewed);
    expect(reviewed.record?.notes.filter(({about}) => about === "comments on lines")).toEqual([]);
    expect(rig.github.threads).toMatchObject([{pull: on, path: "tests/product.test.js", isResolved: false}]);
    expect(rig.github.threads[0]?.body).toMatch(/^<!-- assay:place=[0-9a-f]{16} -->\n\*\*test/);
    expect(rig.github.reviews[0]?.body).toContain(`#issuecomment-${reviewed.record?.thread?.commentId})`);
    expect(reviewed.comments.at(-1)?.body).toContain("tests/sum.test.js");

    // The same failure on another line is the same comment, also behind 100 newer threads, and after a person resolved it.
    const moved = `// Products of two numbers.\n${PRODUCT_FILES.test}`;
    await rig.origin.commit({branch: "product", files: {"tests/product.test.js": moved}});
    const [own] = rig.github.threads;
    if (own === undefined) throw new Error("no thread");
    const foreign = {...own, author: "will", body: "Why?"};
    rig.github.threads.push(...Array.from({length: 100}, (_, i) => ({...foreign, id: `PRRT_foreign_${i}`})));
    await assertPromises(rig, await rig.comment("/review", options));
    expect(rig.github.threads).toHaveLength(101);
    if (isSweep) {
      Object.assign(own, {isResolved: true, resolvedBy: "will"});
      await assertPromises(rig, await rig.comment("/review", options));
    }
    expect(rig.github.threads.splice(1)).toHaveLength(100);
    Object.assign(own, {isResolved: false, resolvedBy: null});

    await rig.origin.commit({
      branch: "product",
      files: {"src/product.js": PRODUCT_FILES.right, "src/sum.js": plain()["src/sum.js"] ?? ""},
    });
    const green = await rig.comment("/verify", options);
    await assertPromises(rig, green);
    expect(green.record?.verdict.kind).toBe("verified");
    expect(rig.github.threads.map(({isResolved}) => isResolved)).toEqual([true]);
    expect(rig.github.reviews).toHaveLength(1);

    // A warning does not block, so its comment stays open after a run that is verified.
    const odd = "if (process.env.CI) process.exit(0);\n";
    await rig.origin.commit({branch: "product", files: {"src/odd.js": odd}});
    const warned = await rig.comment("/review", options);
    await assertPromises(rig, warned);
    expect(warned.record?.verdict.kind).toBe("verified");
    expect(rig.github.threads[1]).toMatchObject({path: "src/odd.js", line: 1, isResolved: false});
    if (!isSweep) return;
    await assertPromises(rig, await rig.comment("/verify", options));
    expect(rig.github.threads.map(({isResolved}) => isResolved)).toEqual([true, false]);
  },
);
