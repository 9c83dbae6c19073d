/** The site of the documentation in a real browser: readable at two widths in both schemes, and its search with the keyboard alone. */
import {execFileSync} from "node:child_process";
import {mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {pathToFileURL} from "node:url";
import {afterAll, beforeAll, describe, expect, it} from "vitest";
import {type Browser, findChromium, startChromium} from "./chromium.ts";
import {complaintsOf, evaluate, openPage, pictureOf, press, SCHEMES, WIDTHS} from "./page.ts";

const program = findChromium();
const reason = program === null ? " (no Chromium: set ASSAY_CHROMIUM or install it)" : "";
const root = new URL("../..", import.meta.url).pathname;
const site = mkdtempSync(join(tmpdir(), "assay-site-"));
execFileSync(process.execPath, [join(root, "scripts/site.mjs"), site]);
const pages = readdirSync(site).filter((name) => name.endsWith(".html"));
const pictures = join(import.meta.dirname, "pictures");
const PHONE = {width: 390, scheme: "light"} as const;
const [TAB, ENTER, ESCAPE, UP, DOWN] = [9, 13, 27, 38, 40];

describe.skipIf(program === null)(`in Chromium${reason}`, () => {
  let browser: Browser;
  const urlOf = (file: string) => pathToFileURL(join(site, file)).href;
  const see = (expression: string) => evaluate(browser.call, expression);
  const type = async (text: string) => {
    for (const key of text) await press(browser, key);
  };
  beforeAll(async () => {
    mkdirSync(pictures, {recursive: true});
    browser = await startChromium(program ?? "");
  });
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
    rmSync(site, {recursive: true});
  });

  it.each(pages)("%s is readable", async (file) => {
    for (const width of WIDTHS)
      for (const scheme of SCHEMES) {
        await openPage(browser, {url: urlOf(file), width, scheme});
        expect(await complaintsOf(browser), `${width}, ${scheme}`).toEqual([]);
        const name = `site-${file.replace(".html", "")}-${width}-${scheme}.png`;
        writeFileSync(join(pictures, name), await pictureOf(browser));
      }
  });

  it("is searched with the keyboard, and Enter opens the first section", async () => {
    await openPage(browser, {url: urlOf("index.html"), ...PHONE});
    await type("/key proxy");
    expect(await see("document.querySelector('[role=status]').textContent")).toMatch(/^\d+ sections$/);
    expect(await see("document.querySelector('#results a').textContent")).toBe("Key proxy Agents");
    // The list covers the text.
    expect((await complaintsOf(browser)).filter((one) => !one.startsWith("overlap"))).toEqual([]);
    await press(browser, "Enter", ENTER);
    await expect.poll(() => see("location.href")).toBe(`${urlOf("agents.html")}#key-proxy`);
    const isInView = "document.querySelector('#key-proxy')?.getBoundingClientRect().top < innerHeight";
    await expect.poll(() => see(isInView)).toBe(true);
  });

  it("moves between the field and the results with the arrows, and Escape ends the search", async () => {
    await openPage(browser, {url: urlOf("agents.html"), ...PHONE});
    await type("/sandbox");
    const focused = "document.activeElement.tagName";
    await press(browser, "ArrowDown", DOWN);
    await press(browser, "ArrowDown", DOWN);
    expect(await see(focused)).toBe("A");
    await press(browser, "ArrowUp", UP);
    await press(browser, "ArrowUp", UP);
    expect(await see(focused)).toBe("INPUT");
    await press(browser, "Escape", ESCAPE);
    expect(await see("[document.querySelector('#results').hidden, document.querySelector('#search').value]")).toEqual([
      true,
      "",
    ]);
    await type("zebra");
    expect(await see("document.querySelector('[role=status]').textContent")).toBe("0 sections");
  });

  it("has a first stop that skips the menu", async () => {
    await openPage(browser, {url: urlOf("index.html"), ...PHONE});
    await press(browser, "Tab", TAB);
    expect(await see("document.activeElement.textContent")).toBe("Skip to the text");
    await press(browser, "Enter", ENTER);
    await expect.poll(() => see("document.activeElement.id")).toBe("content");
  });

  it("shows a text of a page as text", async () => {
    await openPage(browser, {url: urlOf("index.html"), ...PHONE});
    await type("/picture");
    expect(await see("document.querySelectorAll('#results img, #results script').length")).toBe(0);
  });
});
