/** The agent or a test puts a program of its own in a folder of PATH, or a setting in a toolchain's home: no token, no false ✅, no lost work. */
import {existsSync, globSync, readFileSync} from "node:fs";
import {join} from "node:path";
import {expect, onTestFailed, test} from "vitest";
import {ENCODINGS} from "../rig/encodings.ts";
import {type Action, bash} from "../rig/model.ts";
import {PRODUCT_FILES, plain, WRITES} from "../rig/projects.ts";
import {assertPromises} from "../rig/promises.ts";
import {createRig} from "../rig/rig.ts";
import {SEPARATED} from "../rig/separated.ts";
import type {Outcome, Rig} from "../rig/world.ts";

/** Only in the folder that the rig made: as root, the attack could write into the machine's own. Node there is a link. */
const plant = (name: string, lines: readonly string[]): string => `
for d in $(echo "$PATH" | tr : ' '); do
  case $d in */runner-temp-*/bin) rm -f "$d/${name}" && cat > "$d/${name}" <<'END' && chmod +x "$d/${name}";; esac
#!/bin/sh
${lines.join("\n")}
END
done`;

const THIEF = plant("git", ['env >> "$(dirname "$0")/loot"', 'exec /usr/bin/git "$@"']);
/** Says what a test run without failures says. */
const LIAR = plant("node", ["echo '# tests 1'", "echo '# pass 1'", "echo '# fail 0'"]);
/** In a program whose tests count, so that it is evidence. */
const PLANTING_TEST = `
import {execFileSync} from "node:child_process";
import {test} from "node:test";
test("passes", () => {
  try { execFileSync("/bin/sh", ["-c", ${JSON.stringify(THIEF)}], {stdio: "ignore"}); } catch {}
});
`;
/** Stands for Cargo, whose \`runner\` is started in place of the tests. */
const OBEYS_SETTING = 'if grep -qs runner "$CARGO_HOME/config.toml"; then echo "1 passed"; else node --test; fi';

interface Attack {
  readonly name: string;
  readonly by: readonly Action[];
  /** the change is wrong: nothing may call it verified */
  readonly isWrong: boolean;
  readonly verify?: Record<string, unknown>;
  readonly files?: Record<string, string>;
  /** runs in the tests; the others in \`npm run sweep\` */
  readonly isShort?: true;
}

const byAgent = (command: string, work: keyof typeof WRITES): readonly Action[] => [bash(command), ...WRITES[work]];
const byTest: readonly Action[] = [
  ...WRITES.right,
  {tool: "write", arguments: {path: "tests/plant.test.js", content: PLANTING_TEST}},
];
const ATTACKS: readonly Attack[] = [
  {name: "the agent plants git and node", by: byAgent(THIEF + LIAR, "wrong"), isWrong: true, isShort: true},
  {name: "the agent plants git", by: byAgent(THIEF, "right"), isWrong: false},
  {name: "the agent plants node", by: byAgent(LIAR, "wrong"), isWrong: true},
  {
    name: "the agent sets a runner for Cargo",
    by: byAgent('mkdir -p "$CARGO_HOME" && echo "runner = \\"true\\"" > "$CARGO_HOME/config.toml"', "wrong"),
    isWrong: true,
    verify: {stages: [{name: "test", kind: "test", command: OBEYS_SETTING, timeout: 60}]},
  },
  {name: "a test of the change plants git", by: byTest, isWrong: false},
  {
    name: "a test of the base plants git",
    by: WRITES.right,
    isWrong: false,
    files: {"tests/plant.test.js": PLANTING_TEST},
  },
];

const isLong = process.env["ASSAY_SWEEP"] !== undefined;
const CASES = ATTACKS.flatMap((attack) =>
  (["auto", "off"] as const).flatMap((sandbox) =>
    (["one job", "separate jobs"] as const).map((mode) => ({...attack, sandbox, mode})),
  ),
).filter((one) => isLong || (one.isShort && one.sandbox === "off" && one.mode === "one job"));

test.each(CASES)("$name, in $mode, sandbox $sandbox", async ({by, isWrong, verify, files = {}, sandbox, mode}) => {
  const rules = {maxFixAttempts: 0, sandbox, ...verify};
  await using rig = await createRig({files: plain({verify: rules, files}), onFailed: onTestFailed});
  rig.model.script([{when: "multiply", do: [...by], say: "Done."}]);
  const outcome = await rig.comment("/assay multiply", {
    watchesMachine: true,
    env: {CARGO_HOME: join(rig.folder, "cargo")},
    ...(mode === "separate jobs" && {separated: {text: SEPARATED}}),
  });
  await assertPromises(rig, outcome, {isHostile: true});
  expect(stolen(rig, outcome)).toEqual([]);
  expect(await isKept(rig, outcome, isWrong ? "wrong" : "right")).toBe(true);
  if (isWrong) expect(outcome.outputs["verified"]).not.toBe("true");
  const {verdict} = outcome.record ?? {};
  if (mode === "one job" && outcome.changedOnMachine.length > 0) {
    expect(verdict).toMatchObject({kind: "unverified", why: "gate-error"});
  }
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

async function isKept(rig: Rig, {refs}: Outcome, work: "right" | "wrong"): Promise<boolean> {
  const found = await Promise.all(Object.keys(refs).map((ref) => rig.origin.read(ref, "src/product.js")));
  return found.includes(PRODUCT_FILES[work]);
}
