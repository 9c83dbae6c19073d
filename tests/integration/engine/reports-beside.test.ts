/** Reports that stand beside what a runner prints: asked or not, it prints the same and ends alike, and its tests see nothing of it. */
import {chmodSync, existsSync, readdirSync} from "node:fs";
import {homedir} from "node:os";
import {delimiter, join} from "node:path";
import {afterEach, beforeEach, describe, expect, it} from "vitest";
import {rerunOf} from "../../../src/diagnostics/rerun.ts";
import {failedIn} from "../../../src/engine/flakes/flaky.ts";
import {wholeText} from "../../../src/engine/stage/stage.ts";
import type {StageResult} from "../../../src/record/evidence.ts";
import {missing} from "../../ecosystems/tools.ts";
import {everyNth} from "../../sweep.ts";
import {type Files, openRoom, type Room} from "./asked.ts";

let room: Room;
beforeEach(() => {
  room = openRoom();
});
afterEach(() => room.remove());

const NODE = {
  "a.test.mjs": `import {after, describe, it, test} from "node:test";
const fails = () => { throw new Error("no <x>"); };
describe("basket", () => {
  it('costs $5 > "more"', fails);
  it("ok", () => {});
  it.skip("skipped", fails);
  it.todo("to do", fails);
});
test("outer", async (t) => { await t.test("inner", fails); await t.test("fine", () => {}); });
test("own", async (t) => { await t.test("fine", () => {}); fails(); });
describe("hooked", () => { after(fails); it("ok", () => {}); });
describe.skip("left out", () => { it("never", fails); });
`,
  "broken.test.mjs": 'import "./nothing.mjs";',
  // What a test starts is asked for nothing, and prints to nobody.
  "clean.test.mjs": `import {spawnSync} from "node:child_process";
import {test} from "node:test";
test("sees the owner's options alone", () => {
  if (process.env.NODE_OPTIONS !== "--no-warnings") throw new Error(process.env.NODE_OPTIONS);
  const {NODE_TEST_CONTEXT, ...env} = process.env;
  const {status} = spawnSync(process.execPath, ["--test", "inside/red.test.mjs"], {env});
  if (status !== 1) throw new Error("red is not red");
});
`,
  "inside/red.test.mjs": 'import {test} from "node:test"; test("red", () => { throw 1; });',
};
const NODE_CALL = "--test a.test.mjs broken.test.mjs clean.test.mjs";
const DENO = {
  "basket_test.ts": `Deno.test('costs $5 > "more"', () => { throw new Error("no <x>"); });
Deno.test("ok", () => {});
Deno.test("steps", async (t) => { await t.step("inner", () => { throw new Error("no"); }); await t.step("fine", () => {}); });
Deno.test({name: "skipped", ignore: true, fn() {}});
`,
  "broken_test.ts": 'throw new Error("at load");',
};
const GO = {
  "go.mod": "module example.com/x\n\ngo 1.19\n",
  "a/a_test.go": `package a
import "testing"
func TestOk(t *testing.T) {}
func TestBad(t *testing.T) { t.Run("two words", func(t *testing.T) { t.Error("no <x>") }) }
func TestSkipped(t *testing.T) { t.Skip("why") }
`,
  "b/b_test.go": 'package b\nimport "testing"\nfunc TestX(t *testing.T) { nothing() }\n',
};

const RUST = {
  "Cargo.toml": '[package]\nname = "basket"\nversion = "0.1.0"\nedition = "2021"\n',
  "src/lib.rs": `#[cfg(test)]
mod tests {
    #[test] fn ok() {}
    #[test] fn bad() { panic!("no <x>"); }
    #[test] #[ignore] fn later() {}
    #[test] fn aborts() { std::process::abort() }
}
`,
  "tests/it.rs": '#[test] fn whole() { panic!("it") }',
};

interface Runner {
  readonly title: string;
  readonly tool: string;
  readonly programs: readonly string[];
  readonly files: Files;
  readonly command: string;
  readonly env?: Files;
  readonly counts: NonNullable<StageResult["tests"]>;
  readonly failed: readonly (readonly [string | null, string | null, string])[];
}

