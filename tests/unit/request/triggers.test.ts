/** The table of triggers and its page for people. */
import {readFileSync} from "node:fs";
import {expect, test} from "vitest";
import {TRIGGER_KINDS} from "../../../src/record/record.ts";
import {chosenName, TRIGGERS, triggerOf, triggersWith} from "../../../src/request/triggers.ts";

const page = readFileSync(new URL("../../../docs/triggers.md", import.meta.url), "utf8");

test("each kind of trigger has one row, and docs/triggers.md describes it", () => {
  expect(TRIGGERS.map(({kind}) => kind)).toEqual(TRIGGER_KINDS);
  for (const kind of TRIGGER_KINDS) {
    const {event, action, option} = triggerOf(kind);
    expect(page, kind).toContain(`| \`${[event, action].filter(Boolean).join(": ")}\` |`);
    if (option !== null) expect(page).toMatch(new RegExp(`--on [\\w,:]*${option}`));
  }
});

test("a workflow has only the triggers that its owner chose", () => {
  expect(triggersWith([]).map(({kind}) => kind)).toEqual(["comment", "issue"]);
  const chosen = ["label:my label", "assignment:robot"];
  expect(triggersWith(chosen).map(({kind}) => kind)).toEqual(["comment", "issue", "label", "assignment"]);
  expect([chosenName(chosen, "label"), chosenName(chosen, "reviews")]).toEqual(["my label", ""]);
  const ofReviews = ["review-comment", "review", "bot-review"];
  expect(triggersWith(["reviews"]).map(({kind}) => kind)).toEqual(["comment", "issue", ...ofReviews]);
});
