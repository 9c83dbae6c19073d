/** A fault in the product that the default branch's tests notice: a change whose own tests do not notice it gets a flag. */
import {mkdtemp, readFile, rm, writeFile} from "node:fs/promises";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {describe, expect, it} from "vitest";
import {DEFAULT_CONFIG} from "../../../src/detect/config/config.ts";
import {NOTHING_WRITABLE} from "../../../src/process/sandbox.ts";
import {someOf} from "../../sweep.ts";
import {openWorkshop, PLAIN_HOME, stageOf} from "../verify/workshop.ts";

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

const unittest = "python3 -m unittest discover -s tests -t .";
/** Its commands run as without a sandbox. */
const CONFINED: typeof PLAIN_HOME = {...PLAIN_HOME, sandbox: () => NOTHING_WRITABLE};

async function look(
  base: Readonly<Record<string, string>>,
  files: Readonly<Record<string, string>>,
  command: string,
  home = CONFINED,
) {
  await using workshop = await openWorkshop(base, {home});
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

it("plants no fault without a sandbox, because code with a fault may delete other files", async () => {
  expect((await look(PYTHON, {"tests/base.py": MOCKED}, unittest, PLAIN_HOME)).found).toEqual([]);
});

it("removes nothing through a link that a run leaves in its checkout", async () => {
  const outside = await mkdtemp(join(tmpdir(), "assay-outside-"));
  await writeFile(join(outside, "test_bank.py"), "precious");
  const links = `${TESTS}
    @classmethod
    def tearDownClass(cls):
        import os, shutil
        shutil.rmtree("tests")
        os.symlink("${outside}", "tests")
`;
  await look({...PYTHON, "tests/test_bank.py": links}, {"tests/test_bank.py": TESTS}, unittest);
  expect(await readFile(join(outside, "test_bank.py"), "utf8")).toBe("precious");
  await rm(outside, {recursive: true});
});

const SUM =
  "export const sum = (numbers) => {\n  let all = 0;\n  for (const one of numbers) all = all + one;\n  return all;\n};\n";
const NODE = {"package.json": '{"type": "module"}', "sum.js": SUM};
const namedByData = (names: string) => `import assert from "node:assert/strict";
import {test} from "node:test";
import {sum} from "../sum.js";

for (const [at, name] of ${names}.entries())
  test(name, () => {
    assert.equal(sum([1, at]), 1 + at);
  });
`;
const INTO_SET_UP = `import unittest

from bank import Bank


class TotalTest(unittest.TestCase):
    def setUp(self):
        self.bank = Bank()
        self.bank.open("ada", 100)
        assert self.bank.total() == 100

    def test_adds_up(self):
        self.assertEqual(self.bank.total(), 100)
`;
const IN_MODULE = `import unittest

from bank import Bank

BANK = Bank()
BANK.open("ada", 100)
assert BANK.total() == 100


class TotalTest(unittest.TestCase):
    def test_adds_up(self):
        self.assertEqual(BANK.total(), 100)
`;

describe("is noticed", () => {
  it.each(
    someOf([
      [
        "if the change no longer calls the code with the fault",
        {...PYTHON, "sums.py": "def all_of(values):\n    return sum(values)\n", "bank.py": withSums(BANK)},
        {"bank.py": BANK, "tests/test_bank.py": TESTS.replace('"bob", 20', '"eve", 20')},
      ],
      ["by another name of a test", PYTHON, {"tests/test_bank.py": TESTS.replace("test_opens", "test_keeps")}],
      [
        "by tests that get their names from data",
        {...NODE, "test/sum.test.js": namedByData('["none", "one"]')},
        {"test/sum.test.js": namedByData('["none", "a single one"]')},
        "node --test",
      ],
      [
        "by each test, and before by the whole file",
        {...PYTHON, "tests/test_bank.py": IN_MODULE},
        {"tests/test_bank.py": INTO_SET_UP},
      ],
      ["if a helper opens one account more", PYTHON, {"tests/base.py": `${BASE}        self.bank.open("bob", 1)\n`}],
    ] as const),
  )("%s", async (_, base, files, command?: string) => {
    expect(await look(base, files, command ?? unittest)).toEqual({verdict: "verified", found: []});
  });
});

function withSums(text: string): string {
  return `from sums import all_of\n\n\n${text.replace("sum(", "all_of(")}`;
}
