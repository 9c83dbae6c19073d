/** P11, P12: agent and stages change no program, no tool's settings and no cache of the machine, at each level that it offers. */
import {createHash} from "node:crypto";
import {existsSync, readdirSync, readFileSync} from "node:fs";
import {join} from "node:path";
import {describe, expect, test} from "vitest";
import {someOf} from "../../sweep.ts";
import {CACHED, LEVELS, machine, PROGRAMS, RUNNERS, runConfined, SETTINGS} from "./made-machine.ts";

const WHO = [
  {who: "a stage", pins: "settings and programs"},
  {who: "the agent", pins: "settings"},
];

/** Each file of the machine with its content, but for the folders that the command is given. */
function contents(folder: string): Record<string, string> {
  const entries = readdirSync(folder, {recursive: true, withFileTypes: true}).filter((entry) => entry.isFile());
  const files = entries
    .map(({parentPath, name}) => join(parentPath, name))
    .filter((file) => !/\/(?:temp\/own|checkout)\//.test(file));
  return Object.fromEntries(files.map((file) => [file, createHash("sha256").update(readFileSync(file)).digest("hex")]));
}

describe.each(LEVELS)("$name", ({machine: offers, user, isolation, isThere}) => {
  test.skipIf(!isThere).each(WHO)("$who writes no program, no settings and nothing of the runner", async ({pins}) => {
    const place = machine(user);
    const before = contents(place.folder);
    const paths = [...PROGRAMS, ...RUNNERS, ...SETTINGS];
    const line = paths
      .map((path) => `(echo x >> ${place.at(path)}) 2>&1; (echo x > ${place.at(`${path}.new`)}) 2>&1`)
      .join("; ");
    const seen = await runConfined({place, machine: offers, pins, line});
    expect(seen.fence).toMatchObject({level: isolation, confines: true, refusal: null, warning: null});
    // not to be seen, where all of this lies below a temporary folder
    for (const path of paths)
      expect(seen.output).toMatch(
        new RegExp(`cannot create ${place.at(path)}: (?:Read-only file system|Directory nonexistent)`),
      );
    expect(contents(place.folder)).toEqual(before);
  });
});

describe.each(someOf(LEVELS))("$name", ({machine: offers, user, isThere}) => {
  test.skipIf(!isThere).each(someOf(WHO))(
    "$who cannot put another folder in the place of one with settings",
    async ({pins}) => {
      const place = machine(user);
      const before = contents(place.folder);
      const moved = [
        "home/.config",
        "home/.gradle",
        "home/.cargo",
        "home/.ssh",
        "home",
        "tools",
        "tools/bin",
        "tool-cache",
        "runner",
      ];
      const line = moved
        .map((path) => `mv ${place.at(path)} ${place.at(`${path}-moved`)} && echo MOVED ${path}`)
        .join("; ");
      const {output} = await runConfined({place, machine: offers, pins, line: `{ ${line}; } 2>/dev/null; echo done`});
      expect(output).toBe("done\n");
      expect(contents(place.folder)).toEqual(before);
    },
  );

  test.skipIf(!isThere).each(someOf(WHO))(
    "$who writes where it should, and its caches change nothing of the machine's",
    async ({pins}) => {
      const place = machine(user);
      const before = contents(place.folder);
      const line = `set -e; echo x > new; echo x > "$HOME/.some-tool"; mkdir -p "$HOME/.cache/a" "$HOME/.npm/b"; echo x > "\${TMPDIR:?}/x"; echo x > /tmp/y
      echo x > /dev/shm/z; cat ${place.at(CACHED)}; echo poisoned > ${place.at(CACHED)}; cat ${place.at(CACHED)}; echo x > "\${CARGO_HOME:?}/registry/new"
      echo x > /dev/null; head -c 1 /dev/urandom > /dev/null; echo done`;
      const {output} = await runConfined({place, machine: offers, pins, line});
      expect(output).toBe("poisoned\ndone\n");
      expect(contents(place.folder)).toEqual(before);
      expect(existsSync(place.at("checkout/new"))).toBe(true);
    },
  );

  test.skipIf(!isThere)(
    "nothing is mounted or made writable again, no device is made or opened, and no capability for it is left",
    async () => {
      const place = machine(user);
      const before = contents(place.folder);
      const file = place.at("tools/bin/git");
      const again = `mount -o remount,bind,rw / ; mount -o remount,bind,rw ${place.folder}; umount -l ${place.at("temp")}; echo x >> ${file}`;
      const line = `{ ${again}; unshare --user --map-root-user --mount sh -c '${again}'; mknod /tmp/disk b 7 0 && rm /tmp/disk && echo MADE; mknod here b 7 0 && echo MADE
      for disk in /dev/vd* /dev/sd* /dev/nvme* /dev/loop*; do head -c 1 "$disk" > /dev/null && echo "READ $disk"; done
      nsenter --target 1 --mount sh -c 'echo x >> ${file}'; (pattern=$(cat /proc/sys/kernel/core_pattern) && echo "$pattern" > /proc/sys/kernel/core_pattern) && echo KERNEL; } 2>/dev/null
      cat ${place.at("temp")}/_github_workflow/event.json 2>/dev/null && echo EVENT
      cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' '\\n' | grep -a "^GITHUB_TOKEN"
      for process in /proc/[0-9]*; do (exec 3<"$process/mem") 2>/dev/null && grep -qa "$CANARY_START-kept" "$process/environ" && echo MEMORY; done
      grep CapBnd /proc/self/status`;
      const {output} = await runConfined({place, machine: offers, pins: "settings and programs", line});
      const [, capabilities = ""] = /^CapBnd:\s+([0-9a-f]+)\n$/.exec(output) ?? [];
      // mknod, sys_admin, sys_ptrace, sys_module, net_admin, net_raw, dac_read_search, sys_rawio, sys_boot, bpf
      for (const bit of [27, 21, 19, 16, 12, 13, 2, 17, 22, 39])
        expect(BigInt(`0x${capabilities}`) & (1n << BigInt(bit)), output).toBe(0n);
      expect(contents(place.folder)).toEqual(before);
    },
  );
});

describe.each(someOf(LEVELS))("$name", ({machine: offers, user, isThere}) => {
  test.skipIf(!isThere)("a link left in the home leads the next command nowhere", async () => {
    const place = machine(user);
    const before = contents(place.folder);
    const leave = `cd "$HOME"; for name in .npmrc .config .cache .m2 .local .assay-tmp; do rm -rf $name; ln -s ${place.at("tools")} $name; done; true`;
    await runConfined({place, machine: offers, pins: "nothing", line: leave});
    const use = `cd "$HOME"; for name in .npmrc .config .m2 .local /tmp; do (echo x > $name/planted; echo x > $name) 2>/dev/null; done; cat .npmrc; echo done`;
    const {output} = await runConfined({place, machine: offers, pins: "settings and programs", line: use});
    expect(output).toBe("done\n");
    expect(contents(place.folder)).toEqual(before);
  });
});
