/** One HTML page with everything about a run, which a browser can open without a server and without a network. */
import {micromark} from "micromark";
import {gfm, gfmHtml} from "micromark-extension-gfm";
import {clip, codeSpan, htmlLine, inline} from "../markdown/escape.ts";
import type {StageResult} from "../record/evidence.ts";
import type {Request, RunRecord} from "../record/record.ts";
import {UNSIGNED_WORDS} from "../record/unsigned.ts";
import {isVerified} from "../record/words.ts";
import {duration, short, withCount} from "./format.ts";
import {renderReport} from "./markdown.ts";
import {details} from "./stages.ts";
import {timedSections} from "./timeline.ts";

const MAX_REPORT = 300_000;
const MAX_TESTS = 1_000;
const MAX_LINE = 300;

/** Redact the record first. */
export function runPage(record: RunRecord): string {
  const {thread, request, isInClone} = record;
  const title = thread === null || isInClone ? "You" : `${thread.actor} in ${thread.repository}#${thread.number}`;
  const parts = [
    ...(request === null ? [] : [{title, body: htmlOf(requestText(request), {isOwn: false}), name: "request"}]),
    {
      title: "Assay",
      body: htmlOf(renderReport(record, {maxChars: MAX_REPORT, marker: false}), {isOwn: true}),
      name: "body",
    },
    {title: "Timeline", body: timeline(record)},
    {title: "Tests", body: htmlOf(testsPart(record), {isOwn: true})},
    {title: "Evidence", body: htmlOf(evidencePart(record), {isOwn: true})},
  ];
  const sections = parts
    .filter(({body}) => body !== "")
    .map(
      ({title, body, name = "more"}) =>
        `<section><h2>${htmlLine(title)}</h2><div class="${name}">${body}</div></section>`,
    );
  return `${pageHead("Assay's report")}${sections.join("\n")}\n</html>\n`;
}

/** The page's address is a file, so only links to public places lead anywhere. */
const LINK = /<a href="(?!https:\/\/|#)[^"]*">([\s\S]*?)<\/a>/g;
/** A picture would ask a server: its description stays. */
const PICTURE = /<img [^>]*alt="([^"]*)"[^>]*>/g;

/** Assay's own Markdown may have HTML, because foreign text in it is harmless; the text of a person may not. */
function htmlOf(markdown: string, {isOwn}: {isOwn: boolean}): string {
  const options = {extensions: [gfm()], htmlExtensions: [gfmHtml()], allowDangerousHtml: isOwn};
  return micromark(markdown, options).replaceAll(LINK, "$1").replaceAll(PICTURE, "$1");
}

function requestText(request: Request): string {
  if (request.kind === "work") return request.text;
  const words = "hint" in request ? [request.hint] : "only" in request ? request.only : [];
  return codeSpan(clip([`/${request.kind}`, ...words].join(" ").trim(), MAX_LINE));
}

/** A row for each turn of the agent and each check, on one scale. */
function timeline(record: RunRecord): string {
  const sections = timedSections(record);
  const endMs = Math.max(1, ...sections.flatMap(({bars}) => bars.map((bar) => bar.startMs + bar.durationMs)));
  const percent = (ms: number) => `${((100 * ms) / endMs).toFixed(2)}%`;
  return sections
    .map(({title, bars}) => {
      const rows = bars.map(({icon, name, outcome, startMs, durationMs}) => {
        const place = `margin-left:${percent(startMs)};width:${percent(durationMs)}`;
        return `<li><span>${icon} ${htmlLine(name)}</span><i class="${outcome ?? "agent"}" style="${place}"></i><b>${duration(durationMs)}</b></li>`;
      });
      return `${sections.length === 1 ? "" : `<h3>${title}</h3>`}<ol class="times">${rows.join("")}</ol>`;
    })
    .join("");
}

const SIGNS = {passed: "✅", skipped: "➖", failed: "❌"} as const;

/** The tests of the last verification that a runner's report names, the failed ones first. */
function testsPart({attempts}: RunRecord): string {
  return (attempts.at(-1)?.verification?.stages ?? []).flatMap(testsOf).join("\n\n");
}

