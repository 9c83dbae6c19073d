/** Terraform, shell, Lua, Erlang, Clojure. */
import {expect, test} from "vitest";
import {setupOf, stagesOf} from "./planned.ts";

test("Terraform without an account or state; modules are part of it", () => {
  const tree = {"main.tf": 'module "a" {}\n', "modules/a/main.tf": 'resource "x" "y" {}\n', ".terraform.lock.hcl": ""};
  expect(stagesOf(tree)).toEqual(["typecheck: terraform validate", "lint: terraform fmt -check -recursive"]);
  expect(setupOf(tree)).toEqual([".: terraform init -backend=false -input=false"]);
});

test("a shell project: its configured linter on its scripts, quoted, and its tests", () => {
  const tree = {
    ".shellcheckrc": "",
    "a.sh": "",
    "bin/b c.sh": "",
    "test/a.bats": "@test 'a' { true; }",
    "test/x/b.bats": "",
  };
  expect(stagesOf(tree)).toEqual(["lint: shellcheck a.sh 'bin/b c.sh'", "test: bats --recursive test"]);
});

test("scripts of a project in another language are no shell project", () => {
  expect(stagesOf({"a.sh": "", "b.sh": ""})).toEqual([]);
  expect(stagesOf({".shellcheckrc": "", "a.sh": "", "package.json": {}})).toEqual([]);
});

test("Lua by its configured tools", () => {
  const tree = {".luacheckrc": "", ".busted": "", "a.lua": "", "spec/a_spec.lua": ""};
  expect(stagesOf(tree)).toEqual(["lint: luacheck .", "test: busted"]);
});

test("Erlang, whose two kinds of tests both run, and Clojure", () => {
  expect(stagesOf({"rebar.config": "", "test/a_SUITE.erl": "", "test/a_tests.erl": ""})).toEqual([
    "test: rebar3 ct",
    "test:eunit: rebar3 eunit",
    "build: rebar3 compile",
  ]);
  expect(stagesOf({"project.clj": "(defproject a)", "test/a_test.clj": ""})).toEqual(["test: lein test"]);
});
