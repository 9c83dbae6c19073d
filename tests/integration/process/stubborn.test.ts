/** P10: whatever a command has started is gone when `run` answers, at every level that this machine offers. */
import {mkdtempSync, rmSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {describe, expect, test} from "vitest";
import {hasBubblewrap, NEEDS_BUBBLEWRAP} from "../../rig/levels.ts";
import {alive, levels, shell, uniqueSleep} from "./shell.ts";

/** Seven ways of a process to outlive its parent; `%` says that it has started and becomes the sleep to look for. */
const STUBBORN = {
  plain: "% &",
  setsid: "setsid % &",
  "double fork": "(setsid % &)",
  "cleared environment": "env -i /usr/bin/setsid % &",
  "double fork, cleared environment": "(env -i /usr/bin/setsid % &)",
  "ignores TERM": `(trap "" TERM; exec %) &`,
  nohup: "nohup % &",
} as const;

const ENDINGS = {
  hangs: {
    line: "sleep 60",
    timeoutMs: 8000,
    exit: {kind: "timed-out", afterMs: 8000, running: expect.arrayContaining(["sleep 60"])},
  },
  "exits 0": {line: "exit 0", timeoutMs: 60_000, exit: {kind: "exited", code: 0}},
  "exits 1": {line: "exit 1", timeoutMs: 60_000, exit: {kind: "exited", code: 1}},
} as const;

/**
 * Without a namespace nothing binds these to the command: no parent, no group, no session, no marker. While the command
 * still runs, the parent of the first is its shell, which gives it away.
 */
const ESCAPES_WHEN_DEGRADED: Record<keyof typeof ENDINGS, readonly string[]> = {
  hangs: ["double fork, cleared environment"],
  "exits 0": ["cleared environment", "double fork, cleared environment"],
  "exits 1": ["cleared environment", "double fork, cleared environment"],
};

const LEVELS = await levels();

test.skipIf(!hasBubblewrap)(`the levels with a namespace and the sandbox are tested here${NEEDS_BUBBLEWRAP}`, () => {
  expect(LEVELS.length).toBeGreaterThan(2);
  expect(LEVELS.at(-1)?.name).toBe("sandbox");
});

for (const {name, wrapper} of LEVELS) {
  describe.concurrent(name, () => {
    for (const [how, ending] of Object.entries(ENDINGS)) {
      // They mostly wait.
      test(`nothing outlives a command that ${how}`, async ({expect, onTestFinished}) => {
        const kinds = Object.entries(STUBBORN).map(([kind, line]) => ({kind, line, sleep: uniqueSleep()}));
        onTestFinished(() => {
          for (const pid of kinds.flatMap(({sleep}) => alive(sleep))) process.kill(pid, "SIGKILL");
        });
        const started = mkdtempSync(join(tmpdir(), "assay-started-"));
        onTestFinished(() => rmSync(started, {recursive: true}));
        const lines = kinds.map(({kind, line, sleep}, index) =>
          line.replace("%", `/bin/sh -c 'echo started: ${kind}; : > ${started}/${index}; exec sleep ${sleep}'`),
        );
        const allStarted = `until [ "$(ls ${started} | wc -l)" -eq ${kinds.length} ]; do sleep 0.05; done`;

        const ran = await shell([...lines, allStarted, ending.line].join("\n"), {
          wrapper,
          timeoutMs: ending.timeoutMs,
        });

        for (const {kind} of kinds) expect(ran.output.head).toContain(`started: ${kind}\n`);
        const survivors = kinds.filter(({sleep}) => alive(sleep).length > 0).map(({kind}) => kind);
        expect(survivors).toEqual(wrapper === null ? ESCAPES_WHEN_DEGRADED[how as keyof typeof ENDINGS] : []);
        expect(ran.exit).toEqual(ending.exit);
        expect(ran.durationMs).toBeLessThan(55_000);
      });
    }
  });
}
