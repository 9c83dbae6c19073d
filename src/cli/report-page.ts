/** One HTML page with a request and its report, which a browser can open without a server. */
import {micromark} from "micromark";
import {gfm, gfmHtml} from "micromark-extension-gfm";

/** The page's address is a file, so only links to public places lead anywhere. */
const LINK = /<a href="(?!https:\/\/|#)[^"]*">([\s\S]*?)<\/a>/g;

/** `report` is Assay's Markdown, in which foreign text is harmless; `request` is the text of a person. */
export function reportPage({request, by, report}: {request: string; by: string; report: string}): string {
  const html = (text: string, isOwn: boolean) =>
    micromark(text, {extensions: [gfm()], htmlExtensions: [gfmHtml()], allowDangerousHtml: isOwn});
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Assay's report</title>
<style>
:root{color-scheme:light dark;--text:#1f2328;--back:#fff;--soft:#f6f8fa;--line:#d1d9e0;--link:#0969da;--dim:#59636e}
@media (prefers-color-scheme:dark){:root{--text:#f0f6fc;--back:#0d1117;--soft:#151b23;--line:#3d444d;--link:#4493f8;--dim:#9198a1}}
body{font:14px/1.5 system-ui,"Noto Sans","Noto Color Emoji",sans-serif;max-width:50rem;margin:2rem auto;padding:0 1rem;color:var(--text);background:var(--back);overflow-wrap:anywhere}
section{border:1px solid var(--line);border-radius:6px;margin:0 0 1rem}
h2{font-size:14px;margin:0;padding:.5rem 1rem;background:var(--soft);border-bottom:1px solid var(--line);border-radius:6px 6px 0 0}
section>div{padding:.5rem 1rem}
table{border-collapse:collapse;display:block;overflow-x:auto}th,td{border:1px solid var(--line);padding:.35rem .8rem;overflow-wrap:normal}
code{font:12px ui-monospace,monospace;background:#818b981f;border-radius:6px;padding:.2em .4em}
pre{background:var(--soft);padding:1rem;overflow:auto}pre code{background:none;padding:0}
a{color:var(--link)}hr{border:0;border-top:3px solid var(--line)}sub{color:var(--dim)}
</style>
<section><h2>${html(by, false).replaceAll(/<\/?p>/g, "")}</h2><div>${html(request, false)}</div></section>
<section><h2>Assay</h2><div>${html(report, true).replaceAll(LINK, "$1")}</div></section>
</html>
`;
}
