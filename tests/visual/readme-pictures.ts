/** Writes the pictures of the README, a verified and a failed run: `npm run pictures`. It needs Chromium. */
import {mkdirSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import type {RunRecord} from "../../src/record/record.ts";
import {renderReport} from "../../src/report/markdown.ts";
import {attempt, lint, record, stage, turn, typecheck} from "../unit/report/records.ts";
import {findChromium, startChromium} from "./chromium.ts";
import {htmlPage, pictureOf, SCHEMES, type Surface, showPage} from "./page.ts";
import {comment, scene} from "./reports.ts";
import {smallPng} from "./small-png.ts";

const folder = join(import.meta.dirname, "../../docs/pictures");
/** They are in every clone of the repository. */
const MAX_BYTES = 120_000;
const VIEW = {width: 760, scale: 1.5};

const REQUEST = "An empty value should stay an empty string";
const request: Surface = {header: "<b>octocat</b> commented", markdown: `/assay ${REQUEST}`, isComment: true};
const answer = (text: string) => turn({answer: text});
const passed = stage({tests: {passed: 42, failed: 0, skipped: 0}});
const failed = stage({
  ...{outcome: "failed", failureKind: "code", reason: "exit code 1", exit: {kind: "exited", code: 1}},
  tests: {passed: 41, failed: 1, skipped: 0},
  excerpt: "AssertionError: expected undefined to be 'none'",
  diagnostics: [
    {
      tool: "vitest",
      ...{
        file: "tests/options.test.ts",
        path: "tests/options.test.ts",
        line: 21,
        testId: "options > reads a flag without a value",
      },
      message: "expected undefined to be 'none'",
      severity: "error",
    },
  ],
});

const RUNS: Readonly<Record<string, RunRecord>> = {
  verified: record({
    publication: scene("verified-first-try").publication,
    attempts: [
      attempt({
        stages: [typecheck, lint, passed],
        turn: answer("`parse` returns an empty string for an empty value now. I added a test for it."),
      }),
    ],
  }),
  failed: record({
    publication: scene("parked-failed").publication,
    attempts: [1, 2].map((number) =>
      attempt({
        number,
        stages: [typecheck, lint, failed],
        turn: answer(
          "`parse` is changed, but `options` relies on the old value. I could not find out which of the two is wanted.",
        ),
        verdict: {kind: "failed", stages: ["test"]},
      }),
    ),
  }),
};

const program = findChromium();
if (program === null) throw new Error("There is no Chromium: set ASSAY_CHROMIUM or install it.");
mkdirSync(folder, {recursive: true});
await using browser = await startChromium(program);
for (const [name, run] of Object.entries(RUNS)) {
  const html = htmlPage([request, comment(renderReport(run))]);
  for (const scheme of SCHEMES) {
    await showPage(browser, {html, scheme, ...VIEW});
    const picture = smallPng(await pictureOf(browser));
    if (picture.length > MAX_BYTES) throw new Error(`${name}-${scheme} has ${picture.length} bytes`);
    writeFileSync(join(folder, `${name}-${scheme}.png`), picture);
    console.log(`docs/pictures/${name}-${scheme}.png: ${picture.length} bytes`);
  }
}
