/** The version of Assay in a workflow: commits with what their comment says, or a moving tag. */
import {expect, test} from "vitest";
import {majorTag, ownPins, pinsIn, withTag} from "../../../../src/onboarding/init/pins.ts";
import {separatedWorkflow} from "../../../../src/onboarding/init/separated-workflow.ts";
import {callerWorkflow} from "../../../../src/onboarding/init/workflow-file.ts";

const COMMIT = "0123456789".repeat(4);

test("each version is named once, with its comment, and other actions are none", () => {
  const text = [
    `uses: assay-run/assay@${COMMIT} # v1.2.3`,
    `uses: assay-run/assay/setup@${COMMIT} # v1.2.3`,
    `uses: "assay-run/assay/.github/workflows/separated.yml@v1"`,
    "uses: actions/checkout@v4 # v4.0.0",
  ].join("\n");
  expect(pinsIn(text)).toEqual([
    {ref: COMMIT, label: "v1.2.3"},
    {ref: "v1", label: ""},
  ]);
  expect(ownPins().map(({ref}) => ref)).toEqual(Array.from({length: 2}, () => expect.stringMatching(/^[0-9a-f]{40}$/)));
});

test.each([
  ["separate jobs", separatedWorkflow([])],
  ["a call", callerWorkflow("/assay")],
])("a tag replaces every commit of Assay in %s, and no other one", (_, text) => {
  const tagged = withTag(text, "v1");
  expect(pinsIn(tagged)).toEqual([{ref: "v1", label: ""}]);
  const others = (all: string) => all.split("\n").filter((line) => !line.includes("/assay"));
  expect(others(tagged)).toEqual(others(text));
});

test("without a release there is no tag to follow", () => {
  expect(majorTag()).toBe(/^v(\d+)\./.test(ownPins()[0]?.label ?? "") ? expect.stringMatching(/^v\d+$/) : null);
});
