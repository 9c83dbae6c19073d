/** Elixir and Swift projects. */
import {expect, test} from "vitest";
import {setupOf, stagesOf} from "./planned.ts";
import {planOf} from "./tree.ts";

const MIX = "defmodule A.MixProject do\n  def project, do: [app: :a]\n";

test("a mix project with its formatter and credo", () => {
  const tree = {
    "mix.exs": `${MIX}  defp deps, do: [{:credo, "~> 1.7"}]\n`,
    "mix.lock": "%{}",
    ".formatter.exs": "[inputs: []]",
    "test/a_test.exs": "",
  };
  expect(stagesOf(tree)).toEqual([
    "lint: mix format --check-formatted",
    "lint:credo: mix credo",
    "test: mix test",
    "build: mix compile",
  ]);
  expect(setupOf(tree)).toEqual([
    ".: mix local.hex --force --if-missing && mix local.rebar --force --if-missing && mix deps.get --check-locked",
  ]);
});

test("warnings count where a workflow counts them; an umbrella takes in its applications", () => {
  const plan = planOf({
    "mix.exs": `${MIX} apps_path: "apps"`,
    "apps/a/mix.exs": MIX,
    ".github/workflows/ci.yml": "run: mix compile --warnings-as-errors",
  });
  expect(plan.stages.map((stage) => `${stage.cwd} ${stage.command}`)).toEqual([". mix compile --warnings-as-errors"]);
});

test("a Swift package with tests and linters", () => {
  const tree = {
    "Package.swift": 'Package(targets: [.testTarget(name: "T")])',
    "Sources/A/a.swift": "",
    "Tests/T/t.swift": "",
    ".swiftlint.yml": "",
    ".swift-format": "{}",
  };
  expect(stagesOf(tree)).toEqual([
    "lint: swiftlint lint",
    "lint:format: swift format lint --recursive Sources Tests",
    "test: swift test",
    "build: swift build",
  ]);
});

test("a manifest that only lends C sources to Swift is no Swift project", () => {
  expect(stagesOf({"Package.swift": "Package()", "a.c": ""})).toEqual([]);
});
