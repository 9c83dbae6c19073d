/** Python's unittest. */
import {byName, fullName} from "./rerun-words.ts";
import type {Tool} from "./tool.ts";
import type {ToolCommand} from "./tool-command.ts";
import type {ToolIntegrity} from "./tool-integrity.ts";

/**
 * The class alone up to Python 3.10, class and method since; a fixture, or a module that cannot be loaded, has no
 * method.
 */
function methodName(owner: string, method: string): string {
  if (owner.startsWith("unittest.loader._FailedTest")) return method;
  if (["setUpClass", "setUpModule", "tearDownClass", "tearDownModule"].includes(method) || owner.endsWith(`.${method}`))
    return owner;
  return `${owner}.${method}`;
}

export const unittest: Tool = {
  name: "unittest",
  output: {
    markers: ["Traceback (most recent call last):"],
    blocks: [
      {
        start: /^(?:ERROR|FAIL): (?<testId>\w.*)$/,
        end: /^={50,}$|^Ran \d+ tests? in/,
        maxLines: 120,
        inside: [
          /^ {2}File "(?<file>(?!<|.*\/(?:lib\/python|site-packages|unittest)\/)[^"]+)", line (?<line>\d+)/,
          /^(?<message>[\w.]*(?:Error|Exception|Exit|Interrupt|Warning)\b.*)$/,
        ],
      },
    ],
  },
  summaries: [
    {
      pattern: /^Ran (?<ran>\d+) tests? in [^\n]*\s+(?:OK|FAILED|NO TESTS RAN)(?: \((?<list>[^\n)]*)\))?/gm,
      secondLine: ["\nok", "\nfailed", "\nno tests ran"],
    },
  ],
  failedTests: {
    nameOf: methodName,
    marker: /^Ran \d+ tests? in /,
    tests: [/^(?:FAIL|ERROR): (?<name>\w+) \((?<owner>[\w.]+)\)(?: [[(].*)?$/],
  },
  rerun: {
    calls: /^unittest(?: discover)?$|^python\d? manage\.py test$|^manage\.py test$/,
    narrow: (tests) => byName(tests, (names) => names.flatMap((name) => ["-k", name])),
    choose: (tests) => ({end: tests.flatMap((test) => ["-k", fullName(test, ".")])}),
    endsEarly: {end: ["--failfast"]},
  },
  earlyStop: {commands: ["unittest"], letters: "f"},
};

export const unittestCommand: ToolCommand = {
  kinds: {test: ["unittest", "manage.py", "./manage.py", "/manage.py"]},
  reads: {
    family: "python",
    commands: ["unittest", ...["python", "python2", "python3"].map((python) => `${python} manage.py test`)],
  },
  testCount: {commands: ["unittest"]},
};

export const unittestIntegrity: ToolIntegrity = {
  writeCanary(text, name) {
    if (!/\bunittest\b/.test(text) || !/^class\s+\w+\(.*TestCase\)/m.test(text)) return null;
    const base = /^class\s+\w+\(([\w.]*TestCase)\)/m.exec(text)?.[1] ?? "unittest.TestCase";
    return [`class Test${name.slice(11)}(${base}):`, `    def ${name}(self):`, "        self.fail()"];
  },
};
