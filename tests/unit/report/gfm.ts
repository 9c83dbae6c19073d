/** Looks at rendered Markdown through a real GFM parser and names everything in it that is live or out of shape. */
import {fromMarkdown} from "mdast-util-from-markdown";
import {gfmFromMarkdown} from "mdast-util-gfm";
import {gfm} from "micromark-extension-gfm";

export interface Node {
  readonly type: string;
  readonly value?: string | undefined;
  readonly url?: string | undefined;
  readonly lang?: string | null | undefined;
  readonly checked?: boolean | null | undefined;
  readonly children?: readonly Node[];
}

export const parse = (markdown: string): Node =>
  fromMarkdown(markdown, {extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()]});

/** What Assay itself may set: the marker, folded blocks, one small line, and links into the run's own repository. */
const OWN_HTML = /^(?:<!-- assay:run=[^\n>]* -->|<\/details>|<sub>|<\/sub>)$/;
const OWN_LINK =
  /^https:\/\/github\.com\/assay-run\/assay\/blob\/main\/docs\/outcomes\/[a-z-]+\.md$|^https:\/\/github\.com\/assay-run\/assay\/issues$|^https:\/\/github\.com\/octo\/parser\/(?:actions\/runs\/77|rules|settings\/secrets\/actions\/new|edit\/main\/verify\.json|pull\/8(?:\/files)?|compare\/[0-9a-f]{12}\.{3}[0-9a-f]{12}|commit\/[0-9a-f]{40}|tree\/[\w./-]+|blob\/[0-9a-f]{40}\/[\w./-]+#L\d+)$/;

/** GitHub's own filters, which look at text that is not code (mentions, references, commits, advisories). */
const FILTERS: readonly (readonly [string, RegExp])[] = [
  ["mention", /(?<![\w/])@[A-Za-z0-9]/],
  ["reference", /(?:(?<!\w)|[\w-]+\/[\w.-]+)#\d/],
  ["reference", /\bGH-\d/i],
  ["commit", /(?<![0-9A-Za-z])(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}(?![0-9A-Za-z])/i],
  ["advisory", /GHSA-|CVE-\d/i],
  ["address", /:\/\/|\bwww\./i],
];

/** Everything live in the document that is not Assay's own, one line each. */
export function liveThings(markdown: string): string[] {
  const found: string[] = [];
  const walk = (node: Node) => {
    if (
      ["image", "imageReference", "linkReference", "definition", "footnoteReference", "footnoteDefinition"].includes(
        node.type,
      )
    )
      found.push(node.type);
    if (node.type === "link") {
      if (OWN_LINK.test(node.url ?? "")) return;
      found.push(`link ${node.url}`);
    }
    if (node.type === "html") found.push(...foreignHtml(node.value ?? ""));
    if (node.type === "code" && /^(?:mermaid|math|geojson|topojson|stl|suggestion)$/.test(node.lang ?? ""))
      found.push(`drawn ${node.lang}`);
    if (node.type === "text") found.push(...filtered(node.value ?? ""));
    for (const child of node.children ?? []) walk(child);
  };
  walk(parse(markdown));
  if (/[\u202a-\u202e\u2066-\u2069\u200b\u{e0000}-\u{e007f}]/u.test(markdown)) found.push("invisible");
  return found;
}

const VERDICT_SIGN =
  /[✅☑✓✔❌❎✗✘⚠🛑⛔🚫💬]|:(?:white_check_mark|heavy_check_mark|ballot_box_with_check|x|warning|stop_sign|no_entry|speech_balloon):/u;

/** Everything in a quoted answer with which it could pass for a part of the report, one line each. */
export function imitations(markdown: string): string[] {
  const found: string[] = [];
  const walk = (node: Node) => {
    if (["heading", "table", "thematicBreak", "html"].includes(node.type)) found.push(node.type);
    if (typeof node.checked === "boolean") found.push("checkbox");
    if (node.type !== "html" && VERDICT_SIGN.test(node.value ?? "")) found.push(`sign in ${node.type} ${node.value}`);
    for (const child of node.children ?? []) walk(child);
  };
  const top = parse(markdown).children ?? [];
  found.push(...top.filter(({type}) => type !== "blockquote").map(({type}) => `${type} outside of the quote`));
  for (const node of top) walk(node);
  return found;
}

function foreignHtml(html: string): string[] {
  if (OWN_HTML.test(html)) return [];
  const summary = /^<details>\n<summary>([^\n]*)<\/summary>$/.exec(html)?.[1];
  if (summary === undefined) return [`html ${html}`];
  const text = summary.replace(/<code>[^<]*<\/code>/g, "");
  if (text.includes("<")) return [`html in summary ${summary}`];
  return filtered(text.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code))));
}

function filtered(text: string): string[] {
  return FILTERS.filter(([, form]) => form.test(text)).map(
    ([name]) => `${name} in ${JSON.stringify(text.slice(0, 120))}`,
  );
}

/** What is wrong with the shape of a report: folded blocks that do not pair up at the top, no verdict, no table, half characters. */
export function misshapen(markdown: string, options: {rows: boolean}): string[] {
  const top = parse(markdown).children ?? [];
  const wrong: string[] = [];
  let open = 0;
  for (const node of top) {
    if (node.type !== "html") continue;
    if (node.value?.startsWith("<details>")) open++;
    if (node.value === "</details>") open--;
    if (open < 0 || open > 1) wrong.push("folded blocks are nested or closed twice");
  }
  if (open !== 0) wrong.push("a folded block stays open");
  if (top.at(-1)?.value !== "</details>") wrong.push("the end is missing");
  const verdict = top.findIndex(
    (node) =>
      /^(?:✅|☑️|❌|🛑|⚠️|💬) .+$/u.test(node.children?.[0]?.children?.[0]?.value ?? "") &&
      node.children?.[0]?.type === "strong",
  );
  if (verdict === -1) wrong.push("no verdict line");
  const table = top.findIndex((node, at) => at > verdict && node.type === "table");
  if (options.rows && (table === -1 || (top[table]?.children?.length ?? 0) < 2)) wrong.push("no table");
  if (options.rows && top[table]?.children?.some((row) => row.children?.length !== 4))
    wrong.push("a row of the table is out of shape");
  if (/[\ud800-\udfff]/u.test(markdown)) wrong.push("half a character");
  return wrong;
}
