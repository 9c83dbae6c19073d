/** A first look's type check goes by the base's notes where those help, and no verdict but `failed` ever stands on it. */
import {readFile} from "node:fs/promises";
import {join} from "node:path";
import {expect, test} from "vitest";
import {isWorthBuildInfo, makeIncremental} from "../../../src/engine/commands/incremental.ts";
import {isSweep} from "../../sweep.ts";
import {stage as result} from "../../unit/report/records.ts";
import {openWorkshop, stageOf} from "../verify/workshop.ts";

const check = (line: string, cwd = ".") => makeIncremental({line, stage: {name: "app: types", cwd, path: ["bin"]}});

test("a plain type check is given a place for its buildInfo, the same one in each checkout", () => {
  const buildInfo = ".git/assay-types/app-types.tsbuildinfo";
  expect(check("tsc --noEmit -p .")).toEqual({
    instead: {
      command: `tsc --noEmit -p . --incremental --tsBuildInfoFile ${buildInfo}`,
      path: ["bin", "node_modules/.bin", "node_modules/.bin"],
    },
    notes: buildInfo,
  });
  expect(check("A='1 2' npx vue-tsc --noEmit", "packages/a")).toEqual({
    instead: {
      command: `A='1 2' npx vue-tsc --noEmit --incremental --tsBuildInfoFile ../../${buildInfo}`,
      path: ["bin", "packages/a/node_modules/.bin", "node_modules/.bin"],
    },
    notes: buildInfo,
  });
});

test.each([
  "tsc",
  "tsc -b --noEmit",
  "tsc --noEmit --watch",
  "tsc --noEmit --incremental",
  "tsc --noEmit --tsbuildinfofile x",
  "tsc --noEmit @options",
  "tsc --noEmit && eslint .",
  "tsc --noEmit -p a && tsc --noEmit -p b",
  "tsc --noEmit || true",
  "npm run types",
  "mypy .",
])("what is anything else stays as it is: %s", (line) => expect(check(line)).toBeNull());

test("notes are worth it where the same comes out in clearly less time", () => {
  const exit = {kind: "exited", code: 0} as const;
  const took = (durationMs: number, more = {}) => result({durationMs, exit, ...more});
  const worth = (first: number, second: number, more = {}) =>
    isWorthBuildInfo({whole: took(1), first: took(first), second: took(second, more)});
  expect(worth(3_000, 1_500)).toBe(true);
  expect(worth(3_000, 2_500)).toBe(false);
  expect(worth(600, 200)).toBe(false);
  expect(worth(90_000, 31_000)).toBe(false);
  expect(worth(3_000, 1_500, {outcome: "failed"})).toBe(false);
  expect(worth(3_000, 1_500, {exit: {kind: "cancelled"}})).toBe(false);

  const item = (message: string) => ({tool: "tsc", file: "a.ts", code: "TS1", message, severity: "error" as const});
  const red = (message: string, durationMs: number) =>
    took(durationMs, {
      ...{outcome: "failed", failureKind: "code", exit: {...exit, code: 2}, diagnostics: [item(message)]},
      output: {head: `a.ts(1,1): error TS1: ${message}`, tail: "", droppedBytes: 0},
    });
  const onRed = (message: string) =>
    isWorthBuildInfo({whole: red("No.", 1), first: red(message, 3_000), second: red(message, 1_000)});
  expect(onRed("No.")).toBe(true);
  expect(onRed("Unknown option.")).toBe(false);
});

const TSC = join(import.meta.dirname, "../../../node_modules/.bin/tsc");
const NOTES = ".git/assay-types/types.tsbuildinfo";
const types = stageOf({name: "types", kind: "typecheck", command: "tsc --noEmit"});
const unit = stageOf({name: "unit", kind: "test", command: "vitest run"});

/** What the compiler cannot do without; its own library would take most of its time. */
const LIBRARY = "Boolean CallableFunction Function IArguments NewableFunction Number Object RegExp String".split(" ");

/**
 * One file depends on the other. The compiler is the real one, and writes down how it was called. On the base it is slow without
 * notes, and with them it only says again what it said, or what `again` says. It is that slow because the base runs at the lowest
 * priority: beside other tests, the quick run may take seconds, too.
 */
