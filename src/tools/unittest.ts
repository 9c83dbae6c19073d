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

/** A class that extends a test case, and its body. */
const CASES = /^class\s+(\w+)\([^\n]*TestCase\):.*\n(?:(?:[ \t].*)?\n?)*/gm;
/** What a class has besides its tests, and what the file does to it, can change how they end. */
const OTHER_CODE = /^(?: {1,4}|\t)(?:(?:async\s+)?def\s+(?!test)\w+|\w+\s*=)/m;
const isAltered = (name: string, body: string, text: string): boolean =>
  OTHER_CODE.test(body) || new RegExp(`^(?:setattr\\()?${name}\\b`, "m").test(text);

export const unittestIntegrity: ToolIntegrity = {
  writeCanary(text, name) {
    if (!/\bunittest\b/.test(text) || !/^class\s+\w+\(.*TestCase\)/m.test(text)) return null;
    const altered = [...text.matchAll(CASES)].find(([body, owner = ""]) => isAltered(owner, body, text));
    const base = altered?.[1] ?? /^class\s+\w+\(([\w.]*TestCase)\)/m.exec(text)?.[1] ?? "unittest.TestCase";
    return [`class Test${name.slice(11)}(${base}):`, `    def ${name}(self):`, "        self.assertEqual(1, 2)"];
  },
};
