/** The timeline of the job summary in the real Mermaid: it draws each bar, with the name as it was. */
import {spawnSync} from "node:child_process";
import {existsSync, mkdirSync, readFileSync} from "node:fs";
import {homedir} from "node:os";
import {join} from "node:path";
import {expect, test} from "vitest";
import {timelinePart} from "../../src/report/timeline.ts";
import {HOSTILE_NAMES} from "../unit/report/hostile-names.ts";
import {attempt, record, stage} from "../unit/report/records.ts";
import {findChromium, startChromium} from "./chromium.ts";
import {evaluate} from "./page.ts";

const VERSION = "11.17.2";
const program = findChromium();
const reason = program === null ? " (no Chromium: set ASSAY_CHROMIUM or install it)" : "";

/** Installed once, outside of the checkout, because it is larger than all other packages of the tests. */
function mermaid(): string {
  const folder = join(homedir(), ".cache/assay-test-tools", `mermaid-${VERSION}`);
  const file = join(folder, "node_modules/mermaid/dist/mermaid.min.js");
  if (existsSync(file)) return readFileSync(file, "utf8");
  mkdirSync(folder, {recursive: true});
  const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--prefix", folder];
  const {status, stderr} = spawnSync("npm", ["install", ...flags, `mermaid@${VERSION}`], {encoding: "utf8"});
  if (status !== 0) throw new Error(`Mermaid cannot be installed: ${stderr}`);
  return readFileSync(file, "utf8");
}

test.skipIf(program === null)(`Mermaid draws names as they are${reason}`, async () => {
  const names = HOSTILE_NAMES.filter((name) => name !== "");
  const stages = names.map((name, index) => stage({name, startedMs: index * 1000, durationMs: 900}));
  const chart = /```mermaid\n([^`]*)```/.exec(timelinePart(record({attempts: [attempt({stages})]})))?.[1] ?? "";
  await using browser = await startChromium(program ?? "");
  await evaluate(browser.call, `${mermaid()}; mermaid.initialize({securityLevel: "strict"}); ""`);
  const draw = (text: string) =>
    evaluate(
      browser.call,
      `mermaid.render("chart", ${JSON.stringify(text)}).then(({svg}) => {
        document.body.innerHTML = svg;
        const texts = [...document.querySelectorAll(".taskText, .taskTextOutsideRight, .taskTextOutsideLeft, .sectionTitle")];
        return JSON.stringify({texts: texts.map((one) => one.textContent), others: document.querySelectorAll("img, a, script").length});
      })`,
    );
  const {texts, others} = JSON.parse(String(await draw(chart)));
  const shown = names.map((name) => `✅ ${name.replace(/\p{C}+/gu, " ")}`.replace(/\s+/g, " ").trim());
  expect(texts.map((text: string) => text.replace(/\s+/g, " ").trim())).toEqual(
    expect.arrayContaining(["🤖 Agent", "Attempt 1", ...shown]),
  );
  expect(others).toBe(0);
  await expect(draw("gantt\ndateFormat x\nsection A\n✅ a:b :done, 0, 1ms")).resolves.not.toContain("a:b");
});
