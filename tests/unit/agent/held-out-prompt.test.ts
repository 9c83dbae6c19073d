/** The prompt about missing behavior has words of the request, and nothing of the tests. */
import {expect, test} from "vitest";
import {missingBehaviorPrompt} from "../../../src/agent/held-out-prompt.ts";
import type {HeldOutTest} from "../../../src/record/held-out.ts";

const failing: HeldOutTest = {
  ...{path: "tests/canaryFile.test.js", name: "canaryTitle gives 4711", line: 3, about: ["double"], uncounted: null},
  ...{text: "assert.equal(canaryHelper(double(2)), 4711)", onCandidate: "fails"},
};
const task = (request: string) => ({
  ...{request, comments: [], stages: [], notes: []},
  issue: {number: 1, title: "Sums", body: "Also `sum` is slow.\n\nA `double` of a negative number is negative."},
});

test("it quotes the lines of the request with a word that a failing test uses", () => {
  const prompt = missingBehaviorPrompt([failing], task("Add `double` to sum.js: twice its argument.\nBe quick."));
  expect(prompt).toContain(
    "<request>\nAdd `double` to sum.js: twice its argument.\nA `double` of a negative number is negative.\n</request>",
  );
  for (const part of ["canary", "4711", "assert", "tests/", "Be quick", "is slow"]) expect(prompt).not.toContain(part);
});

test("it quotes the request if no line has such a word", () => {
  const prompt = missingBehaviorPrompt([{...failing, about: []}], task("Make it right."));
  expect(prompt).toContain("<request>\nMake it right.\n</request>");
});
