/** A narrowed look may end a verification as failed, and nothing else: every green stands on the whole plan. */
import {readFile} from "node:fs/promises";
import {expect, test} from "vitest";
import {type Manifest, narrowCommand, packagesOf} from "../../../src/engine/affected/narrow-command.ts";
import {ok} from "../../../src/record/words.ts";
import {decideVerdict} from "../../../src/verify/verdict.ts";
import {stage as result} from "../../unit/report/records.ts";
import {openWorkshop, stageOf} from "../verify/workshop.ts";

const files = ["src/a.ts", "tests/a.test.ts", "it's.ts", "README.md"];
const narrow = (line: string, more: string[] = files, packages: string[] = []) =>
  narrowCommand({line, files: more, packages});

test.each([
  [
    "vitest run --config=v.ts",
    "vitest related --run --config=v.ts --passWithNoTests --coverage.enabled=false ./src/a.ts ./tests/a.test.ts './it'\\''s.ts'",
  ],
  [
    "npx vitest",
    "npx vitest related --run --passWithNoTests --coverage.enabled=false ./src/a.ts ./tests/a.test.ts './it'\\''s.ts'",
  ],
  [
    "CI=1 jest --ci",
    "CI=1 jest --ci --passWithNoTests --coverage=false --findRelatedTests ./src/a.ts ./tests/a.test.ts './it'\\''s.ts'",
  ],
  ["node --import tsx --test", "node --import tsx --test ./tests/a.test.ts"],
  ["eslint src --max-warnings=0", "eslint --max-warnings=0 --no-error-on-unmatched-pattern ./src/a.ts"],
  ["prettier --check .", "prettier --check -u ./src/a.ts ./tests/a.test.ts './it'\\''s.ts' ./README.md"],
])("%s becomes %s", (line, expected) => expect(narrow(line)).toBe(expected));

test("python, go and cargo are narrowed to what they are divided in", () => {
  expect(narrow("uv run pytest -q", ["a.py", "tests/test_a.py"])).toBe("uv run pytest -q ./tests/test_a.py");
  expect(narrow("go test -race ./...", ["a/x.go", "a/y.go", "z.go"])).toBe("go test -race ./a ./.");
  expect(narrow("cargo test --workspace", ["a/src/lib.rs"], ["one"])).toBe("cargo test -p one");
});

test.each([
  ["bundle exec rspec --format=progress", "spec/a_spec.rb", "bundle exec rspec --format=progress ./spec/a_spec.rb"],
  ["mix test --warnings-as-errors", "test/a_test.exs", "mix test --warnings-as-errors ./test/a_test.exs"],
  ["bun test", "a.test.ts", "bun test ./a.test.ts"],
])("%s is narrowed to the test files: %s", (line, file, expected) => {
  expect(narrow(line, [file, "lib/a.x"])).toBe(expected);
  expect(narrow(line, ["lib/a.x"])).toBeNull();
  expect(narrow(`${line} some/place`, [file])).toBeNull();
});

test.each([
  ["turbo run test", "turbo run test '--filter=...{./packages/a}' '--filter=...{./packages/b c}'"],
  [
    "pnpm -r --no-bail test",
    "pnpm -r --no-bail --filter='...{./packages/a}' --filter='...{./packages/b c}' run --if-present test",
  ],
  [
    "pnpm run -r test:unit",
    "pnpm -r --filter='...{./packages/a}' --filter='...{./packages/b c}' run --if-present test:unit",
  ],
  ["npm test --workspaces", "npm test -w packages/a -w 'packages/b c' --if-present"],
  ["npm run lint -ws --if-present", "npm run lint -w packages/a -w 'packages/b c' --if-present"],
  ["./mvnw -B verify", "./mvnw -B verify -pl packages/a,'packages/b c' -am"],
])("a workspace is narrowed to its packages: %s", (line, expected) => {
  expect(narrow(line, ["packages/a/x.ts"], ["packages/a", "packages/b c"])).toBe(expected);
  if (!line.includes("nx")) expect(narrow(line, ["packages/a/x.ts"], [])).toBeNull();
});