const project = (options: {cents?: string; again?: string} = {}) => ({
  "tsconfig.json": '{"compilerOptions": {"strict": true, "types": [], "noLib": true}, "include": ["src"]}\n',
  "src/lib.d.ts": `${["Array<T>", ...LIBRARY].map((name) => `interface ${name} {}\n`).join("")}`,
  "src/price.ts": "export const price = (cents: number) => cents;\n",
  "src/total.ts": `import {price} from "./price";\nexport const total: number = price(${options.cents ?? "1"});\n`,
  "bin/tsc": `#!/bin/bash
[ -e candidate ] && on=candidate || on=base
[ -e ${NOTES} ] && has="with notes" || has=without
case "$*" in *--incremental*) how=incremental ;; *) how=whole ;; esac
echo "$on $how $has" >> ../../log
[ "$on $how $has" = "base incremental with notes" ] && { cat ../../said; ${options.again ?? "exit $(cat ../../code)"}; }
[ "$on $how $has" = "base incremental without" ] && sleep 8
${TSC} "$@" > ../../said
code=$?
echo $code > ../../code
cat ../../said
[ $on = candidate ] && touch ../../ended
exit $code
`,
  "bin/vitest": `#!/bin/bash
# On the candidate it ends well after the compiler.
[ -e candidate ] && { for i in $(seq 600); do [ -e ../../ended ] && break; sleep 0.1; done; sleep 1; }
echo '      Tests  2 passed (2)'
`,
});
const wrong = {"src/price.ts": "export const price = (cents: number) => `${cents}`;\n"};
const right = {"src/price.ts": "export const price = (cents: number) => cents * 1;\n"};

/** A verification after the base had all the time that it wanted. `calls` are those of the compiler on the candidate. */
async function lookAt(base: Readonly<Record<string, string>>, change: Readonly<Record<string, string>>) {
  await using shop = await openWorkshop(base);
  const files = {candidate: "", ...change};
  const idle = {withBaseline: true, isIdle: true, mayLookFirst: true};
  const {verdict, stages} = await shop.look({stages: [types, unit], files, ...idle});
  const all = (await readFile(shop.log, "utf8")).trim().split("\n");
  const [onBase, calls] = [
    all.filter((line) => line.startsWith("base")),
    all.filter((line) => !line.startsWith("base")),
  ];
  return {verdict, types: stages[0], unit: stages[1], onBase, calls};
}

test.concurrent("an error in a file that depends on the changed one is found by the look, in the words of a whole run", async ({
  expect,
}) => {
  // Where a run with notes says something else, the base does not keep them, and all runs whole.
  const [seen, whole] = await Promise.all([lookAt(project(), wrong), lookAt(project({again: "exit 1"}), wrong)]);
  expect(seen.verdict).toEqual({kind: "failed", stages: ["types"]});
  expect(seen.onBase).toEqual(["base whole without", "base incremental without", "base incremental with notes"]);
  expect(seen.calls).toEqual(["candidate incremental with notes"]);
  expect(seen.types).toMatchObject({outcome: "failed", command: "tsc --noEmit", baseline: {outcome: "new"}});
  expect(seen.types?.diagnostics).toMatchObject([{file: "src/total.ts", code: "TS2322"}]);
  // A test as quick as that is not cut off by it.
  expect(seen.unit?.outcome).toBe("passed");

  expect(whole.calls).toEqual(["candidate whole without"]);
  expect(whole.types?.diagnostics).toEqual(seen.types?.diagnostics);
});

test.concurrent("a look that finds nothing claims nothing: the verdict stands on a run from scratch", async ({
  expect,
}) => {
  const {verdict, types, calls} = await lookAt(project(), right);
  expect(verdict).toEqual({kind: "verified"});
  expect(calls).toEqual(["candidate incremental with notes", "candidate whole with notes"]);
  expect(types).toMatchObject({outcome: "passed", command: "tsc --noEmit"});
  expect(types?.narrowed).toBeUndefined();
});

if (isSweep)
  test.concurrent("an error of the base's is in the notes too, and is not charged to the change", async ({expect}) => {
    const {verdict, calls} = await lookAt(project({cents: '"1"'}), right);
    expect(verdict).toEqual({kind: "verified-with-preexisting", stages: ["types"]});
    expect(calls).toEqual(["candidate incremental with notes", "candidate whole with notes"]);
  });

if (isSweep)
  test.concurrent("with other settings the notes are of no use, and it runs whole at once", async ({expect}) => {
    const settings = '{"compilerOptions": {"types": [], "lib": ["es5"]}, "include": ["src"]}\n';
    const {calls} = await lookAt(project(), {...right, "tsconfig.json": settings});
    expect(calls).toEqual(["candidate whole with notes"]);
  });
