/** Reports for machines, asked of the real runners: exact tests from output that names none, and no pass where one failed. */
import {chmodSync, existsSync, readdirSync, symlinkSync, utimesSync} from "node:fs";
import {join} from "node:path";
import {setTimeout} from "node:timers/promises";
import {afterEach, beforeEach, describe, expect, it} from "vitest";
import {rerunOf} from "../../../src/diagnostics/rerun.ts";
import {failedIn} from "../../../src/engine/flakes/flaky.ts";
import {wholeText} from "../../../src/engine/stage/stage.ts";
import {missing} from "../../ecosystems/tools.ts";
import {someOf} from "../../sweep.ts";
import {type Files, openRoom, type Room} from "./asked.ts";

let open: Room;
let room = "";
beforeEach(() => {
  open = openRoom();
  room = open.folder;
});
afterEach(() => open.remove());
const place: Room["place"] = (files) => open.place(files);
const look: Room["look"] = (command, options) => open.look(command, options);

const PYTEST = {
  "tests/test_a.py": `import pytest
class TestBasket:
    @pytest.mark.parametrize("v", ["two words", "a::b", "x - y"])
    def test_holds(self, v): assert v == "a::b"
def test_ok(): pass
@pytest.mark.skip
def test_later(): pass
@pytest.fixture
def broken(): raise RuntimeError("no <fixture>")
def test_setup(broken): pass
`,
};
const PHPUNIT = {
  "tests/BasketTest.php": `<?php
final class BasketTest extends PHPUnit\\Framework\\TestCase {
  /** @dataProvider sums */
  public function testAdds(int $a, int $b): void { $this->assertSame($a, $b); }
  public static function sums(): array { return ['one two' => [1, 2], 'same' => [1, 1]]; }
  public function testRisky(): void { }
  public function testSkipped(): void { $this->markTestSkipped('no'); }
}
`,
};
const RSPEC = {
  "spec/basket_spec.rb": `RSpec.describe "A basket" do
  it("is fine") { expect(1).to eq 1 }
  it("waits")
  [1, 2].each { |n| it("has one title") { expect(n).to eq 1 } }
end
`,
};
const VITEST = {
  "package.json": '{"type": "module"}',
  "basket.test.ts": `import {describe, expect, it} from "vitest";
describe("basket", () => { it("costs $5 > more", () => expect(1).toBe(2)); it("ok", () => {}); it.skip("s", () => {}); });
`,
  "broken.test.ts": 'import "./nothing.ts";',
};
const BUN = {"basket.test.ts": VITEST["basket.test.ts"].replace('"vitest"', '"bun:test"')};
const CTEST = {"CTestTestfile.cmake": 'add_test(adds "/bin/true")\nadd_test(costs "/bin/false")\n'};
/** What is quiet here prints no name of a failed test, so that the output alone tells less, or nothing. */
const RUNNERS = [
  {
    ...{tool: "pytest", program: "pytest", files: PYTEST, command: "pytest -q -q --no-summary --tb=no"},
    counts: {passed: 2, failed: 3, skipped: 1},
    failed: [
      ["tests/test_a.py", "TestBasket::test_holds[two words]"],
      ["tests/test_a.py", "TestBasket::test_holds[x - y]"],
      ["tests/test_a.py", "test_setup"],
    ],
  },
  {
    ...{tool: "phpunit", program: "phpunit", files: PHPUNIT, command: "phpunit --no-configuration --testdox tests"},
    counts: {passed: 2, failed: 1, skipped: 1},
    failed: [[null, "BasketTest::testAdds"]],
  },
  {
    ...{tool: "rspec", program: "rspec", files: RSPEC, command: "rspec"},
    counts: {passed: 2, failed: 1, skipped: 1},
    failed: [["./spec/basket_spec.rb", "[1:4]"]],
  },
  {
    ...{tool: "vitest", program: "vitest", files: VITEST, command: "vitest run --silent"},
    counts: {passed: 1, failed: 2, skipped: 1},
    failed: [
      ["basket.test.ts", "basket > costs $5 > more"],
      ["broken.test.ts", null],
    ],
  },
  {
    ...{tool: "bun", program: "bun", files: BUN, command: "bun test"},
    counts: {passed: 1, failed: 1, skipped: 1},
    failed: [["basket.test.ts", "costs $5 > more"]],
  },
  {
    ...{tool: "ctest", program: "ctest", files: CTEST, command: "ctest -Q"},
    counts: {passed: 1, failed: 1, skipped: 0},
    failed: [[null, "costs"]],
  },
];

