/** The documentation holds together: links lead somewhere, pages open with their question, the README shows the real workflow. */
import {existsSync, readdirSync, readFileSync} from "node:fs";
import {basename, dirname, join, relative} from "node:path";
import {expect, test} from "vitest";
import {INTEGRITY_CHECK_NAMES} from "../../src/record/words.ts";
import {renderHelp} from "../../src/report/answers.ts";
import {COMMAND_WORDS} from "../../src/request/command.ts";
import {DEFAULT_PHRASE} from "../../src/request/default-phrase.ts";
import {type Node, parse} from "../unit/report/gfm.ts";

const root = new URL("../..", import.meta.url).pathname;
const pages = [
  ...["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"],
  ...readdirSync(join(root, "docs"), {recursive: true, encoding: "utf8"})
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];
const read = (path: string) => readFileSync(join(root, path), "utf8");

/** Everything below a node, itself included. */
function within(node: Node): Node[] {
  return [node, ...(node.children ?? []).flatMap(within)];
}

const textOf = (node: Node) =>
  within(node)
    .map((one) => one.value ?? "")
    .join("");

/** As GitHub makes them; the pages have no two headings alike. */
function anchorsOf(markdown: string): string[] {
  const headings = within(parse(markdown)).filter((node) => node.type === "heading");
  return headings.map((heading) =>
    textOf(heading)
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\p{M} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

/** Many links lead to the same page. */
const anchorsByPage = new Map<string, string[]>();
function anchors(markdown: string): string[] {
  const found = anchorsByPage.get(markdown) ?? anchorsOf(markdown);
  anchorsByPage.set(markdown, found);
  return found;
}

/** The relative links and pictures of a page that lead nowhere. */
function deadLinks(path: string, markdown: string): string[] {
  const links = within(parse(markdown)).flatMap(({type, url, value = ""}) =>
    type === "html" ? [...value.matchAll(/ src(?:set)?="([^"]*)"/g)].map(([, source = ""]) => source) : (url ?? []),
  );
  return links.filter((url) => {
    if (/^[a-z]+:/.test(url)) return false;
    const [file = "", anchor] = url.split("#");
    const target = file === "" ? path : join(dirname(path), file);
    const isOwn = target === path;
    if (relative("", target).startsWith("..") || !(isOwn || existsSync(join(root, target)))) return true;
    return anchor !== undefined && !anchors(isOwn ? markdown : read(target)).includes(anchor);
  });
}

test.each(pages)("every link of %s leads somewhere", (path) => {
  expect(deadLinks(path, read(path))).toEqual([]);
});

test("a dead file, a dead anchor and a way out of the repository are found", () => {
  const page = [
    "# One, `two` & three",
    "[a](gone.md) [b](#one-two--three) [c](outcomes.md#verdicts) [d](outcomes.md#verdict)",
    "![e](pictures/failed-dark.png) ![f](gone.png) [g](../../x) [h](https://example.com/gone)",
    '<picture>\n  <source srcset="gone-dark.png">\n  <img src="pictures/failed-light.png">\n</picture>',
  ].join("\n\n");
  expect(deadLinks("docs/page.md", page)).toEqual([
    ...["gone.md", "outcomes.md#verdict", "gone.png", "../../x", "gone-dark.png"],
  ]);
});

test.each(pages.filter((path) => path.startsWith("docs/")))("%s opens with the question that it answers", (path) => {
  expect(read(path)).toMatch(/^# .+\?\n\n\S/);
});

test("the changelog is for reading: short lines, and each of them once", () => {
  const lines = read("CHANGELOG.md").split("\n").filter(Boolean);
  expect(lines.filter((line) => line.length > 140)).toEqual([]);
  expect(lines.filter((line, at) => lines.indexOf(line) < at)).toEqual([]);
});

/** As `wc -w` counts them, the bars of tables included. */
const wordsOf = (paths: readonly string[]) =>
  paths.map((path) => read(path).split(/\s+/).filter(Boolean).length).reduce((sum, words) => sum + words, 0);

test("the pages for users have at most 20,000 words, and none of them is a book", () => {
  const notForUsers = /^(?:CONTRIBUTING|CHANGELOG)\.md$|^docs\/internals\//;
  const forUsers = pages.filter((path) => !notForUsers.test(path));
  expect(forUsers.length).toBeGreaterThan(60);
  expect(wordsOf(forUsers)).toBeLessThanOrEqual(20_000);
  expect(forUsers.filter((path) => wordsOf([path]) > 1_800)).toEqual([]);
  // A page more, such as the changelog, is noticed.
  expect(wordsOf([...forUsers, "CHANGELOG.md"])).toBeGreaterThan(20_000);
});

test("every page of docs/ is reached by links from the README", () => {
  const reached = new Set(["README.md"]);
  for (const path of reached) {
    const links = within(parse(read(path))).flatMap(({url}) => url?.split("#")[0] || []);
    for (const link of links.map((one) => join(dirname(path), one))) if (pages.includes(link)) reached.add(link);
  }
  expect(pages.filter((path) => path.startsWith("docs/") && !reached.has(path))).toEqual([]);
});

test("the README shows the workflow as it is, and it is short", () => {
  const workflow = read("docs/workflows/assay.yml");
  expect(read("README.md")).toContain(`\`\`\`yaml\n${workflow}\`\`\``);
  // one line of it is the permission for `/stop`
  expect(workflow.trimEnd().split("\n").length).toBeLessThanOrEqual(22);
});

test("the commands of README and CONTRIBUTING are there", () => {
  const {scripts} = JSON.parse(read("package.json"));
  const named = [read("README.md"), read("CONTRIBUTING.md")].flatMap((text) => [...text.matchAll(/npm run (\w+)/g)]);
  expect(named.length).toBeGreaterThan(3);
  for (const [, name = ""] of named) expect(scripts).toHaveProperty(name);
});

test("Assay is called in one way, and no text names a package that others own", () => {
  const texts = pages.filter((path) => path !== "CHANGELOG.md").map((path) => [path, read(path)] as const);
  expect(texts.filter(([, text]) => /npx assay|checkout of Assay>/.test(text)).map(([path]) => path)).toEqual([]);
});

test("README, troubleshooting and `/help` name every command", () => {
  const help = renderHelp({marker: {run: "1", session: null}, phrase: DEFAULT_PHRASE});
  for (const text of [read("README.md"), read("docs/troubleshooting.md"), help])
    expect(COMMAND_WORDS.filter((word) => !new RegExp(`\`${word}[\` ]`).test(text))).toEqual([]);
});

/** What the map in CONTRIBUTING leaves out of `src/`, and what it names that is not there; a file is looked for in its row's folders. */
function errorsOfMap(markdown: string): {missing: string[]; gone: string[]} {
  const rows = [...markdown.matchAll(/^\| (`(?:src|lifecycle|tests)\/[^|]*) \|([^|]*)\|([^|]*)\|$/gm)].map(
    ([, places = "", answers = "", begin = ""]) => ({
      places: quoted(places),
      named: [...quoted(answers), ...quoted(begin)],
    }),
  );
  const listed = rows.flatMap(({places}) => places);
  const folders = readdirSync(join(root, "src"), {withFileTypes: true}).filter((entry) => entry.isDirectory());
  const missing = folders.map(({name}) => `src/${name}/`).filter((path) => !listed.includes(path));
  const gone = rows.flatMap(({places, named}) => {
    const lost = named.filter(
      (name) =>
        !places.some((place) => existsSync(join(root, place, name)) || existsSync(join(root, dirname(place), name))),
    );
    return [...places.filter((place) => !existsSync(join(root, place))), ...lost];
  });
  return {missing, gone};
}

const quoted = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, text = ""]) => text);

test("the map in CONTRIBUTING has every folder of src/, and nothing else", () => {
  const page = read("CONTRIBUTING.md");
  expect(errorsOfMap(page)).toEqual({missing: [], gone: []});
  const wrong = page.replace("| `src/verify/` |", "| `src/none/` |").replace("`deliver.ts`", "`send.ts`");
  expect(errorsOfMap(wrong)).toEqual({
    missing: ["src/verify/"],
    gone: ["send.ts", "src/none/", "verify.ts", "finding-sources.ts", "verdict.ts"],
  });
});

test("each row about a threat names the tests that show what is done, or says that there are none", () => {
  const tests = new Set(
    readdirSync(join(root, "tests"), {recursive: true})
      .map((path) => basename(String(path)))
      .filter((name) => name.endsWith(".test.ts")),
  );
  const tables = within(parse(read("docs/internals/threats.md"))).filter(({type}) => type === "table");
  const rowsOf = (table: Node) => (table.children ?? []).map((row) => (row.children ?? []).map(textOf));
  const threats = tables.map(rowsOf).filter(([head]) => head?.[0] === "threat");
  expect(threats.length).toBeGreaterThan(4);
  for (const [head, ...rows] of threats) {
    expect(head).toEqual(["threat", "done", "left", "shown by"]);
    for (const [threat, , , shownBy = ""] of rows) {
      const named = shownBy === "not tested" ? [] : shownBy.split(", ");
      expect(
        named.filter((name) => !tests.has(`${name}.test.ts`)),
        threat,
      ).toEqual([]);
    }
  }
});

test("the page about integrity is short, and its table has each check in at most 14 rows of two sentences", () => {
  const page = read("docs/integrity.md");
  const table = page.slice(page.indexOf("## What is checked?"));
  const rows = [...table.matchAll(/^\| (`[a-z-]+`(?:, `[a-z-]+`)*) \| (.*) \|$/gm)];
  const names = rows.flatMap(([, checks = ""]) => quoted(checks));
  expect(names.toSorted()).toEqual([...INTEGRITY_CHECK_NAMES].toSorted());
  expect(rows.length).toBeLessThanOrEqual(14);
  const sentencesOf = (text: string) => text.match(/[.!?](?= |$)/g)?.length;
  expect(rows.filter(([, , text = ""]) => sentencesOf(text) !== 2).map(([, checks]) => checks)).toEqual([]);
  // The bars of the tables are no words.
  expect(page.match(/\S*\w\S*/g)?.length).toBeLessThanOrEqual(1500);
});
