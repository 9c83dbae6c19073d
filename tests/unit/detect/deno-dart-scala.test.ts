/** Deno, Dart, Scala, Haskell. */
import {expect, test} from "vitest";
import {setupOf, stagesOf} from "./planned.ts";
import {planOf} from "./tree.ts";

test("Deno: tasks where they are declared, else its own tools", () => {
  const tree = {"deno.jsonc": '{"tasks": {"test": "deno test -A"}} // own', "a_test.ts": "", "deno.lock": "{}"};
  expect(stagesOf(tree)).toEqual([
    "typecheck: deno check .",
    "lint: deno lint",
    "lint:format: deno fmt --check",
    "test: deno task test",
  ]);
  expect(setupOf(tree)).toEqual([".: deno install --frozen"]);
  expect(stagesOf({"deno.json": {}, "src/a.test.ts": ""})).toContain("test: deno test");
});

test("Deno: beside a package.json only its tasks count; a watching or writing task never does", () => {
  expect(stagesOf({"deno.json": {name: "@a/a", exports: "./a.ts"}, "package.json": {}, "a_test.ts": ""})).toEqual([]);
  const tasks = {test: {command: "deno test --watch"}, lint: "deno fmt"};
  expect(stagesOf({"deno.json": {tasks}, "package.json": {}})).toEqual([]);
});

test("Deno: a workspace takes in its members", () => {
  const plan = planOf({"deno.json": {workspace: ["./a"]}, "a/deno.json": {}, "a/x_test.ts": ""});
  expect(new Set(plan.stages.map((stage) => stage.cwd))).toEqual(new Set(["."]));
});

test("Dart and Flutter packages, each with its own tests", () => {
  const plan = planOf({
    "pubspec.yaml": "name: a\ndependencies:\n  flutter:\n    sdk: flutter\n",
    "test/a_test.dart": "",
    "packages/b/test/b_test.dart": "",
    "analysis_options.yaml": "",
    "packages/b/pubspec.yaml": "name: b\n",
    "packages/b/pubspec.lock": "packages:\n",
  });
  expect(plan.stages.map((stage) => `${stage.cwd} ${stage.command}`)).toEqual([
    ". flutter analyze",
    "packages/b dart analyze",
    ". flutter test",
    "packages/b dart test",
  ]);
  expect(plan.setup.map((step) => step.command)).toEqual(["dart pub get", "flutter pub get"]);
});

test("Scala by sbt", () => {
  expect(stagesOf({"build.sbt": ""})).toEqual(["test: sbt test", "build: sbt Test/compile"]);
});

test("Haskell by Cabal, with tests where there is a folder of them", () => {
  expect(stagesOf({"a.cabal": "", ".hlint.yaml": "", "test/Spec.hs": ""})).toEqual([
    "lint: hlint .",
    "test: cabal test all",
    "build: cabal build all",
  ]);
  expect(stagesOf({"a.cabal": "", "src/A.hs": ""})).toEqual(["build: cabal build all"]);
});
