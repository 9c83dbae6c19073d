/** Each kind of report in a real browser: readable at two widths, in both colour schemes, folded and unfolded. */
import {mkdirSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {afterAll, beforeAll, describe, expect, it} from "vitest";
import {type Browser, findChromium, startChromium} from "./chromium.ts";
import {complaintsOf, htmlPage, pictureOf, SCHEMES, showPage, unfold, WIDTHS} from "./page.ts";
import {comment, REPORTS, VERDICTS_SHOWN} from "./reports.ts";
import {decode, smallPng} from "./small-png.ts";

const program = findChromium();
const reason = program === null ? " (no Chromium: set ASSAY_CHROMIUM or install it)" : "";
const folder = join(import.meta.dirname, "pictures");
const views = WIDTHS.flatMap((width) => SCHEMES.map((scheme) => ({width, scheme})));

it("every verdict has its picture", () => {
  expect(VERDICTS_SHOWN.filter((name) => REPORTS[name] === undefined)).toEqual([]);
});

it("finds the browser by its variable, or by its names in the PATH", () => {
  const folders = [process.execPath, "../.."].join(":");
  expect(findChromium({ASSAY_CHROMIUM: process.execPath})).toBe(process.execPath);
  expect(findChromium({ASSAY_CHROMIUM: join(folder, "gone"), PATH: process.env["PATH"]})).toBeNull();
  expect(findChromium({PATH: folders})).toBeNull();
});

describe.skipIf(program === null)(`in Chromium${reason}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    mkdirSync(folder, {recursive: true});
    browser = await startChromium(program ?? "");
  });
  afterAll(() => browser?.[Symbol.asyncDispose]());

  it.each(Object.entries(REPORTS))("%s is readable", async (name, surface) => {
    const html = htmlPage([surface]);
    for (const view of views) {
      const where = `${name}-${view.width}-${view.scheme}`;
      await showPage(browser, {html, ...view});
      expect(await complaintsOf(browser), where).toEqual([]);
      writeFileSync(join(folder, `${where}.png`), await pictureOf(browser));
      await unfold(browser);
      expect(await complaintsOf(browser), `${where}, unfolded`).toEqual([]);
      if (view.width === 390 && view.scheme === "light")
        writeFileSync(join(folder, `${where}-unfolded.png`), await pictureOf(browser));
    }
  });

  const verdict = "**✅ Verified** · [log](https://example.com)";
  const later = (html: string) => `${verdict}\n\n${html}`;
  it.each([
    ["sideways scrolling", later('<div style="width:500px;height:9px"></div>'), /^scrolls sideways by \d+ px$/],
    [
      "text that is cut off",
      later(`<div style="overflow:hidden;white-space:nowrap">${"long ".repeat(30)}</div>`),
      /^cut/,
    ],
    [
      "a first line in a box",
      `<p style="overflow:auto;white-space:nowrap">${"Verified ".repeat(20)}</p>`,
      /^first line not/,
    ],
    ["a first line far below", `<div style="height:900px"></div>\n\n${verdict}`, /^first line not/],
    ["no first line", "| a |\n|---|\n| b |", /^no first line$/],
    ["text on text", later('<p>one two</p><p style="margin-top:-36px">three</p>'), /^overlap: "one two" and "three"$/],
    ["faint text", later('<span style="color:#777a">faint</span>'), /^contrast \d\.\d: "faint"$/],
    ["a link without text", later("[](https://example.com/)"), /^a link without text: https:/],
  ])("the checks see %s", async (_name, markdown, complaint) => {
    for (const scheme of SCHEMES) {
      await showPage(browser, {html: htmlPage([comment(verdict)]), width: 390, scheme});
      expect(await complaintsOf(browser)).toEqual([]);
      await showPage(browser, {html: htmlPage([comment(markdown)]), width: 390, scheme});
      expect(await complaintsOf(browser)).toContainEqual(expect.stringMatching(complaint));
    }
  });

  it("a smaller picture has the same size and, nearly, the same colours", async () => {
    await showPage(browser, {html: htmlPage([comment(later("a | b"))]), width: 390, scheme: "dark"});
    const picture = await pictureOf(browser);
    const small = smallPng(picture);
    expect(small.length).toBeLessThan(picture.length);
    const [before, after] = [decode(picture), decode(small)];
    expect([after.width, after.height]).toEqual([before.width, before.height]);
    const isFar = (one: number, other: number) =>
      [16, 8, 0].some((bits) => Math.abs(((one >> bits) & 255) - ((other >> bits) & 255)) > 24);
    expect(before.colours.filter((colour, at) => isFar(colour, after.colours[at] ?? 0))).toHaveLength(0);
  });

  it("a table and code may scroll in their own box", async () => {
    const wide = `${later(`| ${"cell".repeat(60)} |\n|---|\n| a |`)}\n\n\`\`\`\n${"code ".repeat(60)}\n\`\`\``;
    await showPage(browser, {html: htmlPage([comment(wide)]), width: 390, scheme: "light"});
    expect(await complaintsOf(browser)).toEqual([]);
  });
});
