/** Whether the rig's walker keeps GitHub's rules; and each rule, switched off, lets the mistake through that it is there to find. */
import {expect, test} from "vitest";
import {type ConcurrencyGroups, openConcurrencyGroups} from "../rig/workflow/concurrency.ts";
import {RULES, type Rules} from "../rig/workflow/rules.ts";
import {type Step, type StepEnd, type WalkEnd, walkWorkflow} from "../rig/workflow.ts";

interface Seen extends WalkEnd {
  /** the `run:` of each step that was started, and `post` of those */
  readonly started: readonly string[];
}

/** Walks the file for a comment. A step does nothing, unless `act` says what. */
async function walk({
  text,
  comment = "/assay",
  rules = {},
  masked = [],
  groups,
  cancel,
  act,
}: {
  text: string;
  comment?: string;
  rules?: Partial<Rules>;
  masked?: readonly string[];
  groups?: ConcurrencyGroups;
  cancel?: AbortController;
  act?: (step: Step, started: readonly string[]) => StepEnd | undefined | Promise<StepEnd | undefined>;
}): Promise<Seen> {
  const started: string[] = [];
  const end = await walkWorkflow({
    text,
    called: () => null,
    composite: () => null,
    contexts: {github: {event: {comment: {body: comment}, issue: {number: 7}}}, inputs: {}, secrets: {}, env: {}},
    runner: () => ({temp: "/tmp"}),
    hasFile: () => false,
    masked,
    rules,
    ...(groups !== undefined && {groups}),
    ...(cancel !== undefined && {cancel}),
    async act(step) {
      started.push(step.run);
      const ended = (await act?.(step, started)) ?? {isGood: true, outputs: {}};
      return {
        ...ended,
        async post() {
          started.push(`post ${step.run}`);
          return (await ended.post?.()) ?? {isGood: true, outputs: {}};
        },
      };
    },
  });
  return {...end, started};
}

const cancelled = (step: Step) =>
  new Promise<StepEnd>((resolve) => {
    step.signal.addEventListener("abort", () => resolve({isGood: false, outputs: {}}));
  });

/** Each rule with a workflow that GitHub would not run as its author meant; true when the walk shows it. */
const MISTAKES: Readonly<Record<keyof Rules, (rules: Partial<Rules>) => Promise<boolean>>> = {
  // a request without a slash starts nothing
  async conditions(rules) {
    const text = "jobs: {assay: {if: \"contains(github.event.comment.body, '/')\", steps: [{run: answer}]}}";
    return !(await walk({text, comment: "@assay please fix it", rules})).started.includes("answer");
  },
  // a word of thanks takes the place of a request that waits
  async concurrency(rules) {
    const text = "{concurrency: 'assay-${{ github.event.issue.number }}', jobs: {assay: {steps: [{run: answer}]}}}";
    const groups = openConcurrencyGroups();
    let finish = () => {};
    const first = walk({text, rules, groups, act: () => new Promise((resolve) => (finish = () => resolve(undefined)))});
    const waiting = walk({text, rules, groups});
    const thanks = walk({text, comment: "thanks", rules, groups});
    await new Promise(setImmediate);
    finish();
    await Promise.all([first, thanks]);
    return (await waiting).result === "cancelled";
  },
  // a secret with a common value makes the result of a job disappear
  async masks(rules) {
    const text = `jobs:
  admit: {outputs: {next: "\${{ steps.a.outputs.next }}"}, steps: [{id: a, run: admit}]}
  work: {needs: admit, if: needs.admit.outputs.next != '', steps: [{run: work}]}`;
    const act = () => ({isGood: true, outputs: {next: "work on main"}});
    return !(await walk({text, masked: ["main"], rules, act})).started.includes("work");
  },
  // what only \`post\` writes arrives nowhere
  async noPostOutputs(rules) {
    const text = `jobs: {a: {outputs: {verified: "\${{ steps.a.outputs.verified }}"}, steps: [{id: a, run: verify}]}}`;
    const post = async () => ({isGood: true, outputs: {verified: "false"}});
    const {jobs} = await walk({text, rules, act: () => ({isGood: true, outputs: {}, post})});
    return jobs["a"]?.outputs["verified"] !== "false";
  },
  // a step that needs what the \`post\` of an earlier one leaves
  async postsAtEnd(rules) {
    const text = "jobs: {a: {steps: [{run: work}, {run: upload}]}}";
    const {started} = await walk({text, rules});
    return started.indexOf("upload") < started.indexOf("post work");
  },
  // the job that finishes the comment forgets that a run can be cancelled
  async cancellation(rules) {
    const text = `jobs:
  work: {steps: [{run: work}]}
  publish: {needs: work, if: success() || failure(), steps: [{run: finish}]}`;
    const cancel = new AbortController();
    const act = (step: Step) => {
      if (step.run !== "work") return undefined;
      setImmediate(() => cancel.abort());
      return cancelled(step);
    };
    return !(await walk({text, rules, cancel, act})).started.includes("finish");
  },
};

