/** The terminal recording of the README comes from a real run, and a browser draws it. */
import {readFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {pathToFileURL} from "node:url";
import {expect, test} from "vitest";
import {findChromium, startChromium} from "./chromium.ts";
import {evaluate, openPage} from "./page.ts";
import {recordVerify} from "./record-terminal.ts";
import {framesOf} from "./terminal-svg.ts";

const program = findChromium();
const reason = program === null ? " (no Chromium: set ASSAY_CHROMIUM or install it)" : "";
const SHOWN = join(import.meta.dirname, "../../docs/pictures/verify.svg");
/** It is in every clone of the repository. */
const MAX_BYTES = 100_000;

const linesOf = (svg: string) =>
  [...(/<g id="f\d+" class="last">(.*)<\/g>/.exec(svg)?.[1] ?? "").matchAll(/<text[^>]*>(.*?)<\/text>/g)].map(
    ([, line = ""]) =>
      line.replace(/<[^>]*>/g, "").replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code))),
  );
/** Without what differs from run to run. */
const steady = (svg: string) =>
  linesOf(svg).map((line) => line.replace(/\d+\.\d s|tree \w+/g, "…").replace(/\s+/g, " "));

test("a new run shows what the README shows: the broken test, and the verified fix", () => {
  const svg = recordVerify();
  const text = linesOf(svg).join("\n");
  expect(text).toMatch(/^\$ assay verify\n❌ +test +[\d.]+ s +1 of 2 tests failed[\s\S]*tests\/total\.test\.js:5:1/);
  expect(text).toMatch(/❌ [\s\S]*\$ assay verify\n[\s\S]*✅ Verified · /);
  expect(svg.length).toBeLessThan(MAX_BYTES);
  expect(svg).not.toContain(tmpdir());
  expect(steady(svg)).toEqual(steady(readFileSync(SHOWN, "utf8")));
});

test("a text that comes in pieces is drawn once, and an unknown code is a failure", () => {
  const frames = framesOf([
    {seconds: 0, text: "one\r\n\u001b[32mt"},
    {seconds: 1, text: "wo\u001b[39m\r\n\u001b[1A\u001b[Jthr"},
    {seconds: 0.01, text: "ee\r\n"},
  ]);
  expect(frames.map(({lines}) => lines.map((spans) => spans.map(({text}) => text).join("")))).toEqual([
    ["one", "t"],
    ["one", "three", ""],
  ]);
  expect(() => framesOf([{seconds: 0, text: "\u001b[2Z"}])).toThrow("unknown code");
});

test.skipIf(program === null)(`a browser draws it, in a frame at a time${reason}`, async () => {
  await using browser = await startChromium(program ?? "");
  await openPage(browser, {url: pathToFileURL(SHOWN).href, width: 800, scheme: "dark"});
  const visible = `[...document.querySelectorAll("g")].filter((one) => getComputedStyle(one).opacity === "1").length`;
  expect(await evaluate(browser.call, visible)).toBe(1);
  const isInside = `[...document.querySelectorAll("text")].every((one) => one.getBBox().x + one.getBBox().width <= innerWidth)`;
  expect(await evaluate(browser.call, isInside)).toBe(true);
});
