/** Writes the report, as it was posted, to a file that one can open, and beside it as a page for a browser. */
import {writeFile} from "node:fs/promises";
import {micromark} from "micromark";
import {gfm, gfmHtml} from "micromark-extension-gfm";

/** Gives the paths that were written. The page's links lead into the demo's world, which is gone by then. */
export async function writeReport(options: {file: string; request: string; report: string}): Promise<string[]> {
  const page = options.file.replace(/(\.md)?$/, ".html");
  await writeFile(options.file, options.report);
  await writeFile(page, pageOf(options));
  return [options.file, page];
}

function pageOf({request, report}: {request: string; report: string}): string {
  // The report is trusted to have disarmed what others wrote; the request is theirs as it came.
  const html = (text: string, isOwn: boolean) =>
    micromark(text, {extensions: [gfm()], htmlExtensions: [gfmHtml()], allowDangerousHtml: isOwn});
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Assay demo</title>
<style>
body{font:14px/1.5 system-ui,"Noto Sans","Noto Color Emoji",sans-serif;max-width:50rem;margin:2rem auto;padding:0 1rem;color:#1f2328}
section{border:1px solid #d1d9e0;border-radius:6px;margin:0 0 1rem}
h2{font-size:14px;margin:0;padding:.5rem 1rem;background:#f6f8fa;border-bottom:1px solid #d1d9e0;border-radius:6px 6px 0 0}
div{padding:.5rem 1rem}
table{border-collapse:collapse}th,td{border:1px solid #d1d9e0;padding:.35rem .8rem}
code{font:12px ui-monospace,monospace;background:#818b981f;border-radius:6px;padding:.2em .4em}
pre{background:#f6f8fa;padding:1rem;overflow:auto}pre code{background:none;padding:0}
a{color:#0969da}hr{border:0;border-top:3px solid #d1d9e0}sub{color:#59636e}
</style>
<section><h2>will</h2><div>${html(request, false)}</div></section>
<section><h2>github-actions [bot]</h2><div>${html(report, true)}</div></section>
</html>
`;
}
