/** What `assay init --on` accepts. */
import {expect, test} from "vitest";
import {chooseTriggers} from "../../../../src/onboarding/init/choose-triggers.ts";
import {ok} from "../../../../src/record/words.ts";

test.each([
  ["", []],
  ["reviews", ["reviews"]],
  [" label , reviews ", ["label:assay", "reviews"]],
  ["label:help wanted,assignment:my-robot", ["label:help wanted", "assignment:my-robot"]],
])("%j is a choice", (text, expected) => {
  expect(chooseTriggers(text)).toEqual(ok(expected));
});

test.each([
  ["labels", /accepts reviews, label, assignment, and not labels/],
  ["reviews:x", /and no other names, so not reviews:x/],
  ["assignment", /assignment:LOGIN/],
  ["assignment: ", /assignment:LOGIN/],
  ["label:it's", /letters, digits/],
  ["label:${{ x }}", /letters, digits/],
])("%j is a mistake", (text, expected) => {
  expect(chooseTriggers(text)).toMatchObject({ok: false, failure: expect.stringMatching(expected)});
});
