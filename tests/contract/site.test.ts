/** The static site of the documentation: every link and picture of it is there, and the search knows every section. */
import {execFileSync} from "node:child_process";
import {existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {afterAll, expect, test} from "vitest";

const root = new URL("../..", import.meta.url).pathname;
const site = mkdtempSync(join(tmpdir(), "assay-site-"));
execFileSync(process.execPath, [join(root, "scripts/site.mjs"), site]);
afterAll(() => rmSync(site, {recursive: true}));

const read = (file: string) => readFileSync(join(site, file), "utf8");
const attributes = (html: string, names: string) =>
  [...html.matchAll(new RegExp(` (?:${names})="([^"]*)"`, "g"))].map(([, value = ""]) => value);
const isDead = (file: string, url: string) => {
  const [path = "", anchor] = url.split("#");
  const target = path === "" ? file : path;
  if (!existsSync(join(site, target))) return true;
  return anchor !== undefined && !attributes(read(target), "id").includes(anchor);
};
const deadLinks = (file: string) =>
  attributes(read(file), "href|src|srcset").filter((url) => !/^https?:/.test(url) && isDead(file, url));
const pages = readdirSync(site).filter((name) => name.endsWith(".html"));

test.each(pages)("every link of %s leads to a page, a heading or a picture", (file) => {
  expect(deadLinks(file)).toEqual([]);
});

test("a dead page, a dead heading and a dead picture are found", () => {
  writeFileSync(
    join(site, "wrong.html"),
    '<h1 id="a"> <a href="gone.html"> <a href="#a"> <a href="index.html#gone"> <img src="gone.png">',
  );
  expect(deadLinks("wrong.html")).toEqual(["gone.html", "index.html#gone", "gone.png"]);
});

test("each page for users is a page of the site, and other files are linked on the server", () => {
  const sources = readdirSync(join(root, "docs")).filter((name) => name.endsWith(".md"));
  expect(pages).toEqual(expect.arrayContaining(sources.map((name) => name.replace(".md", ".html"))));
  const links = pages.flatMap((file) => attributes(read(file), "href"));
  expect(links).toContain("https://github.com/assay-run/assay/blob/main/docs/workflows/assay.yml");
  expect(links.filter((url) => /\.md(?:$|#)/.test(url) && !url.startsWith("https:"))).toEqual([]);
});

test("the search has a section for each heading", () => {
  const sections: {url: string}[] = JSON.parse(/^const SECTIONS = (.*);$/m.exec(read("index.js"))?.[1] ?? "[]");
  const headings = pages.flatMap((file) =>
    [...read(file).matchAll(/<h[1-3] id="([^"]+)"/g)].map(([, id]) => `${file}#${id}`),
  );
  expect(sections.map(({url}) => url).sort()).toEqual(headings.filter((url) => !url.startsWith("wrong")).sort());
  expect(sections.length).toBeGreaterThan(100);
});
