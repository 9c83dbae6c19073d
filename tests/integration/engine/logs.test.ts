/** A long output is kept whole in a file, without secrets, and the evidence is read from more of it than the record holds. */
import {mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {afterEach, beforeEach, expect, test} from "vitest";
import {openLogs} from "../../../src/engine/stage/logs.ts";
import {runStage} from "../../../src/engine/stage/stage.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "assay-logs-"));
});
afterEach(() => rmSync(folder, {recursive: true, force: true}));
const logsIn = (options: {mostBytes?: number} = {}) =>
  openLogs({folder: join(folder, "logs"), redact: (text) => text.replaceAll("sk-secret", "***"), ...options});
const files = () => readdirSync(join(folder, "logs"));

const stage = (command: string, logs = logsIn()) =>
  runStage(
    {
      ...{name: "unit tests", kind: "test", command, cwd: ".", timeout: 60, optional: false},
      ...{env: {}, path: [], tools: []},
    },
    {
      folder,
      isolation: "degraded",
      signal: new AbortController().signal,
      logs,
      sandbox: () => null,
      variables: () => ({PATH: process.env["PATH"] ?? ""}),
    },
  );
const noise = (bytes: number) =>
  `(set +o pipefail; yes 'an ordinary line, number 7, as long as most lines of a log' | head -c ${bytes}); echo`;

test("what stands in the middle is evidence, and the file has all of it but the secrets", async () => {
  const result = await stage(`${noise(300_000)}
echo "$PWD/src/a.ts(3,5): error TS2322: The type is wrong."; echo "token: sk-secret"
${noise(900_000)}
exit 2`);
  expect(result.output?.head.includes("TS2322")).toBe(false);
  expect(result.diagnostics).toMatchObject([{tool: "tsc", file: "src/a.ts", line: 3, code: "TS2322"}]);
  expect(result.excerpt).toContain("The type is wrong.");
  expect(result.output?.log).toBe("1-unit-tests.log");
  expect(files()).toEqual(["1-unit-tests.log"]);
  const text = readFileSync(join(folder, "logs", "1-unit-tests.log"), "utf8");
  expect(text).toContain("error TS2322: The type is wrong.\ntoken: ***\n");
  expect(text).not.toContain("sk-secret");
  const {head = "", tail = "", droppedBytes = 0} = result.output ?? {};
  expect(droppedBytes).toBeGreaterThan(1_000_000);
  expect(text.length).toBeGreaterThan(head.length + tail.length + 1_000_000);
}, 30_000);

test("no secret of a line that is longer than a part is cut in two", async () => {
  await stage("set +o pipefail; yes sk-secret | tr -d '\\n' | head -c 1800000; echo; echo end");
  const text = readFileSync(join(folder, "logs", "1-unit-tests.log"), "utf8");
  expect(text.replaceAll("***", "")).toBe("\nend\n");
  expect(text.length).toBe(600_000 + "\nend\n".length);
});

test("a short output leaves no file", async () => {
  expect((await stage("echo sk-secret; exit 1")).output).toEqual({head: "sk-secret\n", tail: "", droppedBytes: 0});
  expect(files()).toEqual([]);
});

test("what does not fit is left out of the file, the end of the output is evidence all the same, and nothing fits after it", async () => {
  const logs = logsIn({mostBytes: 1_000_000});
  const last = "echo 'src/z.ts(9,1): error TS1005: At the end.'; exit 2";
  const result = await stage(`${noise(3_000_000)}; ${last}`, logs);
  expect(result.diagnostics).toMatchObject([{file: "src/z.ts", code: "TS1005"}]);
  expect(statSync(join(folder, "logs", "1-unit-tests.log")).size).toBe(1_000_000);
  const next = await stage(`${noise(3_000_000)}; ${last}`, logs);
  expect(next.output?.log).toBeUndefined();
  expect(next.diagnostics).toMatchObject([{file: "src/z.ts", code: "TS1005"}]);
  expect(files()).toEqual(["1-unit-tests.log"]);
});

test("where no log can be written the stage is judged all the same", async () => {
  writeFileSync(join(folder, "logs"), "a file in the way");
  const result = await stage(`${noise(300_000)}; exit 3`);
  expect(result).toMatchObject({outcome: "failed", reason: "exit code 3"});
  expect(result.output?.log).toBeUndefined();
});

test("a stage that cannot be started gives its room back", async () => {
  const logs = logsIn({mostBytes: 1_000_000});
  for (let times = 0; times < 3; times++) await stage("true\u0000", logs);
  expect(logs.begin("next")?.maxBytes).toBe(1_000_000);
});
