/** Stages that only look run beside the tests of their project, each on files that nobody else can touch. */
import {readFile} from "node:fs/promises";
import {expect, test} from "vitest";
import {openStageCheckouts} from "../../../src/engine/checkout/stage-checkouts.ts";
import {isolatedStages, isReadOnly} from "../../../src/engine/commands/isolated-stages.ts";
import type {Stage} from "../../../src/record/plan.ts";
import {ok} from "../../../src/record/words.ts";
import {openWorkshop, stageOf} from "../verify/workshop.ts";

test.each([
  ["tsc --noEmit", true],
  ["npx tsc --noEmit -p . && eslint . --max-warnings 0", true],
  ["tsc", false],
  ["tsc -b --noEmit", false],
  ["eslint . --fix", false],
  ["eslint . -f json > report.json", false],
  ["prettier --check .", true],
  ["prettier --write .", false],
  ["ruff check && mypy src", true],
  ["eslint . || true", false],
  ["eslint $(git ls-files)", false],
  ["node generate.js && tsc --noEmit", false],
  ["npm run lint", false],
])("only looks: %s %s", (line, expected) => expect(isReadOnly(line)).toBe(expected));

const names = (stages: Stage[]) => [...isolatedStages(stages, ({command}) => command)].map(({name}) => name);
const types = stageOf({name: "types", kind: "typecheck", command: "tsc --noEmit"});
const lint = stageOf({name: "lint", kind: "lint", command: "eslint ."});
const tests = stageOf({name: "test", kind: "test", command: "vitest run"});
const build = stageOf({name: "build", kind: "build", command: "vite build"});

test("what looks, and a build that nothing comes after, have a checkout of their own", () => {
  expect(names([types, lint, tests, build])).toEqual(["types", "lint", "build"]);
  expect(names([tests, lint])).toEqual(["lint"]);
});

test("nothing runs apart from what it may read: a build, an unknown command, a test that it names", () => {
  expect(names([build, types, tests])).toEqual([]);
  expect(names([stageOf({name: "generate", kind: "check", command: "node generate.js"}), types])).toEqual([]);
  expect(names([tests, {...build, needs: ["test"]}])).toEqual([]);
  expect(names([types, {...lint, needs: ["types"]}])).toEqual(["types", "lint"]);
  expect(
    names([
      {...build, cwd: "one"},
      {...build, name: "other", cwd: "two"},
    ]),
  ).toEqual(["other"]);
});

test.each([
  ["go", "go vet ./...", "go test ./...", "go build ./..."],
  ["cargo", "cargo fmt --check", "cargo test", "cargo build"],
  [
    "cmake",
    "shellcheck x.sh",
    "cmake -S . -B build && cmake --build build && ctest --test-dir build",
    "cmake -S . -B build && cmake --build build",
  ],
  ["make and cmake", "shellcheck x.sh", "make test", "cmake -S . -B build && cmake --build build"],
  ["maven", "shellcheck x.sh", "mvn -B test", "mvn -B -DskipTests package"],
])("%s compiles once: its stages share a checkout", (_, look, run, make) => {
  const stages = [
    {...lint, command: look},
    {...tests, command: run},
    {...build, command: make},
  ];
  expect(names(stages)).toEqual(/shellcheck|fmt/.test(look) ? ["lint"] : []);
});

test("stages of two compilers, or in folders beside each other, have checkouts of their own", () => {
  const vet = {...types, command: "go vet ./..."};
  expect(names([vet, {...tests, command: "vitest run"}, build])).toEqual(["types", "build"]);
  const modules = [
    {...vet, cwd: "one"},
    {...tests, cwd: "two", command: "go test ./..."},
  ];
  expect(names(modules)).toEqual(["types"]);
});

/** Passes once the other stage of the same name has begun. */
const meet = (log: string, own: string, other: string) =>
  `echo ${own} >> ${log}; for i in $(seq 500); do grep -q ${other} ${log} && break; sleep 0.1; done; grep -q ${other} ${log}`;

test("type check, lint, test and build of one project run at once, and the record keeps the plan's order", async () => {
  await using shop = await openWorkshop({});
  const program = (own: string, other: string) => `#!/bin/sh\n${meet(shop.log, own, other)}\n`;
  const files = {
    "bin/tsc": program("types", "tests"),
    "bin/vite": program("build", "."),
    "a.ts": "export const a = 1;\n",
  };
  const test = {...tests, command: meet(shop.log, "tests", "types")};
  const {stages, verdict} = await shop.look({stages: [types, test, build], files});
  expect(stages.map(({name, outcome}) => `${name} ${outcome}`)).toEqual([
    "types passed",
    "test passed",
    "build passed",
  ]);
  expect(verdict).toEqual({kind: "verified"});
});

