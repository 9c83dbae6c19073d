/** What tests of CI need beside a checkout, the systems they run on, and commands that only look like checks. */
import {expect, it} from "vitest";
import {notes, stages, steps, workflow} from "./placed.ts";
import {stagesOf} from "./planned.ts";
import {planOf} from "./tree.ts";

type Tree = Record<string, string | object>;
const manifest = (scripts: object, more: object = {}) => ({
  "package.json": {scripts, devDependencies: {vitest: "*"}, ...more},
});

it.each<[string, string[]]>([
  ["a screen around the tests", ["run: xvfb-run -a npm test"]],
  ["a screen before them", ["run: sudo /usr/bin/Xvfb $DISPLAY -screen 0 1x1x24 &", "run: npm test"]],
  ["an installed project", ["run: |\n          make\n          sudo make install", "run: npm test"]],
  ["downloaded files", ["run: just download-data", "run: npm test"]],
])("tests that CI gives %s are optional", (_, runs) => {
  expect(stagesOf({...manifest({test: "vitest run"}), ...workflow(steps(...runs))})).toEqual([
    expect.stringMatching(/^test: npm (run )?test \?$/),
  ]);
});

it("what CI only runs next to a screen is left to the manifests, and not what it also starts without one", () => {
  const tree = {
    ...manifest({build: "tsup", test: "vitest run"}),
    ...workflow(steps("run: Xvfb :0 -screen 0 1x1x24 &", "run: npm run build", "run: npm test")),
  };
  expect(stagesOf(tree)).toEqual(["test: npm run test ?", "build: npm run build ?"]);
  expect(stagesOf({...tree, ...workflow(steps("run: npm test", "run: xvfb-run npm test"))})).toContain(
    "test: npm test",
  );
});

it("a command on several systems has one note, and the reason of Linux counts", () => {
  const job = (os: string, run: string): string =>
    `  job:\n    runs-on: \${{ matrix.os }}\n    strategy:\n      matrix:\n        os: [${os}]\n    steps:\n      - run: |\n${run}`;
  const computed =
    '          RACE=""\n          if test -n "$X"; then RACE=-race; fi\n          gotestsum -- $RACE ./\n';
  const of = (jobs: string): string[] =>
    notes({"go.mod": "module a\n", "a_test.go": "", ...workflow(jobs)}).filter((one) => one.includes("gotestsum"));
  expect(of(job("windows-latest, ubuntu-latest, macos-latest", computed))).toEqual([
    ".github/workflows/ci.yml job: `gotestsum -- $RACE ./` skipped: the script of CI computes `RACE` before it",
  ]);
  const linux = "  lint:\n    runs-on: ubuntu-latest\n    steps:\n      - run: go vet ./...\n";
  expect(of(`${linux}${job("windows-latest, macos-latest", "          gotestsum ./\n")}`)).toEqual([
    ".github/workflows/ci.yml job: `gotestsum ./` skipped: CI runs it on macOS and Windows only",
  ]);
});

it("a version that is not released yet is chosen last", () => {
  const matrix =
    "        include:\n          - {py: 3.15, allow_prereleases: true}\n          - {py: 3.14}\n          - {py: 3.13}\n";
  const jobs = `  job:\n    runs-on: ubuntu-latest\n    strategy:\n      matrix:\n${matrix}    steps:\n      - run: uv run --python \${{ matrix.py }} pytest\n`;
  expect(stages({"a.py": "", ...workflow(jobs)})).toEqual(["test: uv run --python 3.14 pytest"]);
});