function testsOf({name, tests, reported}: StageResult): string[] {
  if (tests === null) return [];
  const counts = Object.entries(tests).filter(([, count]) => count > 0);
  const title = `${name}: ${counts.map(([outcome, count]) => `${count} ${outcome}`).join(", ")}`;
  const failed = (reported?.failed ?? []).map((test) => ({...test, outcome: "failed" as const}));
  const named = [...failed, ...(reported?.others ?? [])].slice(0, MAX_TESTS);
  const items = named.map(({file, title, outcome}) => {
    const place = file === null ? "" : ` ${codeSpan(clip(file, MAX_LINE))}`;
    return `- ${SIGNS[outcome]} ${inline(clip(title, MAX_LINE))}${place}`;
  });
  const left = tests.passed + tests.failed + tests.skipped - named.length;
  const rest = left > 0 ? [`${withCount(left, "test")} without a name in the record.`] : [];
  return [details(clip(title, MAX_LINE), [...(items.length === 0 ? [] : [items.join("\n")]), ...rest])];
}

/** The circumstances that a replay needs, beside those in the report. */
function evidencePart({attempts, attestation, verdict}: RunRecord): string {
  const verification = attempts.at(-1)?.verification;
  const candidate = verification?.candidate;
  if (!verification || !candidate) return "";
  const tools = (verification.tools ?? []).map(({name, version}) => `${name} ${version}`).join(", ");
  return [
    `- **${isVerified(verdict) ? "Verified files" : "Files"}**: ${codeSpan(candidate.tree)}`,
    `- **Compared with**: ${codeSpan(candidate.base)}`,
    ...(tools === "" ? [] : [`- **Tools**: ${inline(clip(tools, MAX_LINE))}`]),
    `- **Statement**: ${statementWords(attestation)}`,
    "- **Page and record**: not signed; anyone who can write them can change them",
    "- **To check it**: `assay replay` with the record, in a clone of the repository",
  ].join("\n");
}

function statementWords(attestation: RunRecord["attestation"]): string {
  switch (attestation?.kind) {
    case "signed":
      return `signed, in the notes of the commit; \`assay check ${short(attestation.commit)}\` verifies it`;
    case "unsigned":
      return `not signed. ${UNSIGNED_WORDS[attestation.why]}`;
    case "not-attached":
      return "could not be attached to the commit";
    case undefined:
      return "none";
  }
}

/** The start of a page, with the style of all pages. `title` is Assay's own text. */
export const pageHead = (title: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${title}</title>
<style>
:root{color-scheme:light dark;--text:#1f2328;--back:#fff;--soft:#f6f8fa;--line:#d1d9e0;--link:#0969da;--dim:#59636e;--good:#1a7f37;--bad:#cf222e}
@media (prefers-color-scheme:dark){:root{--text:#f0f6fc;--back:#0d1117;--soft:#151b23;--line:#3d444d;--link:#4493f8;--dim:#9198a1;--good:#3fb950;--bad:#f85149}}
body{font:14px/1.5 system-ui,"Noto Sans","Noto Color Emoji",sans-serif;max-width:50rem;margin:2rem auto;padding:0 1rem;color:var(--text);background:var(--back);overflow-wrap:anywhere}
section{border:1px solid var(--line);border-radius:6px;margin:0 0 1rem}
h2,h3{font-size:14px;margin:0}h2{padding:.5rem 1rem;background:var(--soft);border-bottom:1px solid var(--line);border-radius:6px 6px 0 0}
section>div{padding:.5rem 1rem}.request{max-height:14rem;overflow:auto}
table{border-collapse:collapse;display:block;overflow-x:auto}th,td{border:1px solid var(--line);padding:.35rem .8rem;overflow-wrap:normal}
code{font:12px ui-monospace,monospace;background:#818b981f;border-radius:6px;padding:.2em .4em}
pre{background:var(--soft);padding:1rem;overflow:auto}pre code{background:none;padding:0}
.times{list-style:none;margin:.5rem 0;padding:0}.times li{display:grid;grid-template-columns:minmax(5rem,9rem) 1fr 5.5rem;gap:.5rem;align-items:center}
.times i{height:.7rem;min-width:2px;border-radius:2px;background:var(--dim)}.times b{font-weight:400;text-align:right;color:var(--dim)}
.times .passed{background:var(--good)}.times .failed,.times .timed-out,.times .unavailable{background:var(--bad)}
blockquote{margin:0;padding-left:1rem;border-left:4px solid var(--line)}ul{padding-left:1.2rem}
.figures td{overflow-wrap:anywhere}.figures td:first-child{white-space:nowrap}.more td:first-child{min-width:9rem}.more th,.more td{padding:.35rem .45rem}
a{color:var(--link)}hr{border:0;border-top:3px solid var(--line)}sub{color:var(--dim)}
</style>
`;
