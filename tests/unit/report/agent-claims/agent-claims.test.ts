/** Sentences of agents' answers, compared with small changes and the checks that ran on them. */
import pc from "picocolors";
import {expect, it} from "vitest";
import {resultText} from "../../../../src/cli/reporters/result-text.ts";
import type {InspectedFile} from "../../../../src/integrity/source/inspected-change.ts";
import {findDoubts, type ObservedChange} from "../../../../src/report/agent-claims/find-doubts.ts";
import {renderReport} from "../../../../src/report/markdown.ts";
import {loadGrammars} from "../../../../src/test-code/grammars.ts";
import {record, stage} from "../records.ts";
import {FIRST_FALSE, FIRST_TRUE} from "./first-sentences.ts";
import {SECOND_FALSE, SECOND_TRUE} from "./second-sentences.ts";
import {type Sentence, WORLDS, type World} from "./worlds.ts";

const worlds: readonly World[] = Object.values(WORLDS);
await loadGrammars(worlds.flatMap(({files}) => Object.keys(files)));

const doubtsOf = ({world, text}: Sentence) => findDoubts(text, observe(WORLDS[world]));

function observe({files, checks, actions}: World): ObservedChange {
  return {
    files: Object.entries(files).map(([path, {before = null, after = null, from}]): InspectedFile => {
      const status =
        from !== undefined ? "renamed" : before === null ? "added" : after === null ? "deleted" : "modified";
      return {path, basePath: from ?? path, status, before, after, isExecutable: false};
    }),
    isWhole: true,
    stages: checks.map(([name, kind, command, outcome, counts]) => {
      const [passed = 0, failed = 0, skipped = 0] = counts ?? [];
      return stage({name, kind, command, outcome, tests: counts === undefined ? null : {passed, failed, skipped}});
    }),
    actions,
  };
}

it("doubts at most 2 of 80 sentences that are so", () => {
  const sentences = [...FIRST_TRUE, ...SECOND_TRUE];
  expect(sentences).toHaveLength(80);
  expect(sentences.filter((one) => doubtsOf(one).length > 0).length).toBeLessThanOrEqual(2);
});

it("doubts at least 60 of 80 sentences that are not so", () => {
  const sentences = [...FIRST_FALSE, ...SECOND_FALSE];
  expect(sentences).toHaveLength(80);
  expect(sentences.filter((one) => doubtsOf(one).length > 0).length).toBeGreaterThanOrEqual(60);
});

it("says what was observed, and does not judge the agent", () => {
  const observed = (text: string, world: keyof typeof WORLDS) => doubtsOf({world, text}).map((one) => one.observed);
  expect(observed("I updated `src/format.js`.", "calc")).toEqual(["The change does not touch `src/format.js`."]);
  expect(observed("I ran `cargo bench`.", "lexer")).toEqual([
    "No check ran `cargo bench`, and no recorded command of the agent starts `cargo`.",
  ]);
  expect(observed("All tests pass.", "store")).toEqual(["The check `test` failed: 2 of 43 tests."]);
});

it("leaves a sentence alone if nothing is known about it", () => {
  const unknown = {...observe(WORLDS.calc), isWhole: false, stages: [], actions: undefined};
  const answer = "All 99 tests pass. I ran `cargo bench`. Added `isFiniteNumber`. Added 7 tests.";
  expect(findDoubts(answer, unknown)).toEqual([]);
});

it("leaves a named error, an exception and earlier problems alone", () => {
  const answer =
    "Fixed `TypeError` in the parser. Everything passes except the slow one. `npm test` reports no new errors.";
  expect(findDoubts(answer, observe(WORLDS.store))).toEqual([]);
});

// Of the processor, which other tests share: text put together in quadratic time takes minutes.
it("leaves code, quotes of commands and questions alone, and stays fast", () => {
  const change = observe(WORLDS.calc);
  expect(findDoubts("```\nUpdated `src/format.js`.\n```", change)).toEqual([]);
  expect(findDoubts("Next steps:\n- Update `src/format.js`", change)).toEqual([]);
  const long = "Updated and changed and added the ".repeat(20_000);
  const start = process.cpuUsage();
  findDoubts(`${long}\n\n${"`a`, ".repeat(20_000)}\n\n${"Updated the big and new file. ".repeat(5_000)}`, change);
  findDoubts(`${"Updated the big new file with a new test and ".repeat(7)}.\n\n`.repeat(400), change);
  expect(process.cpuUsage(start).user / 1000).toBeLessThan(5_000);
});

it("stays fast on rows of marks, on long names and on a long change", () => {
  const marks = "-.`".split("").map((mark) => `Added \`\` ${mark.repeat(50_000)} a \`\`\n\n${mark.repeat(50_000)}\n\n`);
  const after = Array.from({length: 20_000}, (_, i) => `const value${i} = read(${i});`).join("\n");
  const files = [{path: "a.js", basePath: "a.js", status: "modified", before: "", after, isExecutable: false} as const];
  const start = process.cpuUsage();
  findDoubts(`${marks.join("")}Updated \`${"a".repeat(50_000)}%\`.`, observe(WORLDS.calc));
  findDoubts("Added `value1` and `read` to `a.js`, and 3 tests.\n".repeat(400), {files, isWhole: true, stages: []});
  expect(process.cpuUsage(start).user / 1000).toBeLessThan(8_000);
});

it("shows the doubts in a comment and a terminal, with foreign text made harmless", () => {
  const doubts = [{claim: "Updated `a|b` for @ada", observed: "The change does not touch `a|b`."}];
  const row =
    "| The agent's answer | Observed |\n|---|---|\n| Updated `a\\|b` for `@ada` | The change does not touch `a\\|b`. |";
  expect(renderReport(record({doubts}))).toContain(row);
  expect(renderReport(record())).not.toContain("Observed");
  const signed = [{claim: "✅ `npm test`", observed: "The check `test` failed."}];
  expect(renderReport(record({doubts: signed}))).not.toContain("✅ `npm test`");
  const text = resultText(record({doubts}), pc.createColors(false));
  expect(text).toContain(
    'do not agree with the change or the checks:\n  "Updated `a|b` for @ada": The change does not',
  );
});
