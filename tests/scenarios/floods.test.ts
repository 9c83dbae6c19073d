/** Whatever a stage prints, and however much: the bot's memory stays small, its verdict right and its report well-formed. */
import {execFileSync, spawnSync} from "node:child_process";
import {mkdtempSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {expect, onTestFinished, test} from "vitest";
import {recordSchema} from "../../src/record/record.ts";
import {renderReport} from "../../src/report/markdown.ts";
import {isSweep, someOf} from "../sweep.ts";
import {liveThings, misshapen} from "../unit/report/gfm.ts";

const CLI = new URL("../../dist/cli.js", import.meta.url).pathname;
/** A gigabyte takes its time: `npm run sweep`. */
const BYTES = isSweep ? 1_000_000_000 : 100_000_000;
const MAX_MEGABYTES = 150;
const say = "process.on('exit', () => process.stderr.write('\\nPEAK ' + process.resourceUsage().maxRSS + '\\n'))";
const PEAK = `data:text/javascript,${encodeURIComponent(say)}`;

/** What a stage that prints this leaves: its result, its report, and the bot's largest size in megabytes. */
function flood(options: {print: string; kind?: string; timeout?: number}) {
  const folder = mkdtempSync(join(tmpdir(), "assay-flood-"));
  onTestFinished(() => rmSync(folder, {recursive: true}));
  execFileSync("git", ["init", "-q", folder]);
  const command = `set +o pipefail; ${options.print}`;
  const stage = {name: "print", kind: options.kind ?? "build", command, timeout: options.timeout ?? 300};
  writeFileSync(join(folder, "verify.json"), JSON.stringify({stages: [stage], setup: false}));
  const argv = ["--import", PEAK, CLI, "verify", "--in-place", "--json"];
  const ran = spawnSync(process.execPath, argv, {cwd: folder, encoding: "utf8", maxBuffer: 64 * 1024 * 1024});
  const record = recordSchema.parse(JSON.parse(ran.stdout));
  const result = record.attempts[0]?.verification?.stages[0];
  if (result === undefined || result.output === null) throw new Error(ran.stdout.slice(0, 2000));
  const report = renderReport(record);
  expect(report.length).toBeLessThanOrEqual(60_000);
  expect([...misshapen(report, {rows: true}), ...liveThings(report)]).toEqual([]);
  return {result, output: result.output, megabytes: Number(/PEAK (\d+)/.exec(ran.stderr)?.[1]) / 1024};
}

const LINE = "src/a.ts(1,2): error TS2322: Type 'string' is not assignable to type 'number'.";

const FLOODS = [
  [
    "escapes and commands",
    `yes "$(printf '\\033[31m::error::x\\033[0m ##[add-path]/tmp \\342\\200\\256@all')" | head -c ${BYTES}`,
  ],
  ["ordinary lines", `yes 'an ordinary line of output' | head -c ${BYTES}`],
  ["one line", `head -c ${BYTES} /dev/zero | tr '\\0' x`],
  ["what is no text", `head -c ${BYTES} /dev/urandom`],
  ["nothing but errors", `yes "${LINE}" | head -c ${BYTES}`],
] as const;

test.each(someOf(FLOODS))("%s", (_, print) => {
  const {result, output, megabytes} = flood({print: `echo first; ${print}; echo; echo last; exit 1`});
  expect(result).toMatchObject({outcome: "failed", exit: {kind: "exited", code: 1}});
  expect(output.head).toMatch(/^first\n/);
  expect(output.tail).toMatch(/last\n$/);
  expect(output.droppedBytes).toBeGreaterThan(BYTES * 0.95);
  expect(megabytes).toBeLessThan(MAX_MEGABYTES);
});

if (isSweep)
  test("a million lines of a test run: the counts at its end are read", () => {
    const {result, megabytes} = flood({
      kind: "test",
      print: "seq 1000000; printf 'ℹ tests 7\\nℹ pass 6\\nℹ fail 1\\n'; exit 1",
    });
    expect(result).toMatchObject({outcome: "failed", tests: {passed: 6, failed: 1}});
    expect(megabytes).toBeLessThan(MAX_MEGABYTES);
  });

test("without an end", () => {
  const {result, megabytes} = flood({print: "yes out & yes err >&2", timeout: 2});
  expect(result).toMatchObject({outcome: "timed-out", exit: {kind: "timed-out", afterMs: 2000}});
  expect(result.durationMs).toBeLessThan(30_000);
  expect(megabytes).toBeLessThan(MAX_MEGABYTES);
});