test("a file of the root, or of no package that can be read, may concern all", async () => {
  const tree: Record<string, string> = {
    "package.json": "{}",
    "packages/a/package.json": "{}",
    "crates/one/Cargo.toml": '[package]\nname = "one"\n',
    "crates/bad/Cargo.toml": "[package",
  };
  const readText = async (_: string, path: string) => ok(tree[path] ?? null);
  const found = (manifest: Manifest, ...files: string[]) =>
    packagesOf({files, root: ".", manifest, base: "", readText});
  expect(await found("package.json", "packages/a/src/x.ts", "packages/a/y.ts")).toEqual(["packages/a"]);
  expect(await found("package.json", "packages/a/x.ts", "tsconfig.json")).toEqual([]);
  expect(await found("Cargo.toml", "crates/one/src/lib.rs", "README.md")).toEqual(["one"]);
  expect(await found("Cargo.toml", "crates/one/src/lib.rs", "crates/bad/src/lib.rs")).toEqual([]);
});

test.each([
  "nx run-many -t test --projects=a",
  "nx run-many -t test --exclude=b",
  "turbo run test --filter=a",
  "turbo run test -- --watch",
  "pnpm -r test --reporter x",
  "pnpm --filter a test",
  "pnpm -r exec vitest",
  "npm test --workspaces -- --ci",
  "npm test",
  "mvn verify -pl a",
  "mvn -f other/pom.xml test",
])("a command that chooses on its own runs whole: %s", (line) =>
  expect(narrow(line, ["packages/a/x.ts"], ["packages/a"])).toBeNull(),
);

test.each([
  "vitest run tests/unit",
  "vitest run --config v.ts",
  "vitest run && echo done",
  "vitest run | tee log",
  "npm test",
  "make test",
  "pytest -k fast",
  "eslint 'src/**/*.ts'",
  "eslint --ext .ts src",
  "eslint src; true",
  "cargo test",
  "$RUNNER run",
])("what is not understood runs whole: %s", (line) => expect(narrow(line)).toBeNull());

test("nothing is narrowed where no file concerns the tool", () => {
  expect(narrow("vitest run", ["README.md"])).toBeNull();
  expect(narrow("pytest", ["a.py"])).toBeNull();
});

/** A stand-in of the test runner that writes down how it was called; `related` sees changed files only, the rest all of them. */
const runner = (log: string, body: string) => `#!/bin/bash
echo "$1" >> ${log}
told() { printf "\\n FAIL  tests/$1.test.ts > $1\\nAssertionError: expected 1 to be 2 // Object.is equality\\n ❯ tests/$1.test.ts:5:13\\n\\n      Tests  1 failed | 1 passed (2)\\n"; exit 1; }
${body}
echo "      Tests  2 passed (2)"
`;
const suite = stageOf({name: "test", kind: "test", command: "vitest run"});
const change = {"src/a.ts": "export const a = 1;\n"};
const calls = async (log: string) => (await readFile(log, "utf8")).trim().split("\n");

test("a failure in the look is enough for `failed`: the whole run is spared, and shown as not run", async () => {
  await using shop = await openWorkshop({});
  const slow = stageOf({name: "all", kind: "check", command: "make all"});
  const files = {...change, "bin/vitest": runner(shop.log, '[ "$1" = related ] && told a')};
  const {stages, verdict} = await shop.look({stages: [suite, slow], files, mayLookFirst: true});
  expect(verdict).toEqual({kind: "failed", stages: ["test"]});
  expect(stages[0]).toMatchObject({
    outcome: "failed",
    command: "vitest run",
    narrowed: expect.stringContaining("vitest related --run"),
  });
  expect(stages[1]).toMatchObject({name: "all", outcome: "skipped"});
  // The second is the second look at a failing test.
  expect(await calls(shop.log)).toEqual(["related", "related"]);
});

