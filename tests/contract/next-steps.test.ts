/** Two competing next steps never appear in one report, in each state that a run can leave. */
import pc from "picocolors";
import {expect, test} from "vitest";
import {resultText} from "../../src/cli/reporters/result-text.ts";
import {renderReport} from "../../src/report/markdown.ts";
import {everyNth} from "../sweep.ts";
import {allWorlds} from "./report-worlds.ts";

/** The words of `RETRY`, of commands, and of a step in bold. */
const STEP =
  /\*\*Next:\*\*|\b[Cc]omments? (?:again|your request again|`\/)|(?:start the workflow|run the command) again|^\*\*[^*]+\*\* \[What this means\]/;

const withoutFolded = (report: string) => report.replace(/<details>[\s\S]*?<\/details>/g, "");
const stepsIn = (text: string) => text.split(/\n\n/).filter((paragraph) => STEP.test(paragraph));

const WORLDS = everyNth(allWorlds(), 3);

test("a comment names at most one next step", () => {
  const competing = WORLDS.map(({name, record}) => ({name, steps: stepsIn(withoutFolded(renderReport(record)))}));
  expect(competing.filter(({steps}) => steps.length > 1).slice(0, 3)).toEqual([]);
  // The pattern finds steps at all.
  expect(competing.filter(({steps}) => steps.length === 1).length).toBeGreaterThan(WORLDS.length / 3);
});

test("the terminal names at most one next step", () => {
  const colors = pc.createColors(false);
  const competing = WORLDS.map(({name, record}) => ({name, steps: stepsIn(resultText(record, colors))}));
  expect(competing.filter(({steps}) => steps.length > 1).slice(0, 3)).toEqual([]);
});
