/** A test that failed first and passed when its runner ran it again makes the stage flaky. */
import {homedir} from "node:os";
import {join} from "node:path";
import {afterEach, beforeEach, expect, test} from "vitest";
import {missing} from "../../ecosystems/tools.ts";
import {openRoom, type Room} from "./asked.ts";

let room: Room;
beforeEach(() => {
  room = openRoom();
});
afterEach(() => room.remove());

const FILES = {
  "go.mod": "module example.com/sums\n\ngo 1.19\n",
  "sums_test.go":
    'package sums\n\nimport (\n\t"os"\n\t"testing"\n)\n\nfunc TestAdd(t *testing.T) {}\n\nfunc TestSocket(t *testing.T) {\n\tif _, err := os.Stat(".seen"); err != nil {\n\t\tos.WriteFile(".seen", nil, 0o600)\n\t\tt.Fatal("connection refused, the first time only")\n\t}\n\tos.Remove(".seen")\n}\n',
  Makefile: "test:\n\tgotestsum --rerun-fails=2 --packages=./... --junitfile=junit.xml -- -count=1\n",
};

test.skipIf(missing(["go", "gotestsum", "make"]).length > 0)(
  "gotestsum, below make and alone",
  {timeout: 240_000},
  async () => {
    room.place(FILES);
    for (const command of ["make test", "gotestsum --rerun-fails=2 --packages=./... -- -count=1"])
      expect(await room.look(command, {env: {GOCACHE: join(homedir(), ".cache/go-build")}})).toMatchObject({
        outcome: "flaky",
        reason: expect.stringMatching(/TestSocket|^exit code 0.*DONE 2 runs/),
      });
  },
);

test.each([
  ["1 passed, 1 rerun in 0.12s", "flaky"],
  ["===== 3 passed, 2 rerun in 1.20s =====", "flaky"],
  ["===== 3 passed in 1.20s =====", "passed"],
  ["  1 flaky\n    r.spec.js:3:1 › opens ───\n  1 passed (19.0s)", "flaky"],
  ["  2 passed (19.0s)", "passed"],
  ["     Summary [   0.021s] 1 test run: 1 passed (1 flaky), 25 skipped", "flaky"],
  ["     Summary [   0.021s] 1 test run: 1 passed, 25 skipped", "passed"],
  [
    "1/1 Test #1: adds ....***Failed    0.02 sec\n    Start 1: adds\n    Test #1: adds ....   Passed    0.01 sec\n\n100% tests passed, 0 tests failed out of 1",
    "flaky",
  ],
  ["1/1 Test #1: adds ....   Passed    0.01 sec\n\n100% tests passed, 0 tests failed out of 1", "passed"],
  ["[WARNING] Tests run: 2, Failures: 0, Errors: 0, Skipped: 0, Flakes: 1", "flaky"],
  ["[INFO] Tests run: 2, Failures: 0, Errors: 0, Skipped: 0", "passed"],
])("%s: %s", async (line, outcome) => {
  expect(await room.look(`echo "${line}"`)).toMatchObject({outcome});
});