test("stages that only look, one after the other, share a checkout, and the tests have another", async () => {
  await using shop = await openWorkshop({});
  const note = (name: string) => `echo "${name} $PWD" >> ${shop.log}`;
  const stages = [
    types,
    {...lint, needs: ["types"]},
    {...tests, command: `${meet(shop.log, "begun", "eslint")}; ${note("tests")}`},
  ];
  const files = {"bin/tsc": `#!/bin/sh\n${note("tsc")}\n`, "bin/eslint": `#!/bin/sh\n${note("eslint")}\n`};
  const {verdict} = await shop.look({stages, files});
  const lines = (await readFile(shop.log, "utf8")).split("\n").map((line) => line.split(" "));
  const folderOf = (name: string) => lines.find(([first]) => first === name)?.[1];
  expect(verdict).toEqual({kind: "verified"});
  expect(folderOf("eslint")).toBe(folderOf("tsc"));
  expect(folderOf("tests")).not.toBe(folderOf("tsc"));
});

test("a checkout goes on to the next check after one that only looked, or could not start, and not after a build", async () => {
  await using shop = await openWorkshop({});
  const {signal} = new AbortController();
  const variables = () => ({PATH: process.env["PATH"] ?? ""});
  const shared = {folder: shop.folder, isolation: "degraded", signal, sandbox: () => null, variables} as const;
  let opened = 0;
  const openAnother = async () => {
    opened += 1;
    return ok(shared);
  };
  const runIn = openStageCheckouts({shared, openAnother}, {restoreRewritten: async () => [], isLeaf: () => true});
  const opens = async (stage: Stage) => {
    await runIn(stage, "separate", []);
    return opened;
  };
  const absent = {...lint, tools: [{name: "no-such-linter", hint: "install it"}]};
  expect(await opens(absent)).toBe(1);
  expect(await opens({...types, command: "exit 1"})).toBe(1);
  expect(await opens({...build, command: "true"})).toBe(1);
  expect(await opens({...types, command: "kill -9 $$"})).toBe(2);
  expect(await opens({...types, command: "true"})).toBe(3);
});

/** A test that hides a mistake from its neighbours for as long as it runs, and puts it back. */
const HIDES = "cp bad.ts kept && echo fine > bad.ts && sleep 2 && cp kept bad.ts";

test("a test that changes files while the type checker looks cannot turn its red into green", async () => {
  await using shop = await openWorkshop({"bin/tsc": "#!/bin/sh\nsleep 1; ! grep -q BAD bad.ts\n"});
  const {stages, verdict} = await shop.look({
    stages: [types, {...tests, command: HIDES}],
    files: {"bad.ts": "BAD\n"},
  });
  expect(stages).toMatchObject([{outcome: "failed"}, {outcome: "passed"}]);
  expect(verdict).toEqual({kind: "failed", stages: ["types"]});
});

test("who rewrites tracked files is told apart from who ran beside", async () => {
  await using shop = await openWorkshop({"bin/tsc": "#!/bin/sh\nsleep 1\n", "a.ts": "1\n"});
  const {stages} = await shop.look({
    stages: [types, {...tests, command: "echo 2 > a.ts; sleep 1.5"}],
    files: {"b.ts": "1\n"},
  });
  expect(stages).toMatchObject([
    {name: "types", outcome: "passed"},
    {name: "test", outcome: "failed", reason: expect.stringContaining("it rewrote tracked files: a.ts")},
  ]);
});

test("failFast ends what still runs, which is then shown as passed over", async () => {
  await using shop = await openWorkshop({"bin/tsc": "#!/bin/sh\nexit 1\n"});
  const began = performance.now();
  const {stages} = await shop.look({
    ...{stages: [types, {...tests, command: "sleep 55"}], files: {"a.ts": "1\n"}, failFast: true},
  });
  expect(performance.now() - began).toBeLessThan(50_000);
  expect(stages).toMatchObject([
    {name: "types", outcome: "failed"},
    {name: "test", outcome: "skipped", reason: "failFast: types did not pass"},
  ]);
});

test("what runs out of time beside another runs again alone, and nothing is charged to it for that", async () => {
  await using shop = await openWorkshop({"bin/tsc": "#!/bin/sh\nsleep 7\n"});
  // Slow in company only: it waits for a neighbour that is gone by the second time.
  const command = `echo run >> ${shop.log}; [ $(wc -l < ${shop.log}) = 2 ] || sleep 30`;
  const {stages} = await shop.look({
    stages: [types, {...tests, command, timeout: 6}],
    files: {"a.ts": "1\n"},
  });
  expect(stages).toMatchObject([{outcome: "passed"}, {name: "test", outcome: "passed"}]);
  expect(await readFile(shop.log, "utf8")).toBe("run\nrun\n");
});
