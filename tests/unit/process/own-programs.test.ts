/** Where Assay takes its own programs from, and what it says when one is another file later. */
import {chmodSync, linkSync, mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync} from "node:fs";
import {mkdtemp, rm} from "node:fs/promises";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {afterEach, beforeEach, describe, expect, it} from "vitest";
import {hardenedGit} from "../../../src/git/git.ts";
import {deviceProblem, NOWHERE, openPrograms} from "../../../src/process/own-programs.ts";
import {run} from "../../../src/process/run.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "assay-programs-"));
});
afterEach(() => rm(folder, {recursive: true, force: true}));

/** A program in a folder of its own, and that folder. */
function plant(name: string, script = "exit 0", place = "bin"): string {
  mkdirSync(join(folder, place), {recursive: true});
  const file = join(folder, place, name);
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return file;
}

describe("openPrograms", () => {
  it("takes the system's program in the action, whatever stands first on the PATH", () => {
    plant("git");
    const found = openPrograms({otherwise: `${join(folder, "bin")}:/usr/bin`}).find("git");
    expect(found.ok && found.value.startsWith(folder)).toBe(false);
    expect(found.ok).toBe(true);
  });

  it("takes the first match on the PATH in a terminal, but never one from the working folder", () => {
    const file = plant("git");
    expect(openPrograms({first: `:.:relative:${join(folder, "bin")}`}).find("git")).toEqual({ok: true, value: file});
  });

  it("takes what the runner's PATH has where the system has none, and keeps to it", () => {
    const file = plant("only-here");
    const programs = openPrograms({otherwise: `${join(folder, "first")}:${join(folder, "bin")}`});
    expect(programs.find("only-here")).toEqual({ok: true, value: file});
    plant("only-here", "exit 1", "first");
    expect(programs.find("only-here")).toEqual({ok: true, value: file});
    expect(programs.find("nowhere-at-all").ok).toBe(false);
  });

  const CHANGES: Record<string, (file: string) => void> = {
    "another file of that name": (file) => {
      plant("other");
      renameSync(join(folder, "bin/other"), file);
    },
    "other bytes in the same file": (file) => writeFileSync(file, "#!/bin/sh\nexit 9\n"),
    "other bytes of the same length and time": (file) => {
      utimesSync(file, 1, 1);
      writeFileSync(file, "#!/bin/sh\nexit 9\n");
      utimesSync(file, 1, 1);
    },
    "a link to another program": (file) => {
      rmSync(file);
      symlinkSync("/bin/true", file);
    },
    "nothing any more": (file) => rmSync(file),
  };
  it.each(Object.keys(CHANGES))("refuses %s", (what) => {
    const file = plant("tool");
    utimesSync(file, 1, 1);
    const programs = openPrograms({first: join(folder, "bin")});
    expect(programs.find("tool").ok).toBe(true);
    programs.seal();
    expect(programs.changed()).toEqual([]);
    CHANGES[what]?.(file);
    expect(programs.find("tool").ok).toBe(false);
    expect(programs.changed()).toEqual([expect.stringContaining(file)]);
  });

  it("goes on with a program that only got another name or other rights", () => {
    const file = plant("tool");
    const programs = openPrograms({first: join(folder, "bin")});
    programs.seal();
    expect(programs.find("tool").ok).toBe(true);
    linkSync(file, join(folder, "second-name"));
    chmodSync(file, 0o555);
    expect(programs.find("tool").ok).toBe(true);
  });
});

describe("git", () => {
  it("gets the system's folders for its PATH, no folder of its programs, and no settings of anybody", async () => {
    plant("git", `env > '${folder}/env'`);
    const programs = openPrograms({first: join(folder, "bin")});
    const variables = {PATH: join(folder, "bin"), GIT_EXEC_PATH: folder, HOME: folder};
    await hardenedGit({folder, variables, programs})(["status"]);
    const {output} = await run({argv: ["/bin/cat", `${folder}/env`], cwd: folder, env: {}}, LIMITS);
    expect(output.head).toMatch(/^PATH=[^\n]*\/usr\/bin/m);
    expect(output.head).not.toMatch(/^(?:PATH=[^\n]*assay-programs-|GIT_EXEC_PATH)/m);
    expect(output.head).not.toContain(`HOME=${folder}`);
    expect(output.head).not.toContain("/dev/null");
  });

  it("is not started when it was replaced", async () => {
    const file = plant("git", "echo fine");
    const git = hardenedGit({folder, variables: {}, programs: openPrograms({first: join(folder, "bin")})});
    expect(await git(["status"])).toEqual({ok: true, value: "fine\n"});
    plant("new-git", "echo stolen");
    renameSync(join(folder, "bin/new-git"), file);
    expect(await git(["push"])).toMatchObject({
      ok: false,
      failure: {code: null, message: expect.stringContaining(file)},
    });
  });

  it("writes no settings where it looks for a user's", async () => {
    const env = {PATH: "/usr/bin:/bin", GIT_CONFIG_GLOBAL: NOWHERE};
    const ran = await run({argv: ["git", "config", "--global", "user.name", "x"], cwd: folder, env}, LIMITS);
    expect(ran.exit).not.toEqual({kind: "exited", code: 0});
    expect(deviceProblem()).toBeNull();
  });
});

const LIMITS = {timeoutMs: 10_000, isolation: "degraded"} as const;

describe("deviceProblem", () => {
  it("names a regular file, and nothing at all, in the place of the device", () => {
    const file = join(folder, "null");
    expect(deviceProblem(file)?.what).toContain("is missing");
    writeFileSync(file, "");
    expect(deviceProblem(file)?.what).toContain("is not a device");
    expect(deviceProblem(file)?.fix).toContain(`mknod -m 666 ${file} c 1 3`);
    expect(deviceProblem("/dev/null")).toBeNull();
  });
});