const node = (program: string, title: string): Runner => ({
  ...{title, tool: "node:test", programs: [], files: NODE, command: `${program} ${NODE_CALL}`},
  env: {NODE_OPTIONS: "--no-warnings"},
  counts: {passed: 5, failed: 5, skipped: 2},
  failed: [
    ["a.test.mjs", 'costs $5 > "more"', 'basket > costs $5 > "more"'],
    ["a.test.mjs", "inner", "outer > inner"],
    ["a.test.mjs", "own", "own"],
    ["a.test.mjs", "hooked", "hooked"],
    ["broken.test.mjs", null, expect.stringMatching(/broken\.test\.mjs$/)],
  ],
});
/** npm puts this package's own Node in front of it. */
const folders = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => !folder.includes("node_modules"));
const machines = folders.map((folder) => join(folder, "node")).find((path) => existsSync(path)) ?? process.execPath;
const RUNNERS: readonly Runner[] = [
  node(machines, "node:test of the machine's Node"),
  node(join(import.meta.dirname, "../../../node_modules/node/bin/node"), "node:test of Node 24"),
  {
    ...{title: "deno", tool: "deno", programs: ["deno"], files: DENO, command: "deno test --no-check"},
    counts: {passed: 2, failed: 3, skipped: 1},
    failed: [
      ["./basket_test.ts", 'costs $5 > "more"', 'costs $5 > "more"'],
      ["./basket_test.ts", "steps", "steps"],
      ["./basket_test.ts", "steps > inner", "steps > inner"],
    ],
  },
  {
    ...{title: "go test", tool: "go test", programs: ["go"], files: GO, command: "go test -p 1 -vet=off ./..."},
    env: {GOCACHE: process.env["GOCACHE"] ?? join(homedir(), ".cache/go-build")},
    counts: {passed: 1, failed: 3, skipped: 1},
    failed: [
      ["example.com/x/a", "TestBad/two_words", "TestBad/two_words"],
      ["example.com/x/a", "TestBad", "TestBad"],
      ["example.com/x/b", null, "example.com/x/b"],
    ],
  },
  {
    ...{title: "gotestsum", tool: "gotestsum", programs: ["gotestsum", "go"], files: GO},
    command: "gotestsum -- -p 1 -vet=off ./...",
    env: {GOCACHE: process.env["GOCACHE"] ?? join(homedir(), ".cache/go-build")},
    counts: {passed: 1, failed: 3, skipped: 1},
    failed: [
      ["example.com/x/a", "TestBad/two_words", "TestBad/two_words"],
      ["example.com/x/a", "TestBad", "TestBad"],
      [null, null, "TestMain"],
    ],
  },
  {
    ...{title: "nextest", tool: "nextest", programs: ["cargo-nextest", "cargo"], files: RUST},
    command: "cargo nextest run --no-fail-fast -j1",
    env: {HOME: homedir(), RUST_BACKTRACE: "0"},
    counts: {passed: 1, failed: 3, skipped: 0},
    failed: [
      ["basket", "tests::aborts", "basket tests::aborts"],
      ["basket", "tests::bad", "basket tests::bad"],
      ["basket::it", "whole", "basket::it whole"],
    ],
  },
];

const text = ({output}: StageResult): string => wholeText(output ?? {head: "", tail: "", droppedBytes: 0});
/** What differs from one run to the next. */
const still = (printed: string): string[] =>
  printed
    .replace(/\(?\b\d+(?:\.\d+)?(?:ms|µs|s)\)?|duration_ms:? [\d.]+/g, "TIME")
    // The go command sums up in one word, but not where it prints events.
    .replace(/(?<=\[build failed\]\n)FAIL\n/, "")
    .replace(/^ +Compiling .*\n|(?<=run ID )\S+|(?<=^ +thread '.*' )\(\d+\)/gm, "")
    .split("\n");

describe.each(everyNth(RUNNERS, 2))("$title", ({tool, programs, files, command, env = {}, counts, failed}) => {
  const absent = missing(programs);
  const title = absent.length === 0 ? "" : ` (not here: ${absent.join(", ")})`;
  it.skipIf(absent.length > 0)(`prints the same, ends alike, and names what failed${title}`, async () => {
    room.place(files);
    const unasked = await room.look(command, {asks: false, env});
    const asked = await room.look(command, {env});
    // The go command prints compiler errors to another stream than results: two pipes keep no order between them.
    const inOrder = (lines: string[]) => (tool === "go test" ? lines.toSorted() : lines);
    expect(inOrder(still(text(asked)))).toEqual(inOrder(still(text(unasked))));
    expect(asked.exit).toEqual(unasked.exit);
    expect(unasked.reported).toBeUndefined();
    expect(asked).toMatchObject({outcome: "failed", command, reported: {tool, counts}});
    expect(asked.reported?.failed.map(({file, name, title}) => [file, name, title])).toEqual(failed);
    for (const {message} of asked.reported?.failed ?? []) expect(message).not.toMatch(/^=== |^Failed$/);
  });
});

/** Modules for the process that runs the test files, not for these. */
const ALONE = "if (process.env.NODE_TEST_CONTEXT === undefined) ";
const SWALLOWS = `${ALONE}process.on("exit", () => { process.exitCode = 0; });`;
const QUIET = `${ALONE}{
  process.stdout.write = (_, form, done) => { done?.(); return true; };
  process.on("exit", () => console.error("1 failed"));
}`;
const FINE = 'import {test} from "node:test"; test("fine", () => {});';
const RED = 'import {test} from "node:test"; test("red", () => { throw new Error("no"); });';

