/** Records `assay verify` on a small project in a real terminal of the system: a change that breaks a test, and its fix. */
import {execFileSync} from "node:child_process";
import {mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {dirname, join} from "node:path";
import {StringDecoder} from "node:string_decoder";
import {type Chunk, framesOf, svgOf} from "./terminal-svg.ts";

const CLI = new URL("../../dist/cli.js", import.meta.url).pathname;
const SIZE = {columns: 90, rows: 30};
const TITLE = "A terminal: assay verify reports the test that a change breaks, and verifies the fix";
/** A person types this fast. */
const KEY_S = 0.07;

const WRONG = "export const total = (prices) =>\n  prices.reduce((sum, price) => sum - price, 0);\n";
const FILES = {
  "package.json": JSON.stringify({type: "module", scripts: {test: "node --test"}}),
  "verify.json": JSON.stringify({
    stages: [
      {name: "syntax", kind: "typecheck", command: "node --check src/total.js"},
      {name: "test", kind: "test", command: "node --test"},
    ],
  }),
  "src/total.js":
    "export const total = (prices) => {\n  let sum = 0;\n  for (const price of prices) sum += price;\n  return sum;\n};\n",
  "tests/total.test.js": `import assert from "node:assert/strict";
import {test} from "node:test";
import {total} from "../src/total.js";

test("adds all prices", () => {
  assert.equal(total([5, 7]), 12);
});
test("an empty basket costs nothing", () => {
  assert.equal(total([]), 0);
});
`,
};

/** The SVG of a new run. It needs `script` of util-linux. */
export function recordVerify(): string {
  const folder = mkdtempSync(join(tmpdir(), "assay-recording-"));
  try {
    const project = join(folder, "shop");
    for (const [path, text] of Object.entries(FILES)) {
      mkdirSync(dirname(join(project, path)), {recursive: true});
      writeFileSync(join(project, path), text);
    }
    const git = (...args: string[]) => execFileSync("git", ["-C", project, ...args], {stdio: "ignore"});
    git("init", "-q");
    git("add", ".");
    git("-c", "user.name=ada", "-c", "user.email=ada@example.com", "commit", "-qm", "First");
    writeFileSync(join(project, "src/total.js"), WRONG);
    const failed = [...typed("assay verify"), ...recorded(project, folder)];
    writeFileSync(join(project, "src/total.js"), WRONG.replace("sum - price", "sum + price"));
    const edited = [...typed("sed -i 's/sum - price/sum + price/' src/total.js"), {seconds: 0.6, text: ""}];
    const chunks = [...failed, ...edited, ...typed("assay verify"), ...recorded(project, folder)];
    return svgOf(framesOf(chunks), {columns: SIZE.columns, title: TITLE});
  } finally {
    rmSync(folder, {recursive: true, force: true});
  }
}

function typed(command: string): Chunk[] {
  const keys = [...command].map((text) => ({seconds: KEY_S, text}));
  return [{seconds: 1, text: "\u001b[36m$\u001b[39m "}, ...keys, {seconds: 0.4, text: "\r\n"}];
}

/** Runs the command in a pseudo terminal. The timing file has the pause and the length of each piece of its output. */
function recorded(cwd: string, folder: string): Chunk[] {
  const [output, timing] = [join(folder, "output"), join(folder, "timing")];
  const command = `stty cols ${SIZE.columns} rows ${SIZE.rows}; exec "${process.execPath}" "${CLI}" verify`;
  const {NO_COLOR: _, CI: __, ...env} = process.env;
  try {
    const args = ["-qe", "-c", command, "--log-out", output, "--log-timing", timing];
    execFileSync("script", args, {cwd, env: {...env, TERM: "xterm-256color"}, stdio: ["ignore", "ignore", "inherit"]});
  } catch (error) {
    if (Object(error).status !== 1) throw error;
  }
  // the first and last lines of the file are those of `script` itself
  const bytes = readFileSync(output);
  let at = bytes.indexOf("\n") + 1;
  // a character may come in two pieces
  const decoder = new StringDecoder("utf8");
  return readFileSync(timing, "utf8")
    .trim()
    .split("\n")
    .map((line) => {
      const [seconds = 0, length = 0] = line.split(" ").map(Number);
      const text = decoder.write(bytes.subarray(at, at + length));
      at += length;
      return {seconds, text};
    });
}
