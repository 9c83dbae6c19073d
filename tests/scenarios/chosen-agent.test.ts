/** A request names an agent or a model, which the workflow must allow. */
import {expect, onTestFailed, test} from "vitest";
import {DEFAULT_PHRASE} from "../../src/request/default-phrase.ts";
import {writeFileAt} from "../rig/model.ts";
import {PRODUCT_FILES, plain} from "../rig/projects.ts";
import {assertPromises} from "../rig/promises.ts";
import {createRig} from "../rig/rig.ts";
import {oneJob, SEPARATED} from "../rig/separated.ts";
import {someOf} from "../sweep.ts";

const TURN = {when: "multiply", do: [writeFileAt("src/product.js", PRODUCT_FILES.right)], say: "Done."};

/** The workflow's own agent would fail: its program does not exist. */
const ALLOWED = {
  ...{agent: "command", "agent-args": "no-such-program", "agent-config": ""},
  ...{"allowed-agents": "claude, pi", "allowed-models": "other gpt-5-mini"},
};

const WORKFLOWS = [
  ["one job", oneJob(DEFAULT_PHRASE)],
  ["separate jobs", SEPARATED],
] as const;

test.each(someOf(WORKFLOWS))(
  "%s: the agent and the model of the request work, with the provider of the key",
  async (_, text) => {
    await using rig = await createRig({files: plain(), onFailed: onTestFailed});
    rig.model.script([TURN]);
    const outcome = await rig.comment("/assay agent=pi model=gpt-5-mini multiply, please", {
      separated: {text},
      inputs: ALLOWED,
      env: {OPENAI_BASE_URL: `${rig.model.url}/v1`},
    });
    await assertPromises(rig, outcome);
    expect(outcome.outputs).toMatchObject({verdict: "verified", branch: "assay/issue-1"});
    expect(outcome.record?.request).toEqual({
      ...{kind: "work", text: "multiply, please"},
      ...{agent: "pi", model: "gpt-5-mini"},
    });
    expect(outcome.record?.attempts[0]?.turn?.model).toContain("gpt-5-mini");
    expect(rig.model.prompts.join("\n")).not.toContain("model=");
  },
);

const REFUSED = [
  ["agent=codex", ALLOWED],
  ["model=gpt-scripted", {}],
  ["agent=command", ALLOWED],
  ["model=gpt-5", ALLOWED],
] as const;

test.each(someOf(REFUSED))(
  "%s is refused with the names of the inputs, and no agent starts",
  async (choice, inputs) => {
    await using rig = await createRig({files: plain(), onFailed: onTestFailed});
    const outcome = await rig.comment(`/assay ${choice} multiply, please`, {inputs});
    await assertPromises(rig, outcome, {nothingAsked: true});
    expect(rig.model.prompts).toEqual([]);
    expect(outcome.comments.map(({body}) => body).join("\n")).toContain("`allowed-agents` and `allowed-models`");
  },
);