describe.each(someOf(RUNNERS, 3))("$tool", ({tool, program, files, command, counts, failed}) => {
  const absent = missing([program]);
  const title = absent.length === 0 ? "" : ` (not here: ${absent.join(", ")})`;
  it.skipIf(absent.length > 0)(`names exactly the tests that failed${title}`, async () => {
    place(files);
    if (tool === "vitest")
      symlinkSync(join(import.meta.dirname, "../../../node_modules"), join(room, "checkout/node_modules"));
    const result = await look(command);
    expect(result).toMatchObject({outcome: "failed", command, tests: counts, reported: {tool, counts}});
    expect(result.reported?.failed.map(({file, name}) => [file, name])).toEqual(failed);
    // Each of them is an item with a test, and nothing shows that a report was asked for.
    expect(result.diagnostics.filter(({severity}) => severity === "error").length).toBeGreaterThanOrEqual(
      failed.length,
    );
    expect(wholeText(result.output ?? {head: "", tail: "", droppedBytes: 0})).not.toContain("assay-report");
    expect(readdirSync(join(room, "scratch")).filter((name) => name.startsWith("assay-report"))).toEqual([]);
  });
});

const lacks = (...programs: string[]) => missing(programs).length > 0;
/** Ends pytest with success whatever happened, and prints what it likes. */
const SWALLOWS = (says: string) => `def pytest_sessionfinish(session):
    print(${JSON.stringify(says)})
    session.exitstatus = 0
`;
const FORGED = "\n===== 5 passed in 0.10s =====\n";

describe.skipIf(lacks("pytest"))("a report takes a pass away", () => {
  it("where tests failed and the command ends with success", async () => {
    place({...PYTEST, "conftest.py": SWALLOWS(FORGED)});
    expect(await look("pytest -p no:terminal", {asks: false})).toMatchObject({outcome: "passed"});
    expect(await look("pytest -p no:terminal")).toMatchObject({
      ...{outcome: "failed", failureKind: "code", exit: {kind: "exited", code: 0}},
      reason: "exit code 0, but the report of pytest has 3 failed: TestBasket::test_holds[two words]",
    });
  });

  it.skipIf(lacks("rspec"))("where the runner is told to end with success", async () => {
    place(RSPEC);
    const swallowed = await look("rspec --failure-exit-code 0");
    expect(swallowed).toMatchObject({outcome: "failed", failureKind: "code", exit: {code: 0}});
  });

  it("where no test ran, whatever is printed", async () => {
    place({"conftest.py": SWALLOWS(FORGED), "test_none.py": ""});
    expect(await look("pytest -p no:terminal", {asks: false})).toMatchObject({outcome: "passed", tests: {passed: 5}});
    const result = await look("pytest -p no:terminal");
    expect(result).toMatchObject({outcome: "unavailable", failureKind: "no-check"});
  });

  it("and never gives one", async () => {
    // Says in its report that all is well, and ends with a failure.
    const forge = "import re\nimport _pytest.junitxml as j\nj._NodeReporter.append_failure = lambda *a: None\n";
    place({...PYTEST, "conftest.py": forge});
    const result = await look("pytest -q -k test_holds");
    expect(result).toMatchObject({outcome: "failed", failureKind: "code", reported: {counts: {failed: 0}}});
    expect(result.tests?.failed).toBe(2);
  });
});

