/** The reports of the commonest runs, as files that a person can read; `npx vitest -u` writes them anew. */
import {join} from "node:path";
import pc from "picocolors";
import {describe, expect, it} from "vitest";
import {lineReporter} from "../../../src/cli/reporters/line.ts";
import {isGreen, type RunRecord} from "../../../src/record/record.ts";
import {FAILURES} from "../../../src/report/failure-words.ts";
import {headlineOf} from "../../../src/report/headline.ts";
import {renderReport, renderSummary} from "../../../src/report/markdown.ts";
import {renderPullRequest} from "../../../src/report/pull-request.ts";
import {GREEN_BUT_FAILED, HELD, NOTHING, UNVERIFIED, VERDICTS} from "../../../src/report/wording.ts";
import {liveThings, misshapen} from "./gfm.ts";
import {attempt, record, stage, turn} from "./records.ts";
import {SCENES} from "./scenes.ts";

const golden = (name: string) => join(import.meta.dirname, "goldens", name);
const plain = pc.createColors(false);

/** What `assay verify --reporter line` prints for a record. */
async function terminalText(record: RunRecord, colors = plain): Promise<string> {
  let text = "";
  const out = {write: (part: string) => (text += part)};
  const readText = async () => null;
  await lineReporter({out, err: out, colors, isQuiet: false, readText}).finish(record);
  return text;
}

describe.each(Object.entries(SCENES))("%s", (name, scene) => {
  it("reads as its golden does, with nothing live in it", async () => {
    const report = renderReport(scene);
    await expect(report).toMatchFileSnapshot(golden(`${name}.md`));
    const rows = (scene.attempts.at(-1)?.verification?.stages.length ?? 0) > 0;
    expect([liveThings(report), misshapen(report, {rows})]).toEqual([[], []]);
  });

  it("says the same in summary and pull request, without the marker", async () => {
    const {icon, headline} = headlineOf(scene);
    for (const body of [renderSummary(scene), renderPullRequest(scene).body]) {
      expect(body).toContain(`**${icon} ${headline}**`);
      expect(body).not.toContain("<!-- assay");
    }
    expect(await terminalText(scene)).toContain(`${icon} ${headline}`);
  });
});

describe("a terminal", () => {
  it("shows what failed", async () => {
    const scene = SCENES["parked-failed"] ?? record();
    await expect(await terminalText(scene)).toMatchFileSnapshot(golden("parked-failed.terminal.txt"));
  });

  it("shows equal failures once, and no name twice", async () => {
    const failure = (over: object) => ({
      tool: "vitest",
      message: "HttpError: boom",
      severity: "error" as const,
      ...over,
    });
    const at = {file: "src/fetch.ts", path: "src/fetch.ts", line: 78};
    const diagnostics = [
      ...["one", "two"].map((testId) => failure({...at, testId})),
      failure({testId: "Errors", message: "Errors"}),
    ];
    const failed = stage({outcome: "failed", failureKind: "code", reason: "exit code 1", diagnostics});
    const scene = record({attempts: [attempt({stages: [failed]})], verdict: {kind: "failed", stages: ["test"]}});
    const report = renderReport(scene);
    expect(report).toContain("\n- `one`: HttpError: boom (`src/fetch.ts:78`)\n- `two`: HttpError: boom");
    const folded = report.slice(report.indexOf("<details>"));
    expect(folded.match(/HttpError: boom.*/g)).toEqual([expect.stringMatching(/\(2 times\)$/)]);
    const text = await terminalText(scene);
    for (const name of ["one", "two"]) expect(text).toContain(`  ${name}\n    HttpError: boom\n    src/fetch.ts:78\n`);
    for (const place of [text, folded]) expect(place).not.toMatch(/Errors`?\s+Errors/);
  });

  it("begins with the first failing test, its message and its place", () => {
    const text = renderSummary(SCENES["parked-failed"] ?? record()).replace(/\]\([^)]*\)/g, "]");
    expect(text.slice(0, 400)).toMatch(/keeps an empty value`: expected undefined to be ''.*tests\/parse\.test\.ts:21/);
  });

  it("shows what is worth knowing of the run itself", async () => {
    const scene = record({notes: [{about: "base", text: "There is no base commit."}]});
    expect(await terminalText(scene)).toMatch(/\nbase: There is no base commit\.\n$/);
  });

  it("has colours only when they are given, and none of a tool's own", async () => {
    const scene = record({verdict: {kind: "failed", stages: ["\u001b[2Jtest"]}});
    expect(await terminalText(scene)).not.toContain("\u001b");
    expect(await terminalText(scene, pc.createColors(true))).toContain("\u001b[31m");
  });
});

