/** What may not change on the machine between the start of a run and its verdict, and what may. */
import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import {tmpdir} from "node:os";
import {dirname, join} from "node:path";
import {afterEach, beforeEach, describe, expect, it} from "vitest";
import {recordToolchain} from "../../../src/engine/toolchain.ts";
import type {Plan} from "../../../src/record/plan.ts";
import {planWith} from "../../rig/plans.ts";
import {openWorkshop, stageOf} from "../verify/workshop.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "assay-toolchain-"));
  for (const [path, text] of Object.entries(FILES)) write(path, text);
});
afterEach(() => rmSync(folder, {recursive: true, force: true}));

const FILES = {
  "system/node": "#!/bin/sh\n",
  "system/checker": "#!/bin/sh\nexit 1\n",
  "cargo/config.toml": "[net]\n",
  "home/.npmrc": "registry=https://registry.example/\n",
  "pyenv/versions/3.12/bin/python3": "#!/bin/sh\n",
};

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), {recursive: true});
  writeFileSync(join(folder, path), text);
  chmodSync(join(folder, path), 0o755);
  utimesSync(join(folder, path), 1, 1);
}

const PLAN = planWith(stageOf({name: "check", kind: "check", command: "FAST=1 checker --all && pytest -q"}));

function record(plan: Plan = PLAN) {
  const variables = {
    PATH: `${join(folder, "first")}:${join(folder, "system")}`,
    CARGO_HOME: join(folder, "cargo"),
    PYENV_ROOT: join(folder, "pyenv"),
  };
  return recordToolchain({plan, folder, variables, realHome: join(folder, "home")});
}

const CHANGES: Record<string, {change: () => void; names: string}> = {
  "another interpreter in front of the first": {
    change: () => write("first/node", "#!/bin/sh\n"),
    names: "`node` has changed",
  },
  "a tool of the plan, replaced": {
    change: () => write("system/checker", "#!/bin/sh\nexit 0\n"),
    names: "system/checker",
  },
  "other bytes of the same length and time": {
    change: () => writeFileSync(join(folder, "system/checker"), "#!/bin/sh\nexit 0\n"),
    names: "system/checker",
  },
  "a tool that is gone": {change: () => rmSync(join(folder, "system/checker")), names: "`checker` is gone"},
  "a tool that leads elsewhere": {
    change: () => {
      renameSync(join(folder, "system/checker"), join(folder, "moved"));
      symlinkSync(join(folder, "moved"), join(folder, "system/checker"));
    },
    names: "system/checker",
  },
  "a tool that was missing": {change: () => write("first/pytest", "#!/bin/sh\n"), names: "`pytest` is new"},
  "a runner in Cargo's settings": {
    change: () => write("cargo/config.toml", '[target.x86_64-unknown-linux-gnu]\nrunner = "true"\n'),
    names: "cargo/config.toml has changed",
  },
  "Cargo's older file of settings": {change: () => write("cargo/config", "[build]\n"), names: "cargo/config is new"},
  "settings of npm beside Node": {change: () => write("etc/npmrc", "script-shell=true\n"), names: "etc/npmrc is new"},
  "settings of npm": {change: () => write("home/.npmrc", "registry=https://evil.example/\n"), names: ".npmrc"},
  "settings of Maven": {change: () => write("home/.m2/settings.xml", "<settings/>"), names: ".m2/settings.xml is new"},
  "a version behind a shim": {
    change: () => write("pyenv/versions/3.12/bin/python3", "#!/bin/sh\nexit 0\n"),
    names: "versions/3.12/bin/python3 has changed",
  },
  "the version that a shim takes": {change: () => write("pyenv/version", "3.9\n"), names: "pyenv/version is new"},
};

describe("recordToolchain", () => {
  it.each(Object.keys(CHANGES))("names %s", (what) => {
    const toolchain = record();
    expect(toolchain.changed()).toEqual([]);
    CHANGES[what]?.change();
    expect(toolchain.changed()).toEqual([expect.stringContaining(CHANGES[what]?.names ?? "")]);
  });

  const HARMLESS: Record<string, () => void> = {
    "the same file written again": () => write("system/checker", FILES["system/checker"]),
    "another name for a tool": () => linkSync(join(folder, "system/checker"), join(folder, "linked")),
    "a program that nothing uses": () => write("first/unrelated", "#!/bin/sh\n"),
    "a person's name in git's settings": () => write("home/.gitconfig", "[user]\n\tname = x\n"),
    "one more version": () => write("pyenv/versions/3.13/bin/python3", "#!/bin/sh\n"),
  };
  it.each(Object.keys(HARMLESS))("says nothing of %s", (what) => {
    const toolchain = record();
    HARMLESS[what]?.();
    expect(toolchain.changed()).toEqual([]);
  });

  it("lets a plan install the tools that were missing, and no others", () => {
    const toolchain = record(
      planWith(stageOf({name: "check", kind: "check", command: "pip install pytest && pytest && checker"})),
    );
    write("first/pytest", "#!/bin/sh\n");
    expect(toolchain.changed()).toEqual([]);
    write("first/checker", "#!/bin/sh\n");
    expect(toolchain.changed()).toEqual([expect.stringContaining("`checker` has changed")]);
  });
});

describe("verify", () => {
  const stage = stageOf({name: "build", kind: "build", command: "sh change.sh"});
  it.each([
    ["before the stages", true],
    ["by a stage", false],
  ])("believes no result when a tool was changed %s", async (_, isBefore) => {
    await using shop = await openWorkshop({"change.sh": "exit 0\n"});
    const toolchain = record();
    if (isBefore) CHANGES["a tool of the plan, replaced"]?.change();
    const change = isBefore ? "exit 0\n" : `echo 'exit 0' > ${join(folder, "system/checker")}\n`;
    const {verdict, stages} = await shop.look({
      stages: [stage],
      files: {"change.sh": change, "a.js": "1\n"},
      toolchain,
    });
    expect(verdict).toMatchObject({kind: "unverified", why: "gate-error"});
    expect("detail" in verdict && verdict.detail).toContain(join(folder, "system/checker"));
    expect(stages).toHaveLength(isBefore ? 0 : 1);
  });

  it("is verified when nothing was changed", async () => {
    await using shop = await openWorkshop({"change.sh": "exit 0\n"});
    const toolchain = record();
    expect((await shop.look({stages: [stage], files: {"a.js": "1\n"}, toolchain})).verdict.kind).toBe("verified");
  });
});

describe("the versions of the tools", () => {
  it("are those of the programs that the commands start, and of the interpreters behind them", async () => {
    write("system/npm", "#!/bin/sh\necho 11.2.0\n");
    write("first/node", "#!/bin/sh\necho v24.1.0\n");
    const toolchain = (inside: string) =>
      recordToolchain({
        plan: planWith(stageOf({name: "test", kind: "test", command: "cd app && npm test | sort"})),
        ...{folder: inside, realHome: join(folder, "home")},
        variables: {PATH: `${join(folder, "first")}:${join(folder, "system")}`},
      });
    expect(await toolchain(join(folder, "app")).versions()).toEqual([
      {name: "node", version: "24.1.0"},
      {name: "npm", version: "11.2.0"},
    ]);
    // A program of the repository is not started.
    expect(await toolchain(join(folder, "first")).versions()).toEqual([{name: "npm", version: "11.2.0"}]);
  });
});
