/**
 * Writes the pages for users as a static site: `npm run site [-- FOLDER]`, by default into `site`. It needs no server: open
 * `index.html`.
 */
import {cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync} from "node:fs";
import {dirname, join} from "node:path";
import {micromark} from "micromark";
import {gfm, gfmHtml} from "micromark-extension-gfm";

const root = join(import.meta.dirname, "..");
const out = process.argv[2] ?? join(root, "site");
const REPOSITORY = "https://github.com/assay-run/assay";

/** The pages, in the order of the menu, which is that of the README. */
const PAGES = [
  ["README.md", "Assay"],
  ["docs/quick-start.md", "Quick start"],
  ["docs/act.md", "Try it with act"],
  ["docs/supported.md", "Supported systems"],
  ["docs/outcomes.md", "Outcomes"],
  ["docs/integrity.md", "Weakened checks"],
  ["docs/troubleshooting.md", "Troubleshooting"],
  ["docs/comment-commands.md", "Commands in comments"],
  ["docs/triggers.md", "Triggers"],
  ["docs/how-a-run-works.md", "How a run works"],
  ["docs/ecosystems.md", "Detected checks"],
  ["docs/verify-json.md", "verify.json"],
  ["docs/inputs.md", "Inputs and outputs"],
  ["docs/agents.md", "Agents"],
  ["docs/providers.md", "Models and cost"],
  ["docs/app-token.md", "App token"],
  ["docs/specs.md", "Specs"],
  ["docs/judge.md", "Judge"],
  ["docs/commands.md", "Terminal"],
  ["docs/policy.md", "Signed statements"],
  ["docs/stop-hooks.md", "Stop hooks"],
  ["docs/json.md", "JSON"],
  ["docs/library.md", "Library"],
  ["docs/security.md", "Security"],
  ["docs/steering-files.md", "Steering files"],
  ["docs/comparison.md", "Comparison"],
  ["SECURITY.md", "Report a vulnerability"],
  ["CHANGELOG.md", "Changelog"],
].map(([source, title]) => ({source, title, file: fileOf(source), current: fileOf(source)}));
/** The pages of single outcomes, which are not in the menu. */
const OUTCOMES = readdirSync(join(root, "docs/outcomes")).map((name) => {
  const source = `docs/outcomes/${name}`;
  return {source, title: name.replace(".md", ""), file: fileOf(source), current: "outcomes.html"};
});
const ALL_PAGES = [...PAGES, ...OUTCOMES];

function fileOf(source) {
  if (source === "README.md") return "index.html";
  return source === "SECURITY.md"
    ? "report.html"
    : `${source
        .replace(/^docs\/|\.md$/g, "")
        .replace("/", "-")
        .toLowerCase()}.html`;
}

const missing = readdirSync(join(root, "docs")).filter(
  (name) => name.endsWith(".md") && !PAGES.some(({source}) => source === `docs/${name}`),
);
if (missing.length > 0) throw new Error(`scripts/site.mjs has no place for docs/${missing.join(", docs/")}`);

rmSync(out, {recursive: true, force: true});
mkdirSync(out, {recursive: true});
const sections = ALL_PAGES.flatMap((page) => {
  const html = withLinks(page, withAnchors(render(readFileSync(join(root, page.source), "utf8"))));
  writeFileSync(join(out, page.file), document(page, html));
  return sectionsOf(page, html);
});
writeFileSync(join(out, "index.js"), `const SECTIONS = ${JSON.stringify(sections)};\n`);
for (const name of ["search.js", "site.css"]) cpSync(join(import.meta.dirname, "site", name), join(out, name));
cpSync(join(root, "docs/pictures"), join(out, "pictures"), {recursive: true});
console.log(`${ALL_PAGES.length} pages, ${sections.length} sections: ${join(out, "index.html")}`);

function render(markdown) {
  return micromark(markdown, {extensions: [gfm()], htmlExtensions: [gfmHtml()], allowDangerousHtml: true});
}

/** The anchors of GitHub. A table or code that is too wide scrolls, also with the keyboard. */
function withAnchors(html) {
  return html
    .replace(/<(h[1-6])>(.*?)<\/\1>/g, (_, tag, text) => `<${tag} id="${anchorOf(text)}">${text}</${tag}>`)
    .replace(/<(table|pre)>/g, '<$1 tabindex="0">');
}

function anchorOf(html) {
  return textOf(html)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M} _-]/gu, "")
    .replaceAll(" ", "-");
}

function textOf(html) {
  const characters = {amp: "&", lt: "<", gt: ">", quot: '"'};
  return html.replace(/<[^>]*>/g, "").replace(/&(amp|lt|gt|quot);/g, (_, name) => characters[name]);
}

/** Pages of the site link to each other; other files are on the server of the repository. */
function withLinks({source}, html) {
  return html.replace(/ (href|src|srcset)="([^"]*)"/g, (whole, attribute, url) => {
    if (url === "" || /^(?:[a-z]+:|#)/i.test(url)) return whole;
    const [path = "", anchor] = url.split("#");
    const target = join(dirname(source), path);
    const page = ALL_PAGES.find((one) => one.source === target);
    const picture = target.startsWith("docs/pictures/") ? target.slice("docs/".length) : null;
    const kind = page || picture || !statSync(join(root, target)).isDirectory() ? "blob" : "tree";
    const address = page?.file ?? picture ?? `${REPOSITORY}/${kind}/main/${target}`;
    return ` ${attribute}="${address}${anchor === undefined ? "" : `#${anchor}`}"`;
  });
}

/** The text below each heading, for the search. */
function sectionsOf({file, title}, html) {
  const parts = html.split(/(?=<h[1-3] id=)/).filter((part) => part.startsWith("<h"));
  return parts.map((part) => {
    const [, id = "", heading = "", rest = ""] = /^<h[1-3] id="([^"]*)">(.*?)<\/h[1-3]>([\s\S]*)$/.exec(part) ?? [];
    const text = textOf(rest.replace(/<\/(?:p|li|td|th|pre)>/g, " "))
      .replace(/\s+/g, " ")
      .trim();
    return {url: `${file}#${id}`, page: title, heading: textOf(heading), text};
  });
}

function document({title, current}, html) {
  const links = PAGES.map(
    (page) => `<li><a href="${page.file}"${page.file === current ? ' aria-current="page"' : ""}>${page.title}</a></li>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title === "Assay" ? title : `${title} · Assay`}</title>
<link rel="stylesheet" href="site.css">
</head>
<body>
<a class="skip" href="#content">Skip to the text</a>
<header>
<a class="name" href="index.html">Assay</a>
<div role="search"><input id="search" type="search" placeholder="Search ( / )" aria-label="Search the documentation" aria-controls="results" autocomplete="off">
<div id="results" hidden><p role="status"></p><ol></ol></div></div>
</header>
<div class="columns">
<nav aria-label="Pages"><details open><summary>Pages</summary><ul>
${links.join("\n")}
</ul></details></nav>
<main id="content" class="body" tabindex="-1">
${html}
</main>
</div>
<script src="index.js"></script>
<script src="search.js"></script>
</body>
</html>
`;
}