describe("the headline", () => {
  const verdicts = [
    {kind: "verified" as const},
    {kind: "verified-with-preexisting" as const, stages: ["test"]},
    {kind: "partial" as const, notRun: ["test"], preexisting: []},
    {kind: "failed" as const, stages: ["test"]},
    {kind: "tampered" as const, findings: ["x"]},
    ...(Object.keys(UNVERIFIED) as (keyof typeof UNVERIFIED)[]).map((why) => ({
      kind: "unverified" as const,
      why,
      detail: "",
    })),
    ...(Object.keys(NOTHING) as (keyof typeof NOTHING)[]).map((why) => ({
      kind: "nothing-to-verify" as const,
      why,
      detail: "",
    })),
  ];

  it.each(verdicts)(
    "of $kind $why is good news exactly when the run is green, with and without a failure (P14)",
    (verdict) => {
      for (const failures of [[], [{kind: "internal" as const, message: "x"}]]) {
        const {icon} = headlineOf({verdict, failures, publication: {kind: "none"}});
        expect(["✅", "☑️", "💬"].includes(icon)).toBe(isGreen({verdict, failures}));
      }
    },
  );

  it("tells when an unverified change was committed all the same", () => {
    const publication = {...(SCENES["verified-first-try"]?.publication ?? {kind: "none" as const}), withWarning: true};
    const scene = record({verdict: {kind: "failed", stages: ["test"]}, publication});
    expect(renderReport(scene)).toContain('It was committed because of `"onFailure": "commit"`');
  });

  it("has no two kinds with the same words", () => {
    const lines = [...Object.values(VERDICTS), GREEN_BUT_FAILED, HELD]
      .map((words) => words.headline)
      .concat(Object.values(FAILURES).map((words) => words.headline));
    expect(new Set(lines).size).toBe(lines.length);
  });
});

describe("a pull request", () => {
  const says = (...answers: string[]) =>
    record({attempts: answers.map((answer, at) => attempt({number: at + 1, turn: turn({answer})}))});

  it("takes its title from the agent, else from the issue, else from the request, and no title refers to an issue", () => {
    const scene = SCENES["verified-first-try"] ?? record();
    const options = {issueTitle: "Crash for @me, fixes #3 [skip ci]"};
    expect(renderPullRequest(scene, options).title).toBe("Crash for me, fixes 3 (skip ci)");
    expect(renderPullRequest(scene).title).toBe("An empty value should stay an empty string");
    const titled = says("Done.\n\n**Title: Keep @empty values, fixes #3**\n\nAn empty value was lost.");
    expect(renderPullRequest(titled, options).title).toBe("Keep empty values, fixes 3");
    expect(renderPullRequest({...scene, request: {kind: "verify", only: []}}).title).toBe(
      "Change src/parse.ts and 1 other file",
    );
  });

  it("begins with the newest description of the whole change, and shows it once", () => {
    const scene = says(
      "Title: Keep empty values\n\nFirst words.",
      "Title: Keep values\n\nAll of it.",
      "The types are right.",
    );
    const {title, body} = renderPullRequest(scene);
    expect(title).toBe("Keep values");
    expect(body).toMatch(/^> All of it\.\n\nCloses #7\. Requested by `octocat`\. \d+ changed files?\.\n\n\*\*✅/);
    expect(body.split("All of it.")).toHaveLength(2);
    expect(body).toMatch(/\*\*The agent's answer:\*\*\n\n> The types are right\.[\s\S]*First words\./);
    expect(renderReport(scene)).toContain("> **Keep values**");
  });

  it("begins with what was observed if no answer is a description", () => {
    const {body} = renderPullRequest(says("I changed the parser.", "Both tests pass."));
    expect(body.split("\n", 1)[0]).toBe("Closes #7. Requested by `octocat`. 2 changed files.");
    expect(body).toContain("> Both tests pass.");
  });
});
