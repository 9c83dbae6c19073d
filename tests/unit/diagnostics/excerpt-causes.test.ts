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

it("takes no word in an option or a file's name for a failure", () => {
  const build = numbered(
    40,
    (n) => `[${n}/90] cc -o part${n} error.c -Wl,--no-undefined -Werror\n[CXX] failure${n}.cc`,
  );
  const seen = excerpt(`${build}\nthe basket has a hole\nthe shop is closed\n${END}\n`, 250);
  expect(seen).toContain("the basket has a hole\nthe shop is closed");
  expect(seen).not.toMatch(/error\.c|failure\d/);
});

it("shows a compiler's notes below an error, and none below a warning", () => {
  const warned = numbered(20, (n) => `u${n}.c:1:2: warning: unused variable\nu${n}.c:1:1: note: declared here`);
  const log = `${warned}\nu22.c:10:9: error: no matching function\n  add(task);\nu22.c:9:9: note: candidate: add(int)\n`;
  expect(excerpt(log, 400)).toContain("u22.c:9:9: note: candidate: add(int)");
  expect(excerpt(log, 400)).not.toContain("declared here");
});
