/** Attacks by the agent, a stage and outsiders, in both modes and at each level: no token, no false ✅, no lost work, no missing report. */
import {existsSync, globSync, readdirSync, readFileSync} from "node:fs";
import {join} from "node:path";
import {describe, expect, onTestFailed, test} from "vitest";
import {ENCODINGS} from "../rig/encodings.ts";
import {hasBubblewrap, isAble, LEVELS, without} from "../rig/levels.ts";
import {PRODUCT_FILES, plain} from "../rig/projects.ts";
import {assertPromises} from "../rig/promises.ts";
import {createRig} from "../rig/rig.ts";
import {allProcesses, commandOf} from "../rig/runner/processes.ts";
import type {Running} from "../rig/runner.ts";
import {SEPARATED} from "../rig/separated.ts";
import type {Outcome, Rig} from "../rig/world.ts";
import {isSweep} from "../sweep.ts";
import type {Attack, LevelName, Mode} from "./attacks/attack.ts";
import {FOLDERS} from "./attacks/folders.ts";
import {PROCESSES_AND_SECRETS} from "./attacks/processes.ts";
import {PROGRAMS} from "./attacks/programs.ts";
import {liveTextIn, PWNED, TEXTS} from "./attacks/texts.ts";

const ATTACKS: readonly Attack[] = [...PROGRAMS, ...PROCESSES_AND_SECRETS, ...FOLDERS, ...TEXTS];
const MODES: readonly Mode[] = ["one job", "separate jobs"];

interface Level {
  readonly level: LevelName;
  readonly name: string;
  readonly under: readonly string[];
  /** what the report says; null where nothing is started */
  readonly isolation: string | null;
  readonly isThere: boolean;
}

const bare = hasBubblewrap ? without("bwrap", "unshare") : without("unshare");
const suffix = isAble ? "" : " (needs root)";
const ALL_LEVELS: readonly Level[] = [
  ...LEVELS,
  {level: "nothing", name: `nothing${suffix}`, under: bare, isolation: null, isThere: isAble},
  {level: "sandbox off", name: `sandbox off${suffix}`, under: bare, isolation: "degraded", isThere: isAble},
];

const casesAt = (level: LevelName) =>
  ATTACKS.flatMap((attack) => MODES.map((mode) => ({...attack, attack, mode})))
    .filter(({notOpen}) => notOpen === undefined || level !== "sandbox off")
    .filter(({short, mode}) => isSweep || (short?.mode === mode && short.level === level))
    .map((one, index) => ({
      ...one,
      mark: `41${process.pid}.${ALL_LEVELS.findIndex((at) => at.level === level)}${index}`,
    }));

const TRIED = ALL_LEVELS.filter(({level}) => casesAt(level).length > 0);
describe.each(TRIED)("$name", (level) => {
  test.skipIf(!level.isThere).each(casesAt(level.level))(
    "$class: $name, in $mode",
    async ({attack, mode, mark}) => {
      const isConfined = level.isolation !== null && level.isolation !== "degraded";
      const sandbox = level.level === "sandbox off" ? "off" : "auto";
      await using rig = await createRig({
        files: plain({verify: {maxFixAttempts: 0, sandbox, ...attack.verify}, files: attack.files ?? {}}),
        onFailed: onTestFailed,
        // What takes a program away is started with the token in its environment, as the runner would be.
        watches: level.under.length === 0,
      });
      const target = {folder: rig.folder, canary: join(rig.folder, "canary"), mark};
      const {text, ...asked} = (await attack.ask?.(rig, target)) ?? {text: "/assay multiply"};
      if (attack.acts !== undefined && level.isolation !== null)
        rig.model.script([{when: "multiply", do: [...attack.acts(target)], say: attack.says ?? "Done."}]);
      const {under} = level;
      const changedInJobs: Promise<readonly string[]>[] = [];
      const separated = {
        text: SEPARATED,
        under: () => under,
        onStep: (_: string, {ended}: Running) =>
          void changedInJobs.push(ended.then(({changedOnMachine}) => changedOnMachine)),
      };
      const outcome = await rig.comment(text, {
        by: "will",
        ...asked,
        watchesMachine: true,
        env: {CARGO_HOME: join(rig.folder, "cargo")},
        ...(mode === "one job" ? {under} : {separated}),
      });
      const report = outcome.comments.at(-1)?.body ?? "";
      if (level.level === "sandbox off") expect(report).toContain("Sandbox is off");
      if (!isConfined && attack.mayBreakOpen && level.isolation !== null) return;

      await assertPromises(rig, outcome, {isHostile: true});
      expect(stolen(rig, outcome)).toEqual([]);
      expect(readdirSync(rig.folder).filter((name) => name.startsWith("canary"))).toEqual([]);
      expect(allProcesses().filter((pid) => commandOf(pid).includes(mark))).toEqual([]);
      expect(outcome.log.split("\n").filter((line) => /^\s*::|##\[/.test(line) && line.includes(PWNED))).toEqual([]);
      for (const body of [report, ...outcome.pullRequests.map((one) => one.body)]) expect(liveTextIn(body)).toEqual([]);
      if (attack.work === "wrong") expect(outcome.outputs["verified"]).not.toBe("true");
      if (level.isolation === null) {
        expect(report).toContain("apt-get install -y bubblewrap");
        expect(outcome.outputs["verified"]).not.toBe("true");
        if (attack.acts !== undefined)
          expect(outcome.record).toMatchObject({attempts: [], failures: [{kind: "no-sandbox"}]});
        return;
      }
      const changedRefs = Object.keys(outcome.refs).filter((ref) => outcome.refs[ref] !== outcome.refsBefore[ref]);
      const readAll = (path: string) => Promise.all(changedRefs.map((ref) => rig.origin.read(ref, path)));
      expect(await readAll("src/product.js")).toEqual(expect.arrayContaining(wanted(attack)));
      const read = async (path: string) => (await readAll(path)).find((text) => text !== null) ?? null;
      await attack.holds?.({rig, outcome, target, isConfined, read});
      if (isConfined) {
        expect(outcome.record?.attempts[0]?.verification?.isolation ?? level.isolation).toBe(level.isolation);
        expect([...outcome.changedOnMachine, ...(await Promise.all(changedInJobs)).flat()]).toEqual([]);
        expect(existsSync(join(rig.folder, "cargo/config.toml"))).toBe(false);
        if (attack.isVerified) expect(outcome.outputs["verified"]).toBe("true");
      } else if (mode === "one job" && outcome.changedOnMachine.length > 0) {
        expect(outcome.record?.verdict).toMatchObject({kind: "unverified", why: "gate-error"});
      }
    },
    300_000,
  );
});

/** Places where a planted program wrote a secret down, in any form. */
function stolen(rig: Rig, {secrets}: Outcome): string[] {
  const loot = globSync("run-*/**/loot", {cwd: rig.folder}).map((name) => join(rig.folder, name));
  const forms = secrets.flatMap((secret) => [
    ...Object.values(ENCODINGS).map((encode) => encode(secret)),
    Buffer.from(`x-access-token:${secret}`).toString("base64"),
  ]);
  return loot.filter((file) => existsSync(file) && forms.some((form) => readFileSync(file, "utf8").includes(form)));
}

function wanted({work}: Attack): string[] {
  return work === "right" || work === "wrong" ? [PRODUCT_FILES[work]] : [];
}
