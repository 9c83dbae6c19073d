/** Markdown as a page in the layout of GitHub's comments and job summaries. */
import {readFileSync} from "node:fs";
import {join} from "node:path";
import {micromark} from "micromark";
import {gfm, gfmHtml} from "micromark-extension-gfm";
import {at, numberAt, textAt} from "../rig/json.ts";
import type {Browser, CallPage} from "./chromium.ts";

export const WIDTHS = [1280, 390] as const;
export const SCHEMES = ["light", "dark"] as const;

const STYLE = readFileSync(join(import.meta.dirname, "github.css"), "utf8");
const CHECKS = readFileSync(join(import.meta.dirname, "page-checks.js"), "utf8");
const PHONE_HEIGHT = 844;

export interface Surface {
  /** the header of the box, such as the author of a comment */
  readonly header: string;
  readonly markdown: string;
  /** a comment keeps the line breaks of a paragraph, a job summary does not */
  readonly isComment: boolean;
}

export function htmlPage(surfaces: readonly Surface[]): string {
  const boxes = surfaces.map(
    ({header, ...text}) => `<article><header>${header}</header><div class="body">${htmlOf(text)}</div></article>`,
  );
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Assay</title><style>${STYLE}</style><main>${boxes.join("\n")}</main></html>`;
}

function htmlOf({markdown, isComment}: Omit<Surface, "header">): string {
  const html = micromark(markdown, {extensions: [gfm()], htmlExtensions: [gfmHtml()], allowDangerousHtml: true});
  return isComment ? html.replaceAll(/<p>[\s\S]*?<\/p>/g, (part) => part.replaceAll("\n", "<br>\n")) : html;
}

/** Shows a page in this size and scheme. */
export async function showPage(
  {call}: Browser,
  options: {html: string; width: number; scheme: (typeof SCHEMES)[number]; scale?: number},
): Promise<void> {
  const {html, ...view} = options;
  await setView(call, view);
  await evaluate(call, `document.open(); document.write(${JSON.stringify(html)}); document.close();`);
  await evaluate(call, "document.fonts.ready.then(() => null)");
}

/** Opens a page in this size and scheme, as a reader does who follows a link to it. */
export async function openPage(
  {call}: Browser,
  options: {url: string; width: number; scheme: (typeof SCHEMES)[number]},
): Promise<void> {
  const {url, ...view} = options;
  await setView(call, view);
  await call("Page.navigate", {url});
  await evaluate(call, LOADED);
}

const LOADED = `document.readyState === "complete" || new Promise((loaded) => addEventListener("load", () => loaded(true)))`;

async function setView(
  call: CallPage,
  {width, scheme, scale = 1}: {width: number; scheme: (typeof SCHEMES)[number]; scale?: number},
): Promise<void> {
  const size = {width, height: PHONE_HEIGHT, deviceScaleFactor: scale, mobile: false};
  await call("Emulation.setDeviceMetricsOverride", size);
  await call("Emulation.setEmulatedMedia", {features: [{name: "prefers-color-scheme", value: scheme}]});
}

/** Presses and releases a key: a letter, or the name of another key with its number. */
export async function press({call}: Browser, key: string, number = 0): Promise<void> {
  const text = key.length === 1 ? key : key === "Enter" ? "\r" : "";
  const event = {key, windowsVirtualKeyCode: number, ...(text !== "" && {text})};
  await call("Input.dispatchKeyEvent", {type: "keyDown", ...event});
  await call("Input.dispatchKeyEvent", {type: "keyUp", key, windowsVirtualKeyCode: number});
}

export const unfold = ({call}: Browser): Promise<unknown> =>
  evaluate(call, "for (const fold of document.querySelectorAll('details')) fold.open = true;");

/** What a reader of the page would stumble over, one line each. */
export async function complaintsOf({call}: Browser): Promise<string[]> {
  const complaints = await evaluate(call, `(() => {${CHECKS}\nreturn complaints();})()`);
  if (!Array.isArray(complaints)) throw new Error("the checks of the page did not run");
  return complaints.map(String);
}

/** The whole page as PNG. */
export async function pictureOf({call}: Browser): Promise<Buffer> {
  const size = await evaluate(
    call,
    "({width: innerWidth, height: Math.ceil(document.documentElement.getBoundingClientRect().height)})",
  );
  const clip = {x: 0, y: 0, width: numberAt(size, "width"), height: numberAt(size, "height"), scale: 1};
  const shot = await call("Page.captureScreenshot", {format: "png", clip, captureBeyondViewport: true});
  return Buffer.from(textAt(shot, "data"), "base64");
}

/** The value of an expression in the page; rejects with the page's own error. */
export async function evaluate(call: CallPage, expression: string): Promise<unknown> {
  const answer = await call("Runtime.evaluate", {expression, returnByValue: true, awaitPromise: true});
  const problem = at(answer, "exceptionDetails");
  if (problem !== undefined) throw new Error(`in the page: ${JSON.stringify(problem)}`);
  return at(answer, "result", "value");
}