test.each(Object.entries(MISTAKES))(
  "the rule `%s` shows a mistake, and without it nothing is seen",
  async (rule, isSeen) => {
    expect(await isSeen({})).toBe(true);
    expect(await isSeen({[rule]: false})).toBe(false);
  },
);

test("each rule has its mistake", () => {
  expect(Object.keys(MISTAKES).toSorted()).toEqual(Object.keys(RULES).toSorted());
});

test("a cancelled job: the step is ended, `always()` and `cancelled()` run, and `needs` says so", async () => {
  const text = `jobs:
  work:
    outputs: {said: "\${{ steps.a.outputs.said }}"}
    steps:
      - {id: a, run: work}
      - {run: next}
      - {run: red, if: failure()}
      - {run: always, if: always()}
      - {run: cancelled, if: cancelled()}
  verify: {needs: work, if: "!cancelled()", steps: [{run: verify}]}
  publish: {needs: [work, verify], if: "always() && needs.work.result == 'cancelled'", steps: [{run: publish}]}`;
  const cancel = new AbortController();
  const seen = await walk({
    text,
    cancel,
    act(step) {
      if (step.run !== "work") return undefined;
      setImmediate(() => cancel.abort());
      return cancelled(step);
    },
  });
  expect(seen.started).toEqual([
    ...["work", "always", "cancelled", "post cancelled", "post always", "post work"],
    ...["publish", "post publish"],
  ]);
  expect(seen.jobs).toMatchObject({
    work: {result: "cancelled"},
    verify: {result: "skipped"},
    publish: {result: "success"},
  });
  expect(seen.result).toBe("cancelled");
});

test("a job with `always()` goes on when the run is cancelled", async () => {
  const cancel = new AbortController();
  const text = "jobs: {publish: {if: always(), steps: [{run: one}, {run: two}]}}";
  const seen = await walk({
    text,
    cancel,
    act(step) {
      if (step.run === "one") cancel.abort();
      return {isGood: !step.signal.aborted, outputs: {}};
    },
  });
  expect(seen).toMatchObject({result: "success", started: ["one", "two", "post two", "post one"]});
});

test("a job stays away when one far above it failed, unless it asks for another status", async () => {
  const text = `jobs:
  a: {steps: [{run: a}]}
  b: {needs: a, if: always(), steps: [{run: b}]}
  c: {needs: b, steps: [{run: c}]}
  d: {needs: b, if: failure(), steps: [{run: d}]}`;
  const {jobs} = await walk({text, act: ({run}) => ({isGood: run !== "a", outputs: {}})});
  expect(Object.entries(jobs).map(([id, {result}]) => `${id} ${result}`)).toEqual([
    "a failure",
    "b success",
    "c skipped",
    "d success",
  ]);
});

/** Enters one after the other, and says in which order they ran; `null` for one that was dropped. */
async function enterAll(count: number, queue: "single" | "max", cancelsRunning = false) {
  const groups = openConcurrencyGroups();
  const seen: string[] = [];
  const controllers = Array.from({length: count}, () => new AbortController());
  const leave: ((() => void) | null)[] = [];
  const entered = controllers.map(async ({signal}, number) => {
    const cancel = () => void seen.push(`${number} is cancelled`);
    const group = number % 2 === 0 ? "assay-7" : "ASSAY-7";
    leave[number] = await groups.enter({group, queue, cancelsRunning, cancel, signal});
    seen.push(leave[number] === null ? `${number} is dropped` : `${number} runs`);
  });
  await new Promise(setImmediate);
  for (let number = 0; number < count; number += 1) {
    leave[number]?.();
    await new Promise(setImmediate);
  }
  await Promise.all(entered);
  return seen;
}

test("without `queue` one waits, and a newer one takes its place", async () => {
  expect(await enterAll(4, "single")).toEqual(["0 runs", "1 is dropped", "2 is dropped", "3 runs"]);
});

test("with `queue: max` all wait in order, up to a hundred", async () => {
  const seen = await enterAll(103, "max");
  expect(seen.slice(0, 3)).toEqual(["0 runs", "101 is dropped", "102 is dropped"]);
  expect(seen.slice(3)).toEqual(Array.from({length: 100}, (_, number) => `${number + 1} runs`));
});

test("`cancel-in-progress` cancels the one that runs, and is refused with `queue: max`", async () => {
  expect((await enterAll(2, "single", true)).toSorted()).toEqual(["0 is cancelled", "0 runs", "1 runs"]);
  const {signal} = new AbortController();
  const refused = {group: "a", queue: "max", cancelsRunning: true, cancel: () => {}, signal} as const;
  await expect(openConcurrencyGroups().enter(refused)).rejects.toThrow("GitHub refuses");
});
