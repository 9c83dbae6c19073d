/** Which opinion the report of separate jobs has: never one that the agent's job could have made, without saying so. */
import {describe, expect, test} from "vitest";
import {DEFAULT_CONFIG} from "../../../src/detect/config/config.ts";
import {parseInputs} from "../../../src/github/inputs.ts";
import {encodeOutput} from "../../../src/handover/encode-output.ts";
import type {Opinion, OpinionPoint} from "../../../src/record/opinion.ts";
import {NO_USAGE} from "../../../src/record/usage.ts";
import {encodeJobOpinion, withJobOpinion} from "../../../src/run/jobs/job-opinion.ts";
import {attempt, id, turn} from "../report/records.ts";

const opinionOf = (outcome: "met" | "not-met"): Opinion => ({
  ...{kind: "judged", outcome, points: [], objections: [], model: "m", isSameFamily: null, cut: []},
  ...{usage: NO_USAGE, durationMs: 1},
});
const join = (
  claimed: Opinion | null,
  options: {output?: string; effect?: "show" | "hold"; enabled?: boolean} = {},
) => {
  const judge = {...DEFAULT_CONFIG.judge, enabled: options.enabled ?? true, effect: options.effect ?? "show"};
  const work = attempt(claimed === null ? {} : {opinion: claimed});
  return withJobOpinion({config: {...DEFAULT_CONFIG, judge}}, [work], options.output ?? "").at(-1)?.opinion;
};
const ofJob = encodeJobOpinion(attempt({opinion: opinionOf("not-met")}));

describe("the opinion of the job", () => {
  test("replaces what the agent's job claims", () => {
    const opinion = join({...opinionOf("met"), isAdvisory: false}, {output: ofJob});
    expect(opinion).toEqual({...opinionOf("not-met"), isAdvisory: false});
  });
  test("about another tree does not count", () => {
    const other = encodeJobOpinion(
      attempt({opinion: opinionOf("met"), candidate: {commit: id("1"), tree: id("2"), base: id("3")}}),
    );
    expect(join(null, {output: other})).toMatchObject({kind: "not-judged", why: "no-judge-job"});
  });
  test.each(["", "x", encodeOutput("PASS"), encodeOutput('{"tree": null}'), encodeOutput("{".repeat(9))])(
    "of an unreadable form is none: %j",
    (output) => expect(join(null, {output})).toMatchObject({why: "no-judge-job"}),
  );
});

describe("an opinion that is too long for an input", () => {
  const random = (length: number) =>
    Array.from({length}, () => String.fromCodePoint(0x4e00 + Math.floor(Math.random() * 20_000))).join("");
  const point = (chars: number): OpinionPoint => ({
    ...{text: random(chars), answer: "not-met", category: "incomplete", reason: random(chars), quote: random(chars)},
  });
  test.each([400, 3_000, 9_000])("of %i characters for each text is clipped, and still objects", (chars) => {
    const opinion = {
      ...opinionOf("not-met"),
      points: Array.from({length: 8}, () => point(chars)),
      cut: [random(chars)],
    };
    const output = encodeJobOpinion(attempt({opinion}));
    // an environment variable of Linux
    expect(Buffer.byteLength(`INPUT_OPINION=${output}`)).toBeLessThan(131_072);
    expect(join(null, {output, effect: "hold"})).toMatchObject({outcome: "not-met", points: {length: 8}});
  });
  test("is an opinion that is missing", () => {
    const values: Record<string, string> = {"github-token": "token", opinion: "x".repeat(50_000)};
    expect(parseInputs((name) => values[name])).toMatchObject({ok: true, value: {opinion: ""}});
  });
});

describe("without the job", () => {
  test("an opinion of the agent's job is advisory, also if it says otherwise", () => {
    expect(join({...opinionOf("met"), isAdvisory: false})).toMatchObject({outcome: "met", isAdvisory: true});
  });
  test("with `hold` it can only keep a change back", () => {
    expect(join(opinionOf("met"), {effect: "hold"})).toMatchObject({kind: "not-judged", why: "no-judge-job"});
    expect(join(opinionOf("not-met"), {effect: "hold"})).toMatchObject({outcome: "not-met", isAdvisory: true});
  });
  test("an opinion on work that is not judged is dropped", () => {
    const judge = {...DEFAULT_CONFIG.judge, enabled: true};
    const claimed = {opinion: opinionOf("met")};
    const works = [
      attempt({...claimed, verdict: {kind: "failed", stages: ["test"]}}),
      attempt({...claimed, changes: [], verdict: {kind: "nothing-to-verify", why: "no-change", detail: ""}}),
    ];
    const joined = withJobOpinion({config: {...DEFAULT_CONFIG, judge}}, works, "");
    expect(joined.map(({opinion}) => opinion)).toEqual([undefined, undefined]);
  });
  test("the end of the turn, which the agent's job writes, does not matter", () => {
    const work = attempt({turn: turn({end: {kind: "timed-out", afterMs: 1}})});
    const judge = {...DEFAULT_CONFIG.judge, enabled: true};
    const [joined] = withJobOpinion({config: {...DEFAULT_CONFIG, judge}}, [work], "");
    expect(joined?.opinion).toMatchObject({why: "no-judge-job"});
  });
});

test("with the judge off, a claimed opinion is dropped", () => {
  expect(join(opinionOf("met"), {enabled: false, output: ofJob})).toBeUndefined();
});
