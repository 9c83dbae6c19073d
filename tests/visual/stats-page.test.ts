/** The page of `assay stats` in a real browser: readable at two widths and in both colour schemes, and it asks nobody for anything. */
import {mkdirSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {pathToFileURL} from "node:url";
import {afterAll, beforeAll, describe, expect, it} from "vitest";
import {statsPage} from "../../src/cli/stats/page.ts";
import {type PastRun, summarize} from "../../src/cli/stats/summarize.ts";
import {type Browser, findChromium, startChromium} from "./chromium.ts";
import {complaintsOf, evaluate, openPage, pictureOf, SCHEMES, WIDTHS} from "./page.ts";

const program = findChromium();
const reason = program === null ? " (no Chromium: set ASSAY_CHROMIUM or install it)" : "";
const folder = join(import.meta.dirname, "pictures");
const NOW = "2026-03-01T00:00:00Z";
const VERDICTS = ["verified", "verified", "verified", "failed", "unverified", "verified-with-preexisting", "tampered"];

const runs = Array.from({length: 70}, (_, at): PastRun => {
  const verdict = VERDICTS[at % VERDICTS.length] ?? "";
  return {
    ...{verdict, usd: at / 50, minutes: at / 10, isRound: at % 9 === 0},
    facts: {
      ...{attempts: 1 + (at % 3), failures: at % 11 === 0 ? ["agent-broke"] : [], why: "flaky"},
      checks: [
        [
          `test (${"packages/very-long-name/".repeat(2)})`,
          at % 5 === 0 ? "failed" : "passed",
          at % 5 === 0 ? "code" : "",
          at,
        ],
        ["lint", "passed", "", 3],
      ],
      flaky: at % 7 === 0 ? [`parse > ${"x".repeat(52)}`, "<b>writes & reads</b>"] : [],
      findings: at % 10 === 0 ? [["removed-tests", "block", 1]] : [],
    },
  };
});
const changes = Array.from({length: 30}, (_, at) => ({
  ...{number: at, mergedAt: "2026-01-15T00:00:00Z", closedAt: NOW, commits: [], isVerified: true},
  ...{isReverted: at === 3, isHotFixed: at === 4, isRed: at === 5},
}));
const stats = summarize({runs, changes, nowMs: Date.parse(NOW)});
const empty = summarize({runs: [], changes: [], nowMs: Date.parse(NOW)});
const names = ["parser", "a-very-long-name-of-a-repository-that-somebody-chose", "web"];
const repositories = names.map((name) => ({repository: `octo/${name}`, ...stats}));
const since = "2025-12-01T00:00:00Z";
const PAGES = {
  owner: statsPage({title: "octo", since, stats, repositories}),
  repository: statsPage({title: "octo/parser", since, stats, repositories: []}),
  empty: statsPage({title: "octo/new", since, stats: empty, repositories: []}),
};

describe.skipIf(program === null)(`in Chromium${reason}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    mkdirSync(folder, {recursive: true});
    browser = await startChromium(program ?? "");
  });
  afterAll(() => browser?.[Symbol.asyncDispose]());

  it.each(Object.entries(PAGES))("the figures of %s are readable", async (name, page) => {
    const file = join(folder, `stats-${name}.html`);
    writeFileSync(file, page);
    for (const view of WIDTHS.flatMap((width) => SCHEMES.map((scheme) => ({width, scheme})))) {
      const where = `stats-${name}-${view.width}-${view.scheme}`;
      await openPage(browser, {url: pathToFileURL(file).href, ...view});
      expect(await complaintsOf(browser), where).toEqual([]);
      const scrolled =
        "[...document.querySelectorAll('table')].filter((one) => one.scrollWidth > one.clientWidth).length";
      if (view.width > 1000) expect(await evaluate(browser.call, scrolled), where).toBe(0);
      writeFileSync(join(folder, `${where}.png`), await pictureOf(browser));
      expect(await evaluate(browser.call, "performance.getEntriesByType('resource').length"), where).toBe(0);
    }
  });
});
