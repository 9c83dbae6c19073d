/** Foreign text in every place of a report, seen through a GFM parser: nothing live, nothing out of shape, at any size. */
import {describe, expect, it} from "vitest";
import {clip, codeSpan, fence, htmlLine, inline, plainLine} from "../../../src/markdown/escape.ts";
import type {RunEvent} from "../../../src/record/events.ts";
import type {RunRecord} from "../../../src/record/record.ts";
import {answerMarkdown, quotedAnswer} from "../../../src/report/agent-answer.ts";
import {renderHelp} from "../../../src/report/answers.ts";
import {SMALLEST} from "../../../src/report/fit-size.ts";
import {renderRefusal, renderReply} from "../../../src/report/live.ts";
import {renderReport} from "../../../src/report/markdown.ts";
import {renderLiveProgress} from "../../../src/report/progress.ts";
import {advance, startProgress} from "../../../src/report/progress-state.ts";
import {renderPullRequest} from "../../../src/report/pull-request.ts";
import {plannedStage, planWith} from "../../rig/plans.ts";
import {everyNth} from "../../sweep.ts";
import {cpuTime} from "./cpu-time.ts";
import {ATTACKS, foreignText, IMITATIONS, seeded} from "./foreign.ts";
import {imitations, liveThings, misshapen, parse} from "./gfm.ts";
import {attempt, record, stage, turn} from "./records.ts";

const CASES = Number(process.env["ASSAY_FUZZ"] ?? 150);

/** The states of a run in progress with foreign text wherever one can hold any. */
function hostileProgress(text: () => string) {
  const usage = turn({}).usage;
  const failed = attempt({verdict: {kind: "failed", stages: [text(), text()]}});
  const events: RunEvent[] = [
    {kind: "planned", stages: [plannedStage({name: text()})], maxAttempts: 2},
    {kind: "turn-started", attempt: 1, prompt: text(), reason: "task"},
    {kind: "setup-started", command: text()},
    {kind: "agent-acted", line: `write ${text()}`, usage},
    {kind: "turn-finished", attempt: 1, turn: turn({answer: text()})},
    {kind: "stage-started", stage: plannedStage({name: text()}), index: 1, of: 2},
    {kind: "stage-finished", result: stage({name: text(), reason: text(), outcome: "failed"}), index: 1, of: 2},
    {kind: "attempt-finished", attempt: failed},
    {kind: "turn-started", attempt: 2, prompt: text(), reason: "failure"},
    {kind: "agent-acted", line: text(), usage},
  ];
  let state = startProgress(0);
  return events.map((event) => (state = advance(state, event, 1_000)));
}

/** A record with foreign text wherever a record can hold any. */
function hostile(text: () => string, options: {stages?: number; failures?: boolean} = {}): RunRecord {
  const bad = () =>
    stage({
      name: text(),
      command: text(),
      cwd: text(),
      reason: text(),
      outcome: "failed",
      failureKind: "code",
      excerpt: text(),
      diagnostics: [{tool: text(), file: text(), line: 1, code: text(), message: text(), severity: "error"}],
    });
  const planned = () => {
    const origin = {file: text(), key: text(), why: text()};
    return plannedStage({name: text(), command: text(), cwd: text(), origin});
  };
  const one = (number: number) =>
    attempt({
      number,
      turn: turn({answer: text(), model: text()}),
      setup: [bad()],
      stages: Array.from({length: options.stages ?? 2}, bad),
      verdict: {kind: "failed", stages: [text(), text()]},
    });
  return record({
    attempts: [one(1), one(2)],
    request: {kind: "work", text: text()},
    base: {ref: text(), commit: "b".repeat(40), tree: "a".repeat(40)},
    session: {id: text(), ref: text(), resumed: true},
    showsPlan: true,
    plan: {...planWith(planned()), setup: [{...planned(), inputs: [], provides: []}]},
    publication: {kind: "parked", ref: text(), commit: "e".repeat(40), tree: "7".repeat(40)},
    notes: [{about: text(), text: text()}],
    failures:
      options.failures === false
        ? []
        : [
            {kind: "push-refused", ref: text(), message: text()},
            {kind: "config-invalid", file: text(), mistakes: [{path: text(), message: text(), hint: text()}]},
            {kind: "agent-broke", end: {kind: "model-failed", message: text()}},
          ],
  });
}

