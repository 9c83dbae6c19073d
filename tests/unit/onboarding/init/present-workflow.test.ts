/** The options of an existing workflow are read back, so that an update keeps them, and new permissions are found. */
import {readFileSync} from "node:fs";
import {expect, test} from "vitest";
import {addedPermissions, presentForm} from "../../../../src/onboarding/init/present-workflow.ts";
import {separatedWorkflow} from "../../../../src/onboarding/init/separated-workflow.ts";
import {callerWorkflow, singleWorkflow} from "../../../../src/onboarding/init/workflow-file.ts";
import {commandsIn} from "../../../../src/request/command.ts";
import {DEFAULT_COMMANDS} from "../../../../src/request/default-phrase.ts";

const ON = ["reviews", "label:bot", "assignment:robo", "dispatch", "schedule:0 5 * * 1", 'ci:["CI"]', "update:main"];
const DEFAULTS = {
  ...{mode: "separated", provider: "anthropic", shards: "1", attest: false},
  ...{trigger: "/assay @assay", commands: DEFAULT_COMMANDS, on: []},
};

test.each([
  ["the called workflow", callerWorkflow("/assay @assay"), {}],
  ["all jobs in the file", separatedWorkflow([]), {}],
  ["one job", singleWorkflow([], "/assay @assay"), {mode: "single"}],
  [
    "other options",
    separatedWorkflow([], {
      ...{shards: 3, attest: true, provider: "openai", phrase: "/bot", on: ON},
      commands: commandsIn("/verify /stop"),
    }),
    {shards: "3", attest: true, provider: "openai", trigger: "/bot", commands: "/verify /stop", on: ON},
  ],
  ["a caller with triggers", callerWorkflow("/bot", ["label:assay"]), {trigger: "/bot", on: ["label:assay"]}],
])("%s: the options are read back", (_, text, other) => {
  const form = presentForm(text);
  expect({...form, on: form?.on.toSorted()}).toEqual({
    ...DEFAULTS,
    ...other,
    on: [...("on" in other ? other.on : [])].sort(),
  });
});

test.each(["", "on: [", "jobs:\n  a:\n    steps:\n      - uses: actions/checkout@v5\n"])(
  "%j is no workflow of Assay",
  (text) => expect(presentForm(text)).toBeNull(),
);

test("each permission that a text adds is listed once, with its job and reason", () => {
  const plain = separatedWorkflow([]);
  const attested = separatedWorkflow([], {attest: true});
  expect(addedPermissions(attested, plain)).toEqual([]);
  const added = addedPermissions(plain, attested);
  expect(added.map(({job, scope, level}) => `${job} ${scope} ${level}`)).toEqual([
    "publish id-token write",
    "publish attestations write",
  ]);
  expect(added.every(({why}) => why.length > 10)).toBe(true);
  // The jobs of a caller are new, but not what its token may do.
  const caller = readFileSync(new URL("../../../../docs/workflows/assay.yml", import.meta.url), "utf8");
  expect(addedPermissions(caller, attested).map(({scope}) => scope)).toEqual(["id-token", "attestations"]);
});
