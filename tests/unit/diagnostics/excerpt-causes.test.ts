/** What an excerpt leaves out so that each cause of a run's failures has room: other programs' frames, repetitions, names. */
import {expect, it} from "vitest";
import {distill} from "../../../src/diagnostics/distill.ts";

const excerpt = (log: string, maxChars: number): string => distill({log, maxChars}).excerpt;
const numbered = (count: number, line: (n: number) => string): string =>
  Array.from({length: count}, (_, n) => line(n)).join("\n");
const END = "##[error]Process completed with exit code 1.";

it("shows the project's frames and the last error of a chain rather than the frames of installed packages", () => {
  const frames = numbered(
    15,
    (n) => `  File "/usr/lib/python3/dist-packages/store/db.py", line ${n}, in save\n    return self.step${n}(value)`,
  );
  const log = `ERROR: test_number (shop.tests.OrderTests.test_number)\n----------\nTraceback (most recent call last):\n  File "/app/shop/tests.py", line 376, in test_number\n    Order.create(number=1)\n${frames}\nstore.Conflict: number is not unique\n\n----------\nRan 1 test in 0.1s\n\nFAILED (errors=1)\n`;
  const seen = excerpt(log, 600);
  expect(seen).toContain('File "/app/shop/tests.py", line 376');
  expect(seen).toContain("store.Conflict: number is not unique");
});

it("shows the project's frames of each failure before the frames of the test runner", () => {
  const frames = numbered(20, (n) => `\tat org.junit.runners.Step${n}.run(Step${n}.java:${n})`);
  const test = (n: number): string =>
    `[ERROR] shop.ATest.adds${n} -- Time elapsed: 0.1 s <<< ERROR!\njava.lang.IllegalStateException: no basket ${"abc"[n]}\n\tat shop.Basket.open(Basket.java:${n}1)\n\tat shop.ATest.adds${n}(ATest.java:${n}2)\n${frames}\n`;
  const seen = excerpt(`${[0, 1].map(test).join("\n")}\n[ERROR] Tests run: 2\n`, 900);
  for (const n of [0, 1]) expect(seen).toContain(`at shop.ATest.adds${n}(ATest.java:${n}2)`);
});

it("shows the functions of the project's Go frames with their places, and no frames of Go itself", () => {
  const frames = (n: number): string => `net/http.step${n}(0xc0)\n\t/usr/local/go/src/net/http/server.go:${n} +0x1`;
  const own = (n: number): string => `shop.Basket.Add${n}(0xc1)\n\t/app/basket.go:${n} +0x12c`;
  const stack = numbered(8, (n) => `${frames(n)}\n${own(n)}`);
  const talk = numbered(300, (n) => `request ${n} served`);
  const seen = excerpt(
    `http: panic serving 127.0.0.1:1: slice bounds out of range\ngoroutine 2 [running]:\n${stack}\n${talk}\nFAIL\n`,
    400,
  );
  for (const n of [0, 1, 2]) expect(seen).toContain(own(n));
  expect(seen).not.toContain("server.go");
});

it("shows the details of a repeated cause once, and those of the other failure", () => {
  const broken = numbered(
    12,
    (n) =>
      `_____ ERROR at setup of test_${n} _____\ntests/conftest.py:33: in registry\n    (path / "state" / "registry.json").write_text("{}")\nE   FileNotFoundError: [Errno 2] No such file or directory: '/tmp/t-${n}/registry.json'`,
  );
  const log = `= test session starts =\n= ERRORS =\n${broken}\n= FAILURES =\n_____ test_version _____\nsrc/shop/__init__.py:34: in version\n    return VERSIONS[name]\nE   KeyError: 'shop'\n= 1 failed, 12 errors in 1.2s =\n`;
  const seen = excerpt(log, 1000);
  expect(seen).toContain("src/shop/__init__.py:34: in version\n    return VERSIONS[name]\nE   KeyError: 'shop'");
  expect(seen.match(/write_text/g)).toHaveLength(1);
});

it("takes no word in an option or a file's name for a failure", () => {
  const build = numbered(
    40,
    (n) => `[${n}/90] cc -o part${n} error.c -Wl,--no-undefined -Werror\n[CXX] failure${n}.cc`,
  );
  const seen = excerpt(`${build}\nthe basket has a hole\nthe shop is closed\n${END}\n`, 250);
  expect(seen).toContain("the basket has a hole\nthe shop is closed");
  expect(seen).not.toMatch(/error\.c|failure\d/);
});

it("shows the warnings of a run that fails because of them", () => {
  const pages = numbered(300, (n) => `DEBUG   -  Reading: page${n}.md`);
  const warning = "WARNING -  The page 'index.md' has a link to 'api.md', which is no page.";
  const log = `${warning}\n${pages}\n`;
  expect(excerpt(`${log}\nAborted with 1 warnings in strict mode!\n`, 500)).toContain(warning);
  expect(excerpt(`${log}\nAborted by the user.\n`, 500)).not.toContain(warning);
});

it("shows a compiler's notes below an error, and none below a warning", () => {
  const warned = numbered(20, (n) => `u${n}.c:1:2: warning: unused variable\nu${n}.c:1:1: note: declared here`);
  const log = `${warned}\nu22.c:10:9: error: no matching function\n  add(task);\nu22.c:9:9: note: candidate: add(int)\n`;
  expect(excerpt(log, 400)).toContain("u22.c:9:9: note: candidate: add(int)");
  expect(excerpt(log, 400)).not.toContain("declared here");
});