describe.skipIf(lacks("pytest"))("pytest", () => {
  it("is run again alone on what it did not print", async () => {
    place(PYTEST);
    const quiet = await look("pytest -q -q --no-summary");
    expect(failedIn({...quiet, reported: undefined})).toBeNull();
    const failed = failedIn(quiet);
    expect(failed).toMatchObject({tool: "pytest", isComplete: true, tests: {length: 3}});
    const rerun = failed && rerunOf({command: "pytest -q -q --no-summary", cwd: ".", failed, scripts: {}});
    expect(await look(rerun?.command ?? "")).toMatchObject({outcome: "failed", tests: {passed: 0, failed: 3}});
    // A run that stopped at its first failure says nothing of the others.
    place({"pytest.ini": "[pytest]\naddopts = -x\n"});
    expect(failedIn(await look("pytest -q -q --no-summary"))).toMatchObject({isComplete: false, tests: {length: 1}});
  });

  it("is run as planned where it does not know the question", async () => {
    place({"test_a.py": "def test_a(): pass\n"});
    const result = await look("pytest -p no:junitxml");
    expect(result).toMatchObject({outcome: "passed", tests: {passed: 1}});
    expect(result.reported).toBeUndefined();
  });

  it("keeps a report of the project's own, and options that the owner gives", async () => {
    place({
      "a/test_a.py": "def test_a(): pass\ndef test_b(): pass\n",
      "pytest.ini": "[pytest]\naddopts = --junitxml=own.xml\n",
    });
    expect((await look("pytest", {cwd: "a"})).reported).toBeUndefined();
    expect(existsSync(join(room, "checkout/a/own.xml")) || existsSync(join(room, "checkout/own.xml"))).toBe(true);
    place({"pytest.ini": "[pytest]\n"});
    const env = {PYTEST_ADDOPTS: "-k test_b"};
    expect((await look("pytest", {env})).reported?.counts).toEqual({passed: 1, failed: 0, skipped: 0});
  });
});

const CASES = (body: string) =>
  `<testsuite><testcase name="adds" classname="example.SumTest">${body}</testcase></testsuite>`;
const RED = CASES("<failure message='no'/>");
/** A program by Maven's name, which does what the shell line says. */
const MVN = (line: string) => ({"bin/mvn": `#!/bin/sh\n${line}\n`});
const write = (path: string, text: string) =>
  `mkdir -p "$(dirname ${path})"; printf '%s' '${text.replaceAll("'", '"')}' >${path}`;

describe("files that a build writes in any case", () => {
  const mvn = async (files: Files) => {
    place(files);
    chmodSync(join(room, "checkout/bin/mvn"), 0o755);
    return look("./bin/mvn test");
  };
  const report = "target/surefire-reports/TEST-example.SumTest.xml";

  it("are read, of every module", async () => {
    const other = "b/target/failsafe-reports/TEST-example.SumIT.xml";
    const result = await mvn(MVN(`${write(report, CASES(""))}; ${write(other, RED)}; exit 1`));
    expect(result.reported).toEqual({
      ...{tool: "surefire", counts: {passed: 1, failed: 1, skipped: 0}},
      failed: [{file: null, name: "example.SumTest.adds", title: "example.SumTest.adds", message: "no"}],
      others: [{file: null, title: "example.SumTest.adds", outcome: "passed"}],
    });
    expect(result.diagnostics).toMatchObject([{tool: "surefire", testId: "example.SumTest.adds", message: "no"}]);
  });

  it("tell a test that was tried again until it passed from one of two by the same name", async () => {
    const twice = RED.replace("</testsuite>", '<testcase name="adds" classname="example.SumTest"/></testsuite>');
    expect(await mvn(MVN(write(report, twice)))).toMatchObject({outcome: "flaky", tests: {passed: 1, failed: 0}});
    const red = await mvn(MVN(`${write(report, twice)}; exit 1`));
    expect(red).toMatchObject({outcome: "failed", tests: {passed: 1, failed: 1}, diagnostics: {length: 1}});
  });

  it.each([
    ["were there before, even with a later date", "true", {[report]: RED}],
    ["are a link", `mkdir -p target/surefire-reports; ln -s ../../secret.xml ${report}`, {"secret.xml": RED}],
    ["are behind a link", "mkdir target; ln -s ../secret target/surefire-reports", {"secret/TEST-a.xml": RED}],
    ["are of builds that the tests ran", write(`target/it/some/${report}`, RED), {}],
    ["are cut short", write(report, RED.slice(0, -20)), {}],
    ["are no end", `mkdir -p target/surefire-reports; mkfifo ${report}`, {}],
    ["are too large", `${write(report, RED)}; head -c 40000000 /dev/zero | tr '\\0' '\\n' >>${report}`, {}],
  ])("do not count where they %s", async (_, line, before) => {
    place(before);
    const later = new Date(Date.now() + 3_600_000);
    for (const path of Object.keys(before)) utimesSync(join(room, "checkout", path), later, later);
    await setTimeout(20);
    const result = await mvn(MVN(line));
    expect(result).toMatchObject({outcome: "passed", tests: null});
    expect(result.reported).toBeUndefined();
  });
});