test("a green look claims nothing: the whole plan runs after it, and its red counts", async () => {
  await using shop = await openWorkshop({});
  const files = {...change, "bin/vitest": runner(shop.log, '[ "$1" = run ] && told b')};
  const {stages, verdict} = await shop.look({stages: [suite], files, mayLookFirst: true});
  expect(verdict).toEqual({kind: "failed", stages: ["test"]});
  expect(stages).toMatchObject([{outcome: "failed", command: "vitest run"}]);
  expect(stages[0]?.narrowed).toBeUndefined();
  expect(await calls(shop.log)).toEqual(["related", "run", "run"]);
});

test("green and green: the verdict stands on the plan's own command", async () => {
  await using shop = await openWorkshop({});
  const {stages, verdict} = await shop.look({
    ...{stages: [suite], files: {...change, "bin/vitest": runner(shop.log, "")}, mayLookFirst: true},
  });
  expect(verdict).toEqual({kind: "verified"});
  expect(stages).toMatchObject([{outcome: "passed", command: "vitest run"}]);
  expect(await calls(shop.log)).toEqual(["related", "run"]);
});

test("a narrowed run that passes beside one that fails is not shown as a pass", async () => {
  await using shop = await openWorkshop({});
  const lint = stageOf({name: "lint", kind: "lint", command: "eslint ."});
  const files = {
    ...change,
    "bin/vitest": runner(shop.log, '[ "$1" = run ] && exec sleep 50'),
    "bin/eslint": "#!/bin/sh\necho 'src/a.ts(1,1): error TS2322: No.'\nexit 1\n",
  };
  const {stages, verdict} = await shop.look({stages: [lint, suite], files, mayLookFirst: true});
  expect(verdict).toEqual({kind: "failed", stages: ["lint"]});
  expect(stages[1]).toMatchObject({outcome: "skipped", reason: expect.stringContaining("not run in full yet")});
});

/** Waits until the log has this line, and then goes on; a minute is longer than any test here. */
const until = (log: string, line: string) =>
  `for i in $(seq 600); do grep -qx ${line} ${log} && break; sleep 0.1; done`;

test("what has a checkout of its own runs beside the look and beside the whole run, once", async () => {
  await using shop = await openWorkshop({});
  const lint = stageOf({name: "lint", kind: "lint", command: "eslint .", optional: true});
  const files = {
    ...change,
    // Each waits for the other: the whole test begins before the linter has ended, which began before the look had.
    "bin/vitest": runner(shop.log, `[ "$1" = related ] && ${until(shop.log, "lint")}`),
    "bin/eslint": `#!/bin/bash\necho lint >> ${shop.log}\n${until(shop.log, "run")}\ngrep -qx run ${shop.log}\n`,
  };
  const {stages, verdict} = await shop.look({stages: [lint, suite], files, mayLookFirst: true});
  expect(verdict).toEqual({kind: "verified"});
  expect(stages).toMatchObject([{outcome: "passed"}, {outcome: "passed"}]);
  expect((await calls(shop.log)).sort()).toEqual(["lint", "related", "run"]);
});

test("a failure in the look cuts off what is not part of it", async () => {
  await using shop = await openWorkshop({});
  const lint = stageOf({name: "lint", kind: "lint", command: "eslint .", optional: true});
  const files = {
    ...change,
    "bin/vitest": runner(shop.log, `[ "$1" = related ] && ${until(shop.log, "lint")} && told a`),
    "bin/eslint": `#!/bin/bash\necho lint >> ${shop.log}\nexec sleep 50\n`,
  };
  const {stages, verdict, durationMs} = await shop.look({stages: [lint, suite], files, mayLookFirst: true});
  expect(verdict).toEqual({kind: "failed", stages: ["test"]});
  const reason = "not run in full yet: the failed checks come first";
  expect(stages[0]).toMatchObject({outcome: "skipped", optional: true, reason});
  expect(durationMs).toBeLessThan(50_000);
});