describe("gotestsum", () => {
  it("keeps the file that the owner names for it", async () => {
    room.place({gotestsum: '#!/bin/sh\necho "$GOTESTSUM_JUNITFILE"\n'});
    chmodSync(join(room.folder, "checkout/gotestsum"), 0o755);
    expect(text(await room.look("./gotestsum", {env: {GOTESTSUM_JUNITFILE: "own.xml"}}))).toBe("own.xml\n");
  });
});

/** Only the part of nextest that is asked: reads where to write from the settings, and writes what nextest 0.9.151 wrote there. */
const CARGO = `#!/bin/bash
settings="\${@: -1}"
path=$(sed -n '/^\\[profile\\.default\\.junit\\]$/,$ s/^path = "\\(.*\\)"$/\\1/p' "\${settings#assay:}")
cat >"$path" <<'XML'
<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="nextest-run" tests="2" skipped="0" failures="1" errors="0" time="0.372">
    <testsuite name="basket::it" tests="2" skipped="0" errors="0" failures="1">
        <testcase name="whole" classname="basket::it" time="0.285">
            <failure message="thread &apos;whole&apos; (48) panicked at tests/it.rs:1:22" type="test failure with exit code 101">it</failure>
            <system-out>running 1 test</system-out>
        </testcase>
        <testcase name="at_last" classname="basket::it" time="0.259"><flakyFailure message="no" type="test failure"/></testcase>
    </testsuite>
</testsuites>
XML
exit 100
`;

describe("nextest", () => {
  it("is asked by settings of a file, which is gone when it has run", async () => {
    room.place({cargo: CARGO});
    chmodSync(join(room.folder, "checkout/cargo"), 0o755);
    const {reported} = await room.look("./cargo nextest run --workspace");
    expect(reported).toMatchObject({
      ...{tool: "nextest", counts: {passed: 1, failed: 1, skipped: 0}},
      failed: [{file: "basket::it", name: "whole", message: "thread 'whole' panicked at tests/it.rs:1:22"}],
    });
    expect(readdirSync(join(room.folder, "scratch"))).toEqual([]);
  });
});

describe("node:test", () => {
  const runs = `${process.execPath} --test`;

  it("takes a pass away where the exit code was swallowed", async () => {
    room.place({"a.test.mjs": RED, "ok.test.mjs": FINE, "swallow.cjs": SWALLOWS});
    const line = `${process.execPath} -r ./swallow.cjs --test`;
    // Its last summary does, too.
    expect(await room.look(line, {asks: false})).toMatchObject({outcome: "failed", exit: {kind: "exited", code: 0}});
    expect(await room.look(line)).toMatchObject({
      ...{outcome: "failed", failureKind: "code", exit: {kind: "exited", code: 0}},
      reason: "exit code 0, but the report of node:test has 1 failed: red",
    });
  });

  it("is run again by its files, from the report alone", async () => {
    room.place({"sub/a.test.mjs": RED, "sub/ok.test.mjs": FINE, "quiet.cjs": QUIET});
    const command = `${process.execPath} -r ../quiet.cjs --test`;
    const quiet = await room.look(command, {cwd: "sub"});
    expect(text(quiet)).toBe("1 failed\n");
    const failed = failedIn(quiet);
    expect(failed).toMatchObject({tool: "node:test", isComplete: true, tests: [{file: "sub/a.test.mjs", name: "red"}]});
    const rerun = failed && rerunOf({command, cwd: "sub", failed, scripts: {}});
    expect(rerun).toMatchObject({command: `${command} a.test.mjs`, tests: 1});
  });

  it.each([
    ["a reporter of the owner's own", {NODE_OPTIONS: "--test-reporter=dot"}, runs],
    ["a reporter in the command", {}, `${runs} --test-reporter=dot`],
    ["a loader", {}, `${runs} --experimental-loader=./loader.mjs`],
  ])("is not asked beside %s", async (_, env, command) => {
    room.place({"a.test.mjs": FINE, "loader.mjs": ""});
    const result = await room.look(command, {env});
    expect(result).toMatchObject({outcome: "passed"});
    expect(result.reported).toBeUndefined();
  });

  it("is run as planned where Node does not know the question", async () => {
    const older =
      '#!/bin/sh\n[ -z "$NODE_OPTIONS" ] || { echo "$0: --test-reporter= is not allowed in NODE_OPTIONS" >&2; exit 9; }\n';
    room.place({"a.test.mjs": FINE, "bin/node": `${older}exec ${process.execPath} "$@"\n`});
    chmodSync(join(room.folder, "checkout/bin/node"), 0o755);
    const result = await room.look("./bin/node --test");
    expect(result).toMatchObject({outcome: "passed", tests: {passed: 1}});
    expect(result.reported).toBeUndefined();
  });
});