describe("the checker", () => {
  it.each([
    "@octocat",
    "#12",
    "octo/parser#12",
    "GH-12",
    "deadbeef0123",
    "GHSA-xxxx-yyyy",
    "https://evil.example",
    "<https://evil.example>",
    "x@evil.example",
    "www.evil.example",
    "![x](i.png)",
    "[x](y)",
    "a <b>x</b>",
    "<!-- hidden -->",
    "&#64;octocat",
    "\\@octocat",
    "[x]: https://evil.example",
    "a\u202eb",
    "```mermaid\nx\n```",
    "[^1]\n\n[^1]: note",
    "<details>\n<summary>@octocat</summary>",
  ])("sees that %j is live when nobody escapes it", (text) => {
    expect(liveThings(text)).not.toEqual([]);
  });

  it.each([
    ["an open fold", (report: string) => report.replace(/<\/details>\s*$/, "")],
    ["an open fence", (report: string) => report.replace("<details>", "```\n<details>")],
    ["a broken cell", (report: string) => report.replace("| test |", "| te | st |")],
    ["a lost table", (report: string) => report.replace("|---|---|---|--:|\n", "")],
    ["a lost verdict", (report: string) => report.replace("**✅", "✅")],
    ["half a character", (report: string) => report.replace("empty", "\ud83d")],
  ])("sees %s", (_name, damage) => {
    const report = renderReport(record());
    expect(misshapen(report, {rows: true})).toEqual([]);
    expect(misshapen(damage(report), {rows: true})).not.toEqual([]);
  });
});