it.each<[string, Tree, string[]]>([
  [
    "targets of a script, and no browser among them",
    {
      ...manifest({
        "test:pr": "nx affected --targets=test:unit,test:e2e,lint",
        test: "nx run-many --targets=test:unit,test:e2e",
      }),
      "nx.json": {},
      ...workflow(steps("run: pnpm run test:pr --parallel=3")),
    },
    ["test: nx run-many --targets=test:unit"],
  ],
  [
    "linters through `go run`, unless it fetches a version",
    {
      "go.mod": "module a\n",
      "a.go": "package a\n",
      ...workflow(
        steps("run: go run honnef.co/go/tools/cmd/staticcheck ./...", "run: go run mvdan.cc/x/revive@v1 ./..."),
      ),
    },
    ["typecheck: go vet ./...", "lint: go run honnef.co/go/tools/cmd/staticcheck ./...", "build: go build ./..."],
  ],
  [
    "another project of the compiler",
    {
      ...manifest({types: "tsc --build"}),
      ...workflow(steps("run: npm run types", "run: npx tsc --build tsconfig.with-examples.json")),
    },
    ["typecheck: npm run types", "typecheck:tsc: tsc --build tsconfig.with-examples.json"],
  ],
  [
    "a linter of the website, but not its build",
    {
      ...manifest({test: "vitest run"}),
      "packages/website/package.json": {scripts: {stylelint: "stylelint a.css", build: "vite build"}},
      ...workflow(
        steps(
          "run: npm run stylelint\n        working-directory: packages/website",
          "run: npm run build\n        working-directory: packages/website",
        ),
      ),
    },
    [
      "packages/website:lint: npm run stylelint @packages/website",
      "test: npm run test",
      "packages/website:build: npm run build @packages/website",
    ],
  ],
  [
    "the state of a checkout",
    {
      ...manifest({clean: "git diff --exit-code"}),
      ...workflow(steps("run: npm run clean", "run: '! git status --porcelain | grep -F .'")),
    },
    [],
  ],
  [
    "what prepares tests",
    {Makefile: "prepare_tests_all:\n\tcc a.c\n", ...workflow(steps("run: make prepare_tests_all"))},
    [],
  ],
  ["a message of a commit", manifest({"lint:commit": "commitlint -E HUSKY_GIT_PARAMS"}), []],
  ["a program that cargo builds first", manifest({typecheck: "target/debug/moon run :typecheck"}), []],
  [
    "a task of Gradle that lints",
    {"build.gradle.kts": "", gradlew: "", ...workflow(steps("run: ./gradlew ktlint"))},
    ["lint: ./gradlew ktlint", "test: ./gradlew test", "build: ./gradlew assemble"],
  ],
])("%s", (_, tree, expected) => {
  expect(stages(tree)).toEqual(expected);
});

it("a script for all packages does not run where CI starts another one", () => {
  const tree = {
    ...manifest({test: "pnpm run -r test"}, {workspaces: ["packages/*"]}),
    "pnpm-lock.yaml": "",
    "packages/a/package.json": {scripts: {"test:unit": "vitest run", test: "vitest run && playwright test"}},
  };
  const of = (run: string) =>
    stages({...tree, ...workflow(steps(`run: ${run}`))}).filter((one) => one.startsWith("test"));
  expect(of("pnpm run -r test:unit")).toEqual(["test: pnpm run -r test:unit"]);
  expect(of("pnpm test")).toEqual(["test: pnpm run test"]);
});

it("files of a catalogue are no manifests", () => {
  const entries = Object.fromEntries(Array.from({length: 60}, (_, i) => [`registry/tool-${i}.toml`, ""]));
  const tree = {"Cargo.toml": '[package]\nname = "a"\n', "src/lib.rs": "", "registry/ruff.toml": "line-length = 100\n"};
  expect(stages({...tree, ...entries}).filter((one) => one.includes("ruff"))).toEqual([]);
  expect(stages(tree).filter((one) => one.includes("ruff"))).not.toEqual([]);
});

it("what a command reads from another one is no command of its own", () => {
  const {ci = []} = planOf({
    ...manifest({test: "vitest run"}),
    ...workflow(steps("run: npm test", "run: diff <(sort -u a.txt) b.txt")),
  });
  expect(ci.map(({command}) => command)).toEqual(["npm test", "diff <(sort -u a.txt) b.txt"]);
});

it.each<[string, Tree, string[]]>([
  [
    "a program of a container's image",
    {
      ...manifest({}),
      ...workflow(
        "  a:\n    runs-on: ubuntu-latest\n    container: perldocker/perl-tester\n    steps:\n      - run: test-dist\n      - run: prove -l t\n",
      ),
    },
    ["test: prove -l t", "check: test-dist"],
  ],
  [
    "text of another language",
    {
      ...manifest({}),
      ...workflow(
        steps(
          "shell: julia --project=docs {0}\n        run: |\n          using Pkg\n          Test.run(PackageSpec(path=pwd()))",
        ),
      ),
    },
    [],
  ],
  ["a program that an earlier step makes", {...manifest({}), ...workflow(steps("run: bundle/bin/rake spec:ci"))}, []],
  [
    "a launcher of Ruby",
    {...manifest({}), ...workflow(steps("run: ruby -rpg -S rspec spec"))},
    ["test: ruby -rpg -S rspec spec"],
  ],
  [
    "a manifest that Bazel reads",
    {
      "MODULE.bazel": "",
      "BUILD.bazel": "",
      "crates/BUILD.bazel": "",
      "crates/Cargo.toml": '[package]\nname = "a"\n',
      "crates/src/lib.rs": "",
    },
    ["test: bazel test //...", "build: bazel build //..."],
  ],
])("%s", (_, tree, expected) => {
  expect(stages(tree)).toEqual(expected);
});
