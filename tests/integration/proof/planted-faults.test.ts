/** A fault in the product that the default branch's tests notice: a change whose own tests do not notice it gets a flag. */
import {describe, expect, it} from "vitest";
import {DEFAULT_CONFIG} from "../../../src/detect/config/config.ts";
import {someOf} from "../../sweep.ts";
import {openWorkshop, stageOf} from "../verify/workshop.ts";

const BANK = `class Bank:
    def __init__(self):
        self.accounts = {}

    def open(self, name, amount):
        self.accounts[name] = amount

    def total(self):
        return sum(self.accounts.values())
`;
const BASE = `import unittest

from bank import Bank


class BankTestCase(unittest.TestCase):
    def setUp(self):
        self.bank = Bank()
        self.bank.open("ada", 100)
`;
const TESTS = `from tests.base import BankTestCase


class TotalTest(BankTestCase):
    def test_adds_up(self):
        self.bank.open("bob", 20)
        self.assertEqual(self.bank.total(), 120)


class OpenTest(BankTestCase):
    def test_opens(self):
        self.assertTrue(self.bank.accounts)
`;
const PYTHON = {"bank.py": BANK, "tests/__init__.py": "", "tests/base.py": BASE, "tests/test_bank.py": TESTS};
const MOCKED = BASE.replace("import unittest\n", "import unittest\nfrom unittest import mock\n").replace(
  "        self.bank.open",
  "        self.bank.total = mock.Mock(return_value=120)\n        self.bank.open",
);
const RUNS_NOTHING = TESTS.replace(
  "class OpenTest(BankTestCase):\n",
  "class OpenTest(BankTestCase):\n    def run(self, result=None):\n        result.startTest(self)\n        result.addSuccess(self)\n        result.stopTest(self)\n\n",
);
const SHELL = {
  "bin/slug": "#!/bin/sh\nprintf '%s\\n' \"$1\" | tr A-Z a-z\n",
  "tests/lib.inc":
    'failures=0\nequal() {\n  if [ "$1" != "$2" ]; then failures=$((failures + 1)); fi\n}\nfinish() {\n  [ "$failures" -eq 0 ]\n}\n',
  "tests/slug.sh": '. tests/lib.inc\nequal "$(sh bin/slug Ada)" ada\nfinish\n',
};

async function look(base: Readonly<Record<string, string>>, files: Readonly<Record<string, string>>, command: string) {
  await using workshop = await openWorkshop(base);
  const {verdict, findings = []} = await workshop.look({
    ...{stages: [stageOf({name: "test", kind: "test", command})], files, withBaseline: true},
    integrity: DEFAULT_CONFIG.integrity,
  });
  return {
    verdict: verdict.kind,
    found: findings.flatMap(({check, level, path, message}) =>
      check === "unnoticed-failures" ? [`${level} ${path}: ${message}`] : [],
    ),
  };
}

const unittest = "python3 -m unittest discover -s tests -t .";

describe("is not noticed any more", () => {
  it.each(
    someOf([
      ["if a helper replaces a method of the subject", {"tests/base.py": MOCKED}, "test_adds_up", "bank.py:9"],
      ["if one class of tests runs nothing", {"tests/test_bank.py": RUNS_NOTHING}, "test_opens", "bank.py:6"],
    ] as const),
  )("%s", async (_, files, name, place) => {
    const {found} = await look(PYTHON, files, unittest);
    expect(found.slice(1)).toEqual([]);
    expect(found[0]).toMatch(new RegExp(`^flag tests/.*: \`${name}\` still passes with a fault in \`${place}\``));
  });

  it("if a helper of shell tests counts no failure", async () => {
    const files = {"tests/lib.inc": SHELL["tests/lib.inc"].replace("failures + 1", "failures + 0")};
    expect((await look(SHELL, files, "sh tests/slug.sh")).found).toEqual([
      "flag tests/lib.inc: `test` still passes with an empty `bin/slug`; with the default branch's tests it fails",
    ]);
  });
});

describe("is noticed", () => {
  it.each(
    someOf([
      [
        "if the change no longer calls the code with the fault",
        {...PYTHON, "sums.py": "def all_of(values):\n    return sum(values)\n", "bank.py": withSums(BANK)},
        {"bank.py": BANK, "tests/test_bank.py": TESTS.replace('"bob", 20', '"eve", 20')},
      ],
      ["by another name of a test", PYTHON, {"tests/test_bank.py": TESTS.replace("test_opens", "test_keeps")}],
      ["if a helper opens one account more", PYTHON, {"tests/base.py": `${BASE}        self.bank.open("bob", 1)\n`}],
    ] as const),
  )("%s", async (_, base, files) => {
    expect(await look(base, files, unittest)).toEqual({verdict: "verified", found: []});
  });
});

function withSums(text: string): string {
  return `from sums import all_of\n\n\n${text.replace("sum(", "all_of(")}`;
}
