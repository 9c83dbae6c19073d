/** The page of a run in a real browser: readable at two widths and in both colour schemes, and it asks nobody for anything. */
import {mkdirSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {pathToFileURL} from "node:url";
import {afterAll, beforeAll, describe, expect, it} from "vitest";
import {runPage} from "../../src/report/page.ts";
import {attempt, lint, record, stage, turn, typecheck} from "../unit/report/records.ts";
import {SCENES} from "../unit/report/scenes.ts";
import {type Browser, findChromium, startChromium} from "./chromium.ts";
import {complaintsOf, evaluate, openPage, pictureOf, SCHEMES, unfold, WIDTHS} from "./page.ts";

const program = findChromium();
const reason = program === null ? " (no Chromium: set ASSAY_CHROMIUM or install it)" : "";
const folder = join(import.meta.dirname, "pictures");
const views = WIDTHS.flatMap((width) => SCHEMES.map((scheme) => ({width, scheme})));

const names = Array.from(
  {length: 40},
  (_, at) => `parse > reads value ${at} of a very long and quite wordy description`,
);
const tested = stage({
  ...{tests: {passed: 40, failed: 1, skipped: 1}, startedMs: 9_000, outcome: "failed", failureKind: "code"},
  reported: {
    ...{tool: "vitest", counts: {passed: 40, failed: 1, skipped: 1}},
    failed: [{file: "tests/parse.test.ts", name: null, title: `parse > ${"x".repeat(300)}`, message: ""}],
    others: names.map((title) => ({file: "tests/parse.test.ts", title, outcome: "passed" as const})),
  },
});
const timed = [
  {...typecheck, startedMs: 400},
  {...lint, startedMs: 3_700},
  {...tested, name: `test (${"very-".repeat(20)}long)`},
];
const RUNS = {
  ...SCENES,
  everything: record({
    request: {
      kind: "work",
      text: "Read an empty value\n\n![picture](https://example.com/x.png)\n\n```\nlong ".concat("code ".repeat(60)),
    },
    attempts: [1, 2].map((number) => {
      const one = attempt({number, stages: timed, turn: turn()});
      const tools = [{name: "node", version: "24.1.0"}, ...names.map((name) => ({name, version: "1"}))];
      return {...one, verification: one.verification && {...one.verification, tools}};
    }),
  }),
};

describe.skipIf(program === null)(`in Chromium${reason}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    mkdirSync(folder, {recursive: true});
    browser = await startChromium(program ?? "");
  });
  afterAll(() => browser?.[Symbol.asyncDispose]());

  it.each(Object.entries(RUNS))("%s is readable", async (name, run) => {
    const file = join(folder, `page-${name}.html`);
    writeFileSync(file, runPage(run));
    for (const view of views) {
      const where = `page-${name}-${view.width}-${view.scheme}`;
      await openPage(browser, {url: pathToFileURL(file).href, ...view});
      expect(await complaintsOf(browser), where).toEqual([]);
      writeFileSync(join(folder, `${where}.png`), await pictureOf(browser));
      await unfold(browser);
      expect(await complaintsOf(browser), `${where}, unfolded`).toEqual([]);
      expect(await evaluate(browser.call, "performance.getEntriesByType('resource').length"), where).toBe(0);
    }
  });
});
