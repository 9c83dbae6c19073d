/** A headless Chromium, controlled through the DevTools protocol over two pipes, so that it needs no port and no package. */
import {spawn} from "node:child_process";
import {once} from "node:events";
import {mkdtemp, rm} from "node:fs/promises";
import {tmpdir} from "node:os";
import {delimiter, join} from "node:path";
import {Readable, Writable} from "node:stream";
import {isProgram} from "../../src/process/isolation.ts";
import {numberAt, parseObject, textAt} from "../rig/json.ts";

/** Names under which Linux distributions and GitHub's runners have it. */
const PROGRAMS = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** `ASSAY_CHROMIUM` or the first of the known names in the PATH; null if there is none. */
export function findChromium(env: NodeJS.ProcessEnv = process.env): string | null {
  const given = env["ASSAY_CHROMIUM"] ?? "";
  if (given !== "") return isProgram(given) ? given : null;
  const folders = (env["PATH"] ?? "").split(delimiter).filter(Boolean);
  return PROGRAMS.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram) ?? null;
}

/** Calls a method of the protocol in the page, and gives its result. */
export type CallPage = (method: string, params?: object) => Promise<unknown>;

export interface Browser extends AsyncDisposable {
  readonly call: CallPage;
}

// Its sandbox does not start for root, and the pages here are written by the tests. The font settings make pictures
// depend less on the machine.
const FLAGS = [
  ...["--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"],
  ...["--no-first-run", "--disable-extensions", "--disable-background-networking", "--disable-component-update"],
  ...["--font-render-hinting=none", "--disable-lcd-text", "--force-color-profile=srgb", "--disable-dev-shm-usage"],
  // no page may ask the network for anything
  "--host-resolver-rules=MAP * ~NOTFOUND",
];

/** Starts it with an empty profile and one page. */
export async function startChromium(program: string): Promise<Browser> {
  const profile = await mkdtemp(join(tmpdir(), "assay-chromium-"));
  const child = spawn(program, [...FLAGS, `--user-data-dir=${profile}`], {
    stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
  });
  const exit = once(child, "exit");
  const [, , , input, output] = child.stdio;
  if (!(input instanceof Writable) || !(output instanceof Readable)) throw new Error("Chromium has no pipes");
  const send = connect({input, output, exit});
  const close = async () => {
    // It ends before it answers.
    await send("Browser.close").catch(() => undefined);
    await exit;
    await rm(profile, {recursive: true, force: true, maxRetries: 10});
  };
  const targetId = textAt(await send("Target.createTarget", {url: "about:blank"}), "targetId");
  const sessionId = textAt(await send("Target.attachToTarget", {targetId, flatten: true}), "sessionId");
  return {call: (method, params) => send(method, params, {sessionId}), [Symbol.asyncDispose]: close};
}

/** Each message is JSON that ends with a null character. Events are not read. */
function connect({input, output, exit}: {input: Writable; output: Readable; exit: Promise<unknown>}) {
  const waiting = new Map<number, {resolve: (result: unknown) => void; reject: (error: Error) => void}>();
  const receive = (text: string) => {
    const message = parseObject(text);
    if (message["id"] === undefined) return;
    const id = numberAt(message, "id");
    const call = waiting.get(id);
    waiting.delete(id);
    if (message["error"] === undefined) call?.resolve(message["result"]);
    else call?.reject(new Error(textAt(message, "error", "message")));
  };
  let rest = "";
  output.setEncoding("utf8").on("data", (part: string) => {
    const texts = (rest + part).split("\0");
    rest = texts.pop() ?? "";
    for (const text of texts) receive(text);
  });
  void exit.finally(() => {
    for (const {reject} of waiting.values()) reject(new Error("Chromium has ended"));
  });
  input.on("error", () => undefined);
  let lastId = 0;
  return (method: string, params: object = {}, session: {sessionId?: string} = {}) =>
    new Promise<unknown>((resolve, reject) => {
      const id = ++lastId;
      waiting.set(id, {resolve, reject});
      input.write(`${JSON.stringify({id, method, params, ...session})}\0`);
    });
}
