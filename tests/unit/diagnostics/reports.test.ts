/** Reports for machines: who is asked and how, what is read from them, and documents that want to hurt the reader. */
import {describe, expect, it} from "vitest";
import {readJson} from "../../../src/diagnostics/reports/json.ts";
import {readJunit} from "../../../src/diagnostics/reports/junit.ts";
import {failedInReport, saysNoneRan, withReport} from "../../../src/diagnostics/reports/reconcile.ts";
import {reportRequestFor} from "../../../src/diagnostics/reports/request-report.ts";
import {openTally} from "../../../src/diagnostics/reports/tally.ts";
import type {Diagnostic, Reported} from "../../../src/record/evidence.ts";

/** What a record shows: the list of the other tests is only for the comparison of two runs. */
function withoutOthers({others: _, ...report}: Omit<Reported, "tool">): Omit<Reported, "tool"> {
  return report;
}

const SCRIPTS = {
  test: "vitest run",
  unit: "tsc && jest --ci",
  piped: "vitest run | tee log",
  py: "pytest -q",
  node: "node --test",
};
const ask = (command: string) => reportRequestFor({command, scripts: SCRIPTS, file: "/tmp/r"});
const VITEST = "--reporter=default --reporter=junit --outputFile.junit=/tmp/r";

describe("a command is asked", () => {
  it.each([
    ["vitest run", `vitest run ${VITEST}`],
    ["npm run build && npx vitest run src", `npm run build && npx vitest run src ${VITEST}`],
    ["npm test", `npm test -- ${VITEST}`],
    ["npm test -- --silent", `npm test -- --silent ${VITEST}`],
    ["vitest run --reporter=json --outputFile=a", "vitest run --reporter=json --outputFile=a --reporter=default"],
    ["pnpm run test", `pnpm run test ${VITEST}`],
    ["yarn unit", "yarn unit --json --outputFile=/tmp/r"],
    ["vendor/bin/phpunit --testsuite unit", "vendor/bin/phpunit --testsuite unit --log-junit /tmp/r"],
    ["bundle exec rspec", "bundle exec rspec --format progress --format json --out /tmp/r"],
    ["deno test -A --parallel", "deno test -A --parallel --junit-path=/tmp/r"],
    ["cargo +nightly nextest run --all", "cargo +nightly nextest run --all --tool-config-file assay:/tmp/r.toml"],
    ["cmake --build b && ctest --test-dir b", "cmake --build b && ctest --test-dir b --output-junit /tmp/r"],
  ])("%s", (command, expected) => {
    expect(ask(command)).toMatchObject({command: expected, variables: {}});
  });

  it.each(["pytest", "uv run pytest -q tests", "python -m pytest", "npm run py"])("by a variable: %s", (command) => {
    const words = "--junitxml=/tmp/r -o junit_family=xunit1 --continue-on-collection-errors";
    const variables = {PYTEST_ADDOPTS: words};
    expect(ask(command)).toMatchObject({command, variables});
  });

  it("by a variable, whatever is for the tests", () => {
    const command = "go vet ./... && gotestsum --format dots -- -race ./...";
    expect(ask(command)).toMatchObject({command, variables: {GOTESTSUM_JUNITFILE: "/tmp/r"}});
  });

  it.each(["node --test", "npm run node", "c8 node --import tsx --test test/*.ts", "tsx --test"])(
    "by two reporters, as words that need no quotes: %s",
    (command) => {
      const {NODE_OPTIONS = ""} = ask(command)?.variables ?? {};
      expect(NODE_OPTIONS).toMatch(
        /^--test-reporter=\S+ --test-reporter-destination=stdout(?: --test-reporter=\S+ \S+)$/,
      );
      expect(NODE_OPTIONS).not.toMatch(/["'\\]/);
    },
  );

  it.each([
    ["mvn -B verify", " --fail-at-end"],
    ["mvn -fn verify", ""],
    ["./gradlew check", " --continue"],
    ["./gradlew check --no-continue", ""],
  ])("for no report, because it writes one in any case: %s", (command, more) => {
    const request = {kind: "written"};
    expect(ask(command)).toMatchObject({command: `${command}${more}`, variables: {}, rule: {request}});
  });

  it.each([
    ["a report of its own", "vitest run --reporter=verbose"],
    ["a report of its own behind a script's name", "npm test -- --reporter=verbose"],
    ["a report that is its output", "vitest run --reporter=json"],
    ["settings in another place", "vitest run --config=ci.ts"],
    ["words for the tests", "jest -- a"],
    ["another command behind it", "vitest run; true"],
    ["a result that is turned round", "! vitest run"],
    ["an opaque script", "make test"],
    ["a pipe", "npm run piped"],
    ["a command that runs in the background", "vitest run &"],
    ["a remark", "vitest run # all"],
    ["a word that only the shell knows", "vitest run $FILES"],
    ["no test at all", "tsc --noEmit"],
    ["a reporter of Node's own", "node --test --test-reporter=dot"],
    ["a file that may set Node's options", "node --env-file=.env --test"],
    ["what lists tests and runs none", "cargo nextest list"],
    ["gotestsum's own file", "gotestsum --junitfile=own.xml"],
    ["an RSpec with a form of its own", "rspec -fd"],
  ])("not with %s", (_, command) => {
    expect(ask(command)).toBeNull();
  });
});

const plain = {
  identify: ({classname, name}: {classname: string; name: string}) => ({
    file: null,
    name,
    title: `${classname} ${name}`,
  }),
};
async function xml(text: string | AsyncIterable<string>, isLenient = false) {
  const tally = openTally({isLenient});
  const parts = typeof text === "string" ? parted(text) : text;
  return (await readJunit({parts, form: plain, tally})) ? withoutOthers(tally.result()) : null;
}
async function* parted(text: string) {
  for (let at = 0; at < text.length; at += 7) yield text.slice(at, at + 7);
}
describe("JUnit's XML", () => {
  it("is read whatever it was cut into, with its entities and its text", async () => {
    const report = await xml(`<?xml version="1.0"?><testsuites><testsuite><testcase name="a &lt; b" classname="C"/>
<testcase name="t" classname="C"><error type="E"><![CDATA[
C t
told <here>
]]></error><error message="a second"/></testcase>
<testcase name="s" classname="C"><skipped/><failure message="to do"/></testcase>
<testcase name="f" classname="C"><flakyFailure message="at first"/><system-out><failure/></system-out></testcase>
</testsuite></testsuites>`);
    expect(report).toEqual({
      counts: {passed: 2, failed: 1, skipped: 1},
      failed: [{file: null, name: "t", title: "C t", message: "told <here>"}],
    });
  });

  it("names a passed test that failed in an earlier try, as surefire and nextest write it", async () => {
    const text = `<testsuite><testcase name="opens" classname="it.Socket"><flakyFailure message="refused" type="E"><stackTrace/>
</flakyFailure><flakyError type="E"/></testcase><testcase name="closes"><failure/><rerunFailure/></testcase></testsuite>`;
    expect(await xml(text, true)).toMatchObject({counts: {passed: 1, failed: 1}, retried: ["it.Socket opens"]});
  });

  it("counts a test that failed and then passed as both, and in a run that passed as one", async () => {
    const text = '<testsuite><testcase name="a"><failure/></testcase><testcase name="a"/></testsuite>';
    expect((await xml(text))?.counts).toEqual({passed: 1, failed: 1, skipped: 0});
    const counts = {passed: 1, failed: 0, skipped: 0};
    expect(await xml(text, true)).toEqual({counts, failed: [], retried: [" a"]});
  });

  it.each([
    ["nothing", ""],
    ["no XML", "5 passed"],
    ["another document", "<html></html>"],
    ["a part of it", "<testsuite><testcase name='a'></testcase>"],
    ["a method's name as an attribute", "<testsuite hasOwnProperty='1' a='2'/>"],
    [
      "an entity of its own",
      '<!DOCTYPE s [<!ENTITY a "a"><!ENTITY b "&a;&a;">]><testsuite><testcase name="&b;"/></testsuite>',
    ],
    [
      "a file of the machine",
      '<!DOCTYPE s [<!ENTITY a SYSTEM "file:///etc/passwd">]><testsuite><testcase name="x">&a;</testcase></testsuite>',
    ],
  ])("is not read from %s", async (_, text) => {
    expect(await xml(text)).toBeNull();
  });

  it.each([
    ["without end in depth", () => "<a>", 1],
    ["without end in attributes", (at: number) => ` a${at}='1'`, 1],
    ["with one attribute again and again", () => " a='1'", 64],
    ["without end in one name", () => "a", 2],
    ["that is one long remark", (at: number) => (at === 0 ? "><!-- " : "a"), 2],
  ])("takes little of a document of 4 MB %s", async (_, part, most) => {
    let taken = 0;
    async function* endless() {
      yield part(1) === "<a>" ? "<testsuite>" : "<testsuite ";
      for (; taken < 64; taken++) {
        let text = "";
        for (let at = taken * 65_536; text.length < 65_536; at++) text += part(at);
        yield text;
      }
    }
    const before = process.memoryUsage().rss;
    expect(await xml(endless())).toBeNull();
    expect(taken).toBeLessThanOrEqual(most);
    expect(process.memoryUsage().rss - before).toBeLessThan(50 * 1024 * 1024);
  });

  it("names at most 200 failed tests and counts all", async () => {
    const one = (at: number) => `<testcase name="t${at}"><failure message="${"x".repeat(2000)}"/></testcase>`;
    const report = await xml(`<testsuite>${Array.from({length: 300}, (_, at) => one(at)).join("")}</testsuite>`);
    expect(report).toMatchObject({counts: {failed: 300}, failed: {length: 200}});
    expect(report?.failed[0]?.message).toHaveLength(500);
    expect(
      failedInReport({tool: "vitest", counts: {passed: 0, failed: 300, skipped: 0}, failed: report?.failed ?? []}, "x"),
    ).toBeNull();
  });
});

/** As jest 30 wrote it, shortened. */
const JEST = {
  numFailedTests: 1,
  testResults: [
    {
      name: "/work/a.test.js",
      status: "failed",
      message: "  ● basket › costs $5\n\n",
      assertionResults: [
        {
          ancestorTitles: ["basket"],
          title: "costs $5",
          status: "failed",
          failureMessages: ["Error: expect(received).toBe(expected)\n    at x"],
        },
        {ancestorTitles: ["basket"], title: "ok", status: "passed", failureMessages: []},
        {ancestorTitles: ["basket"], title: "s", status: "pending", failureMessages: []},
        {ancestorTitles: ["basket"], title: "t", status: "todo", failureMessages: []},
      ],
    },
    {
      name: "/work/b.test.js",
      status: "failed",
      message: "  ● Test suite failed to run\n\n    Cannot find module './nothing'",
      assertionResults: [],
    },
  ],
};

describe("jest's JSON", () => {
  const read = (text: string, isLenient = false) => {
    const tally = openTally({isLenient});
    return readJson({text, form: "jestJson", tally}) ? withoutOthers(tally.result()) : null;
  };
  it("names tests as jest prints them, and files that could not be loaded", () => {
    expect(read(JSON.stringify(JEST))).toEqual({
      counts: {passed: 1, failed: 2, skipped: 2},
      failed: [
        {
          file: "/work/a.test.js",
          name: "basket › costs $5",
          title: "basket › costs $5",
          message: "Error: expect(received).toBe(expected)",
        },
        {file: "/work/b.test.js", name: null, title: "/work/b.test.js", message: "Cannot find module './nothing'"},
      ],
    });
  });
  it("names a test that passed at its second try, as jest 29 wrote it, shortened", () => {
    const test = {ancestorTitles: ["the socket"], failureMessages: [], retryReasons: [], status: "passed"};
    const assertionResults = [
      {...test, title: "opens", invocations: 2},
      {...test, title: "is plain", invocations: 1},
    ];
    const text = JSON.stringify({testResults: [{name: "/a.test.js", status: "passed", message: "", assertionResults}]});
    expect(read(text, true)).toMatchObject({retried: ["the socket › opens"]});
  });
  it.each(["", "{", "[]", "null", '{"testResults": [{}]}'])("is not read from %j", (text) => {
    expect(read(text)).toBeNull();
  });
});

const item = (testId: string | undefined, message: string): Diagnostic => ({
  tool: "pytest",
  message,
  severity: "error",
  ...(testId && {testId}),
});
const reported = (titles: readonly string[], passed = 0): Reported => ({
  tool: "pytest",
  counts: {passed, failed: titles.length, skipped: 0},
  failed: titles.map((title) => ({file: "a.py", name: title, title, message: "no"})),
});

const part = (one: Reported | null) => ({reported: one, isWhole: false});

describe("beside the output", () => {
  const read = {
    items: [item("TestBasket.test_a", "why")],
    kind: "code" as const,
    tests: {passed: 3, failed: 1, skipped: 0},
  };
  it("a report adds the failed tests that the output does not name, each once", () => {
    const {items, tests} = withReport(read, part(reported(["TestBasket::test_a", "TestBasket::test_ab"], 4)));
    expect(items.map(({testId, message}) => [testId, message])).toEqual([
      ["TestBasket.test_a", "why"],
      ["TestBasket::test_ab", "no"],
    ]);
    expect(tests).toEqual({passed: 4, failed: 2, skipped: 0});
  });
  it("a report of a part hides nothing", () => {
    expect(withReport(read, part(reported([], 1)))).toEqual(read);
    expect(withReport(read, part(null))).toBe(read);
  });
  it("a report of all tests counts more than what a test prints", () => {
    const {tests} = withReport(read, {reported: reported([], 1), isWhole: true});
    expect(tests).toEqual({passed: 1, failed: 1, skipped: 0});
  });
  it("a report that has more tests, but not the file that could not be loaded, hides no failure", () => {
    expect(withReport(read, part(reported([], 9))).tests).toEqual({passed: 9, failed: 1, skipped: 0});
  });
  it("one that says that no test ran is believed", () => {
    const none = {passed: 0, failed: 0, skipped: 3};
    expect(saysNoneRan(null, null)).toBe(false);
    expect(saysNoneRan({passed: 5, failed: 0, skipped: 0}, {tool: "pytest", counts: none, failed: []})).toBe(true);
    expect(saysNoneRan(none, reported([], 5))).toBe(true);
    expect(saysNoneRan(null, reported([], 5))).toBe(false);
  });
});
