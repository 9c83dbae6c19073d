/** P13: any amount of output is taken in bounded memory; how fast is for the benchmark to say. */
import {describe, expect, test} from "vitest";
import {shell} from "./shell.ts";

/** Peak of this process's memory while `work` runs, over what it was before; MB. */
async function growth(work: () => Promise<unknown>): Promise<number> {
  const before = process.memoryUsage.rss();
  let peak = before;
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 10);
  await work();
  clearInterval(timer);
  return (peak - before) / 2 ** 20;
}

const MEGABYTES = 200;

describe.each([
  ["short lines", `yes 'an ordinary line of output' | head -c ${MEGABYTES}000000`],
  ["one line", `head -c ${MEGABYTES}000000 /dev/zero | tr '\\0' x`],
  ["binary", `head -c ${MEGABYTES}000000 /dev/zero`],
])("200 MB: %s", (_, line) => {
  test("are taken quickly and forgotten", async () => {
    let bytes = 0;
    const megabytes = await growth(async () => {
      const ran = await shell(`${line}; echo; echo the end`, {
        onStdout: (chunk) => {
          bytes += chunk.length;
        },
      });
      expect(ran.exit).toEqual({kind: "exited", code: 0});
      expect(ran.output.head.length).toBeLessThanOrEqual(65_536);
      expect(ran.output.tail.length).toBeLessThanOrEqual(65_536);
      expect(ran.output.tail.endsWith("the end\n")).toBe(true);
      expect(ran.output.droppedBytes).toBeGreaterThan((MEGABYTES - 1) * 1_000_000);
    });
    expect(bytes).toBe(MEGABYTES * 1_000_000 + "\nthe end\n".length);
    expect(megabytes).toBeLessThan(100);
  });
});

test("endless output on both streams ends with the time limit", async () => {
  const megabytes = await growth(async () => {
    const ran = await shell("yes out & yes err >&2", {timeoutMs: 1000});
    expect(ran.exit).toEqual({kind: "timed-out", afterMs: 1000, running: ["yes out", "yes err"]});
    expect(ran.durationMs).toBeLessThan(30_000);
    expect(ran.output.head).toMatch(/^(?:(?:out|err)\n)+$/);
    expect(ran.output.tail).toMatch(/^(?:(?:out|err)\n)+$/);
    expect(ran.stderr.tail).toMatch(/^(?:err\n)+$/);
  });
  expect(megabytes).toBeLessThan(100);
});

test("a million lines reach onLine one by one", async () => {
  let lines = 0;
  let last = "";
  await shell("seq 1000000", {
    onLine: (line) => {
      lines += 1;
      last = line;
    },
  });
  expect(lines).toBe(1_000_000);
  expect(last).toBe("1000000");
});
