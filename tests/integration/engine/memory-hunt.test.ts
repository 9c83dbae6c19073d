/** P11, P12: agent and stages read nothing of another process, at each level that the machine offers; a broken bot is noticed. */
import {copyFileSync} from "node:fs";
import {join} from "node:path";
import {describe, expect, test} from "vitest";
import {isSweep, someOf} from "../../sweep.ts";
import {LEVELS, machine, runConfined} from "./made-machine.ts";

const HUNTER = join(import.meta.dirname, "memory-hunter.pl");

async function hunt(options: {level: (typeof LEVELS)[number]; pins: string; breaks?: "no fence" | "hands on"}) {
  const place = machine(options.level.user);
  copyFileSync(HUNTER, place.at("checkout/hunt.pl"));
  // A path in the bot's variables would be shown. The shell stays behind, so that there is another process to look at.
  const line = `EVENT=${place.at("temp/_github_workflow/event.json")} /usr/bin/perl hunt.pl 2>&1; true`;
  const {output} = await runConfined({...options, place, machine: options.level.machine, line});
  const [, seen = ""] = /^places seen: (\d+), closed: \d+$/m.exec(output) ?? [];
  const found = [...output.matchAll(/^found: (.*)$/gm)].map(([, where]) => where);
  return {found, seen: Number(seen), output};
}

describe.each(LEVELS)("$name", (level) => {
  test.skipIf(!level.isThere).each(someOf(["settings and programs", "settings"]))(
    "nothing is found with %s read-only",
    async (pins) => {
      const {found, seen, output} = await hunt({level, pins});
      expect(found, output).toEqual([]);
      // a hunt that could look nowhere has shown nothing
      expect(seen, output).toBeGreaterThan(3);
    },
  );

  if (isSweep)
    test.skipIf(!level.isThere)("a bot that hands on what it holds is noticed", async () => {
      const {found} = await hunt({level, pins: "settings", breaks: "hands on"});
      expect(found).toEqual(expect.arrayContaining(["a process's environ", "the own environment"]));
    });
});

test("a bot that forgets the fence is noticed at every door", async () => {
  const level = LEVELS.find(({isThere}) => isThere);
  if (level === undefined) throw new Error("this machine confines nothing");
  const {found} = await hunt({level, pins: "settings", breaks: "no fence"});
  const doors = ["a file through a process's root", "a process's environ", "the event file"];
  // Where the kernel's Yama is on, an ordinary user traces only processes that it has started (ptrace(2)).
  const asRoot = ["a process's memory, by its file", "a process's memory, by process_vm_readv"];
  const traced = "the bot, which can be traced";
  const expected = process.getuid?.() === 0 ? [...doors, ...asRoot, traced] : doors;
  expect(found).toEqual(expect.arrayContaining(expected));
});