test("what is part of the look runs to its end, so that one prompt carries both failures", async () => {
  await using shop = await openWorkshop({});
  const types = stageOf({name: "types", kind: "typecheck", command: "tsc --noEmit"});
  const files = {
    ...change,
    "bin/vitest": runner(shop.log, '[ "$1" = related ] && told a'),
    "bin/tsc": "#!/bin/sh\nsleep 2; echo 'src/a.ts(1,1): error TS2322: No.'; exit 2\n",
  };
  const {verdict} = await shop.look({stages: [types, suite], files, mayLookFirst: true});
  expect(verdict).toEqual({kind: "failed", stages: ["types", "test"]});
});

test("what a look leaves behind is gone when the stages run in full", async () => {
  await using shop = await openWorkshop({});
  // Poisons its own checkout so that the whole run would pass.
  const body = '[ "$1" = related ] && touch node_cache && exit 0\n[ -e node_cache ] || told c';
  const {verdict} = await shop.look({
    ...{stages: [suite], files: {...change, "bin/vitest": runner(shop.log, body)}, mayLookFirst: true},
  });
  expect(verdict).toEqual({kind: "failed", stages: ["test"]});
});

test("a look that fails without a failing test says too little, and neither does one that flips", async () => {
  await using shop = await openWorkshop({});
  const silent = {...change, "bin/vitest": runner(shop.log, '[ "$1" = related ] && exit 1')};
  expect((await shop.look({stages: [suite], files: silent, mayLookFirst: true})).verdict.kind).toBe("verified");
  const flips = '[ "$1" = related ] && ! [ -e tried ] && touch tried && told d';
  const flaky = {...change, "bin/vitest": runner(shop.log, flips)};
  expect((await shop.look({stages: [suite], files: flaky, mayLookFirst: true})).verdict.kind).toBe("verified");
});

test("a package that the tool does not know is no failure of the change", async () => {
  const cargo = `#!/bin/bash\necho "$*" >> LOG\n[ "$2" = -p ] || exit 0\necho 'error: package ID specification \`one\` did not match any packages'; exit 101\n`;
  const members = {"Cargo.toml": '[workspace]\nmembers = ["one"]\n', "one/Cargo.toml": '[package]\nname = "one"\n'};
  await using shop = await openWorkshop(members);
  const files = {"one/src/lib.rs": "// changed\n", "bin/cargo": cargo.replace("LOG", shop.log)};
  const check = stageOf({name: "check", kind: "typecheck", command: "cargo check --workspace"});
  const {verdict} = await shop.look({stages: [check], files, mayLookFirst: true});
  expect(await calls(shop.log)).toEqual(["check -p one", "check --workspace"]);
  expect(verdict).toEqual({kind: "verified"});
});

test("a failure that the base has too is left to the whole run, which compares it", async () => {
  const body = '[ "$1" = related ] || true\nbroken() { told old; }; broken';
  await using shop = await openWorkshop({"bin/vitest": runner("/dev/null", body)});
  const {verdict} = await shop.look({stages: [suite], files: change, mayLookFirst: true, withBaseline: true});
  expect(verdict).toEqual({kind: "verified-with-preexisting", stages: ["test"]});
});

test("where no fix may follow, all runs whole at once", async () => {
  await using shop = await openWorkshop({});
  await shop.look({stages: [suite], files: {...change, "bin/vitest": runner(shop.log, "")}});
  expect(await calls(shop.log)).toEqual(["run"]);
});

test("a narrowed pass that reached the verdict would not make it green", () => {
  const nothingElse = {setup: [], setupFailedOnBase: false, skipped: new Set<string>(), leftOut: []};
  const given = {...nothingElse, uncovered: [], cancelled: false, outOfTime: "", isBase: false};
  const verdict = (narrowed: boolean) =>
    decideVerdict({
      ...given,
      stages: [result({outcome: "passed", ...(narrowed && {narrowed: "vitest related a.ts"})})],
    });
  expect(verdict(false)).toEqual({kind: "verified"});
  expect(verdict(true).kind).toBe("unverified");
});
