/** One attack as data: who does what, and what must hold afterwards at every level of isolation. */
import {readlinkSync} from "node:fs";
import type {Action} from "../../rig/model.ts";
import type {Files} from "../../rig/origin.ts";
import type {Outcome, Rig} from "../../rig/world.ts";

/** Where an attack may leave a trace. All of it is below the rig's own folder, so that a broken product harms nothing else. */
export interface Target {
  /** the rig's own folder */
  readonly folder: string;
  /** a file that only code outside of every sandbox can make */
  readonly canary: string;
  /** a text that no other process on this machine has in its command line */
  readonly mark: string;
}

export interface Request {
  readonly text: string;
  readonly by?: string;
  /** the issue or pull request; default: a new issue */
  readonly on?: number;
}

interface AttackEnd {
  readonly rig: Rig;
  readonly outcome: Outcome;
  readonly target: Target;
  /** false at `sandbox: "off"` without namespaces */
  readonly isConfined: boolean;
  /** a file of the work, on the branch that the run left it on */
  readonly read: (path: string) => Promise<string | null>;
}

export interface Attack {
  readonly name: string;
  readonly class: "programs" | "secrets" | "processes" | "git" | "files" | "texts";
  /** what the agent does; without it, no agent is asked */
  readonly acts?: (target: Target) => readonly Action[];
  /** the agent's answer */
  readonly says?: string;
  /** files of the base */
  readonly files?: Files;
  /** over the rig's default `verify.json` */
  readonly verify?: Record<string, unknown>;
  /** what the outsider prepares, and the request that follows; default: `/assay multiply` on a new issue */
  readonly ask?: (rig: Rig, target: Target) => Promise<Request>;
  /** `right` and `wrong`: the work has to be on a ref, and wrong work may not be verified; `either`: one of the two */
  readonly work: "right" | "wrong" | "either" | "none";
  /** true: where agent and stages are confined, the attack changes nothing and the right work is verified */
  readonly isVerified: boolean;
  /** what else must hold */
  readonly holds?: (end: AttackEnd) => void | Promise<void>;
  /** true: with `sandbox: "off"` and without namespaces it may succeed, and only the report's words are checked */
  readonly mayBreakOpen?: boolean;
  /** why it is not run where nothing confines it */
  readonly notOpen?: string;
  /** how the ordinary tests run it; the other cases are in `npm run sweep` */
  readonly short?: {readonly mode: Mode; readonly level: LevelName};
}

export type Mode = "one job" | "separate jobs";
export type LevelName = "bubblewrap" | "namespaces" | "nothing" | "sandbox off";

/** The first line of a script that must not run where it sees the processes of this machine. */
export const ONLY_CONFINED = `[ "$(readlink /proc/self/ns/pid)" != "${readlinkSync("/proc/self/ns/pid")}" ] || exit 0`;

/** A test file of the change that runs a shell script, and fails if the script prints something. */
export const testThatRuns = (script: string): string => `
import assert from "node:assert/strict";
import {spawnSync} from "node:child_process";
import {test} from "node:test";
test("the script prints nothing", () => {
  const {stdout} = spawnSync("/bin/sh", ["-c", ${JSON.stringify(script)}], {encoding: "utf8"});
  assert.equal(stdout, "");
});
`;
