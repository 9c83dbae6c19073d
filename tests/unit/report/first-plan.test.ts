/** The plan in the first report: there when the record says so, bounded, inert, and the first to go where there is no room. */
import {expect, test} from "vitest";
import {renderReport} from "../../../src/report/markdown.ts";
import {planWith} from "../../rig/plans.ts";
import {record} from "./records.ts";

const TITLE = "Which checks run here, and why";

test("only a first report shows the plan", () => {
  const seen = record({plan: planWith({command: "npm run test:unit"})});
  expect(renderReport({...seen, showsPlan: true})).toContain(TITLE);
  expect(renderReport({...seen, showsPlan: true})).toContain("npm run test:unit");
  expect(renderReport({...seen, showsPlan: false})).not.toContain(TITLE);
  expect(renderReport(seen)).not.toContain(TITLE);
  expect(renderReport({...seen, plan: null, showsPlan: true})).not.toContain(TITLE);
});

test("a plan of a thousand stages is counted, and never crowds the verdict out", () => {
  const many = Array.from({length: 1000}, (_, i) => ({name: `p${i}:test`, command: `run ${"x".repeat(2000)}`}));
  const text = renderReport(record({plan: planWith(...many), showsPlan: true}));
  expect(text.length).toBeLessThanOrEqual(60_000);
  const short = renderReport(
    record({plan: planWith(...many.map((one) => ({...one, command: "make"}))), showsPlan: true}),
  );
  expect(short).toContain("…and 960 more");
});

test("what a repository says in its plan neither links, mentions nor ends the block", () => {
  const hostile = "`</details> @somebody [x](https://evil.example) | <img src=x>\n# Verified";
  const text = renderReport(record({plan: planWith({name: hostile, command: hostile}), showsPlan: true}));
  const block = text.slice(text.indexOf(TITLE));
  const outside = block.replace(/(`+)[^`](?:.*?[^`])?\1(?!`)/g, "");
  expect(outside).not.toMatch(/@somebody|evil\.example|<img/);
  expect(text).not.toMatch(/^# Verified/m);
});
