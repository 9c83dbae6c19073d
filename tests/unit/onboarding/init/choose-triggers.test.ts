/** What `assay init --on` accepts. */
import {expect, test} from "vitest";
import {chooseTriggers} from "../../../../src/onboarding/init/choose-triggers.ts";
import {ok} from "../../../../src/record/words.ts";

test.each([
  ["", []],
  ["reviews", ["reviews"]],
  [" label , reviews ", ["label:assay", "reviews"]],
  ["dispatch,schedule:0 5 * * 1,3-5, reviews", ["dispatch", "schedule:0 5 * * 1,3-5", "reviews"]],
  ["schedule:*/15 0-23/2 1,31 12 0", ["schedule:*/15 0-23/2 1,31 12 0"]],
  ["label:help wanted,assignment:my-robot", ["label:help wanted", "assignment:my-robot"]],
])("%j is a choice", (text, expected) => {
  expect(chooseTriggers(text)).toEqual(ok(expected));
});

test.each([
  ["labels", /accepts reviews, label, assignment, dispatch, schedule, ci, update, and not labels/],
  ["reviews:x", /^--on reviews takes no name, so write `reviews`$/],
  ["assignment", /^--on assignment needs a name: `assignment:LOGIN`$/],
  ["assignment: ", /assignment:LOGIN/],
  ["schedule", /schedule:CRON/],
  ["schedule:weekly", /five fields/],
  ["schedule:* * * *", /five fields/],
  ['schedule:0 5 * * 1"\n', /five fields/],
  ["schedule:60 5 * * 1", /five fields/],
  ["schedule:0 24 * * 1", /five fields/],
  ["schedule:0 5 0 * *", /five fields/],
  ["schedule:0 5 * 13 *", /five fields/],
  ["schedule:0 5 * * 7", /five fields/],
  ["schedule:*/0 5 * * *", /five fields/],
  ["schedule:1- 5 * * *", /five fields/],
  ["dispatch:x", /takes no name/],
  ["schedule:0 5 * * 1,schedule:0 6 * * 2", /accepts schedule once/],
  ["label:it's", /letters, digits/],
  ["label:needs work: yes", /letters, digits/],
  ["label:${{ x }}", /letters, digits/],
])("%j is a mistake", (text, expected) => {
  expect(chooseTriggers(text)).toMatchObject({ok: false, failure: expect.stringMatching(expected)});
});