describe("foreign text", () => {
  it.each(ATTACKS.map((text) => [text] as const))("%j is inert wherever it stands", (text) => {
    const places = [
      answerMarkdown(text),
      inline(text),
      `x ${inline(text)}`,
      `| a |\n|---|\n| ${inline(text, {table: true})} |`,
      `| a |\n|---|\n| ${codeSpan(text, {table: true})} |`,
      fence(text),
      codeSpan(text),
    ];
    expect(places.flatMap(liveThings)).toEqual([]);
    expect(liveThings(`<details>\n<summary>${htmlLine(text)}</summary>`)).toEqual([]);
  });

  it(`is inert in the agent's answer, in a cell and in a sentence (${CASES} random texts)`, () => {
    for (let seed = 0; seed < CASES; seed++) {
      const random = seeded(seed);
      const text = foreignText(random, 14);
      const found = liveThings(
        [
          answerMarkdown(text),
          inline(text),
          `| a | b |\n|---|---|\n| ${inline(text, {table: true})} | ${codeSpan(text, {table: true})} |`,
          fence(text),
        ].join("\n\n"),
      );
      expect(found, `seed ${seed}: ${JSON.stringify(text)}`).toEqual([]);
    }
  }, 120_000);

  it(`leaves a whole report inert and in shape (${CASES / 10} random records)`, () => {
    for (let seed = 0; seed < CASES / 10; seed++) {
      const random = seeded(seed + 1_000_000);
      const report = renderReport(hostile(() => foreignText(random, 8)));
      expect([liveThings(report), misshapen(report, {rows: true})], `seed ${seed}`).toEqual([[], []]);
    }
  }, 120_000);

  it("is never cut in the middle of a character", () => {
    for (let max = 0; max < 12; max++) {
      const cut = clip("a😀b😀c😀", max);
      expect(cut).not.toMatch(/[\ud800-\udfff]/u);
      expect(cut.length).toBeLessThanOrEqual(Math.max(1, max));
    }
    expect(clip("a😀", 3)).toBe("a😀");
  });

  it("keeps what an answer is made of", () => {
    const kept = "Done.\n\n- one **bold** `a|b`\n  - two\n\n1. first\n\n> quote\n\n```ts\nconst a = 1;\n```";
    expect(answerMarkdown(kept)).toBe(kept);
    expect(quotedAnswer(kept)).toContain("> - one **bold** `a|b`\n>   - two\n>\n> 1. first");
  });

  it("keeps a table readable as code, and shows the characters of a heading and a task", () => {
    expect(quotedAnswer("| a | b |\n|---|---|\n| 1 | 2 |")).toBe("> ```\n> | a | b |\n> |---|---|\n> | 1 | 2 |\n> ```");
    const text = parse(quotedAnswer("# ✅ Verified\n\n- [x] verified by Assay"));
    expect(JSON.stringify(text)).toContain('"# (check mark) Verified"');
    expect(JSON.stringify(text)).toContain('"[x] verified by Assay"');
  });

  it(`cannot look like a part of the report (${CASES} random answers)`, () => {
    for (let seed = 0; seed < CASES; seed++) {
      const random = seeded(seed);
      const piece = () => IMITATIONS[Math.floor(random() * IMITATIONS.length)] ?? "";
      const text = Array.from({length: 6}, () => piece() + foreignText(random, 2)).join("");
      expect(imitations(quotedAnswer(text)), `seed ${seed}: ${JSON.stringify(text)}`).toEqual([]);
    }
  }, 120_000);

  it.each(IMITATIONS.map((text) => [text] as const))("%j is seen for what it is, and does not come through", (text) => {
    expect(imitations(`> ${text.replaceAll("\n", "\n> ")}`)).not.toEqual([]);
    expect(imitations(quotedAnswer(text))).toEqual([]);
    const shown = renderReport(record({attempts: [attempt({turn: turn({answer: text})})]}));
    expect(shown.indexOf("**✅")).toBeLessThan(shown.indexOf("The agent's answer"));
  });

  it("keeps a pipe in a cell one pipe, in code and outside", () => {
    expect(codeSpan("a | b", {table: true})).toBe("`a \\| b`");
    expect(inline("a | b", {table: true})).toBe("a &#124; b");
  });

  it("loses what acts in a title or a commit's subject", () => {
    expect(plainLine("Fixes #12 for @octocat [skip ci]\nsecond https://x.example", 80)).toBe(
      "Fixes 12 for octocat (skip ci) second https x.example",
    );
    for (let seed = 0; seed < CASES; seed++) {
      const line = plainLine(foreignText(seeded(seed), 10), 90);
      expect(line).not.toMatch(/(?<!\w)@\w|#\d|\bGH-\d|:\/\/|\[skip ci\]|\n/i);
      expect(line.length).toBeLessThanOrEqual(90);
    }
    expect(plainLine("[skip[skip ci] ci]", 80)).not.toMatch(/\[skip ci\]/);
    const words = ["[skip ci]", "[ci skip]", "[no ci]", "[skip actions]", "[actions skip]", "***NO_CI***"];
    for (const word of words) expect(plainLine(`Add products ${word}`, 80)).not.toContain(word);
  });

  it("is inert in progress, refusals, help and pull requests", () => {
    for (let seed = 0; seed < CASES / 15; seed++) {
      const random = seeded(seed);
      const text = () => foreignText(random, 6);
      const marker = {run: text(), session: text()};
      const bodies = [
        ...hostileProgress(text).map((state) => renderLiveProgress({state, nowMs: 5_000, marker, runUrl: text()})),
        renderRefusal({marker, line: text()}),
        renderHelp({marker, phrase: text()}),
        renderPullRequest({...hostile(text), thread: null}).body,
        renderPullRequest(record(), {stat: [text(), text(), text()].map((path) => ({path, added: 1, removed: null}))})
          .body,
      ];
      // This one is Assay's own.
      const live = bodies.flatMap(liveThings).filter((one) => !one.startsWith('reference in "Closes #'));
      expect(live, `seed ${seed}`).toEqual([]);
    }
  }, 60_000);
});

describe("size", () => {
  const sizes = [SMALLEST, 12_000, 20_000, 33_333, 60_000];

  it("always fits, stays in shape, and keeps verdict and table", () => {
    for (let seed = 0; seed < CASES / 50; seed++) {
      const random = seeded(seed);
      const pad = (text: string) => text + "😀`|<".repeat(Math.floor(random() ** 4 * 20_000));
      const big = hostile(() => pad(foreignText(random, 30)), {stages: 1 + Math.floor(random() * 60)});
      const size = sizes[seed % sizes.length] ?? SMALLEST;
      const report = renderReport(big, {maxChars: size});
      expect(report.length, `seed ${seed}`).toBeLessThanOrEqual(size);
      expect([liveThings(report), misshapen(report, {rows: true})], `seed ${seed}`).toEqual([[], []]);
    }
  }, 120_000);

  it("says what it left out, and shows what failed first", () => {
    const stages = [
      ...Array.from({length: 300}, (_, at) => stage({name: `green-${at}`})),
      stage({name: "red", outcome: "failed", failureKind: "code", reason: "exit code 1"}),
    ];
    const report = renderReport(
      record({
        attempts: [
          attempt({stages, turn: turn({answer: "word ".repeat(100_000)}), verdict: {kind: "failed", stages: ["red"]}}),
        ],
      }),
    );
    expect(report.length).toBeLessThanOrEqual(60_000);
    expect(report).toMatch(/…and \d+ more/);
    expect(report).toContain("The answer is cut here: its 500000 characters");
    expect(report).toContain("| ❌ | red |");
  });

  it("renders a megabyte of each attack in less than 200 ms", () => {
    for (const text of [...everyNth(ATTACKS, 5), "a", "word @octocat `x` [l](u) #1\n", `${"`".repeat(3000)} `]) {
      const megabyte = text.repeat(Math.ceil(1_000_000 / text.length));
      const big = record({
        attempts: [
          attempt({
            turn: turn({answer: megabyte}),
            stages: [stage({outcome: "failed", reason: megabyte, command: megabyte, excerpt: megabyte})],
          }),
        ],
      });
      const best = cpuTime(() => renderReport(big), {enough: 200});
      expect(best, JSON.stringify(text.slice(0, 20))).toBeLessThan(200);
    }
  }, 120_000);
});

describe("the reply that ends a run", () => {
  const reply = {marker: "<!-- assay:notice=1 -->", report: "https://github.com/a/b/issues/1#issuecomment-2"};
  const pullRequest = {number: 7, url: "https://github.com/a/b/pull/7"};

  it("mentions the requester only, and links the results", () => {
    const headline = "✅ Verified. Gate change approved by @otto";
    const body = renderReply({...reply, requester: "ada", headline, pullRequest});
    expect(body.split("\n")[1]).toMatch(
      /^@ada \*\*✅ Verified\. Gate change approved by `@otto`\*\* · \[pull request 7\]/,
    );
  });

  it.each(["octo[bot]", "ada @otto", "ada\n@all", "a/team"])("mentions nobody for %j", (requester) => {
    expect(renderReply({...reply, requester, headline: "✅ Verified", pullRequest: null})).not.toContain("@");
  });
});
