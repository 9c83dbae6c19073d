/** Whose business a stage's end is: what the machine lacks is never the code's fault, and never a pass. */
import {tmpdir} from "node:os";
import {expect, test} from "vitest";
import {runStage} from "../../../src/engine/stage/stage.ts";

const run = (command: string, timeout = 60) =>
  runStage(
    {
      ...{name: "test", kind: "test", command, cwd: ".", timeout, optional: false},
      ...{env: {}, path: [], tools: []},
    },
    {
      folder: tmpdir(),
      isolation: "degraded",
      signal: new AbortController().signal,
      sandbox: () => null,
      variables: () => ({PATH: process.env["PATH"] ?? ""}),
    },
  );

test.each([
  ["Node's heap is full", "node --max-old-space-size=20 -e 'const a = []; for (;;) a.push([1])'"],
  ["the same, told by a shell", "node --max-old-space-size=20 -e 'const a = []; for (;;) a.push([1])'; exit $?"],
  ["the kernel is short of memory", "kill -9 $$"],
  ["the disk is full", "echo x >/dev/full"],
  ["a service is away", "node -e \"require('net').connect(9, '127.0.0.1')\""],
  ["a registry does not answer", "npm view left-pad --registry http://127.0.0.1:9 --fetch-retries 0"],
])("%s: the environment", async (_, command) => {
  expect(await run(command)).toMatchObject({outcome: "failed", failureKind: "environment"});
});

test.each([
  ["a crash", "kill -SEGV $$"],
  ["an abort without a reason", "kill -ABRT $$"],
  ["a plain failure", "exit 1"],
])("%s: the code", async (_, command) => {
  expect(await run(command)).toMatchObject({outcome: "failed", failureKind: "code"});
});

const HINT = "raise its `timeout` in verify.json if that is too short";

test.each([
  ["echo built && sleep 300 && echo done", `stopped after 2 s, while it ran \`sleep 300\`; ${HINT}`],
  ["true; sleep 301 | cat", `stopped after 2 s, while it ran \`sleep 301\` and \`cat\`; ${HINT}`],
  ["sleep 302", `stopped after 2 s; ${HINT}`],
])("a check that is stopped says which part of `%s` ran", async (command, reason) => {
  expect(await run(command, 2)).toMatchObject({outcome: "timed-out", reason});
});
