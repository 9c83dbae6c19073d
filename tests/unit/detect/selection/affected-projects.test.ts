/** `--changed`: the projects that a change touches, and those that need them. */
import {describe, expect, it, test} from "vitest";
import {DEFAULT_CONFIG} from "../../../../src/detect/config/config.ts";
import {plan} from "../../../../src/detect/plan.ts";
import {projectOf} from "../tree.ts";

type Tree = Record<string, string | object>;

/** The folders whose stages run when these paths change. */
function checked(tree: Tree, ...changed: string[]): string[] {
  const made = plan({project: projectOf(tree), config: DEFAULT_CONFIG, changed});
  if (!made.ok) throw new Error(made.failure.kind);
  return [...new Set(made.value.stages.map((stage) => stage.cwd))].sort();
}

const node = (name: string, dependencies: object = {}): object => ({name, scripts: {test: "mocha"}, dependencies});
const go = (name: string, rest = ""): Tree => ({
  [`${name}/go.mod`]: `module example.org/${name}\n\ngo 1.24\n${rest}`,
  [`${name}/a.go`]: "package a\n",
});

describe("a project runs when one that it needs changes", () => {
  it.each<[string, Tree, string, string[]]>([
    [
      "by the name of a package, through another one",
      {
        "core/package.json": node("@x/core"),
        "kit/package.json": node("@x/kit", {"@x/core": "workspace:*"}),
        "web/package.json": node("web", {"@x/kit": "1.0.0"}),
        "docs-site/package.json": node("site"),
      },
      "core/a.js",
      ["core", "kit", "web"],
    ],
    [
      "by the path of a module that replaces one",
      {
        ...go("core"),
        ...go("api", "require example.org/other v1.0.0\nreplace example.org/other => ../core\n"),
        ...go("cli", "require example.org/corelike v1.0.0\n"),
      },
      "core/a.go",
      ["api", "core"],
    ],
    [
      "by the name of a module",
      {...go("core"), ...go("api", "require (\n\texample.org/core v0.0.0\n)\n")},
      "core/a.go",
      ["api", "core"],
    ],
    [
      "by the path of a crate",
      {
        "core/Cargo.toml": '[package]\nname = "core"\n',
        "cli/Cargo.toml": '[package]\nname = "cli"\n[dependencies]\ncore = {path = "../core"}\n',
      },
      "core/src/lib.rs",
      ["cli", "core"],
    ],
    [
      "by the name of a Python project",
      {
        ...Object.fromEntries(["core", "api", "etl"].map((name) => [`${name}/test_it.py`, ""])),
        "core/pyproject.toml": '[project]\nname = "core"\n[tool.pytest.ini_options]\n',
        "api/pyproject.toml": '[project]\nname = "api"\ndependencies = ["core>=1"]\n[tool.pytest.ini_options]\n',
        "etl/pyproject.toml": '[project]\nname = "etl"\ndependencies = ["corex"]\n[tool.pytest.ini_options]\n',
      },
      "core/a.py",
      ["api", "core"],
    ],
    [
      "by a path with the other slashes",
      {
        "Core/Core.Tests.csproj": "<Project/>",
        "Web/Web.Tests.csproj": '<ProjectReference Include="..\\Core\\Core.Tests.csproj" />',
      },
      "Core/A.cs",
      ["Core", "Web"],
    ],
    [
      "but not the other way round",
      {"core/package.json": node("core"), "web/package.json": node("web", {core: "*"})},
      "web/a.js",
      ["web"],
    ],
    [
      "and two that need each other end",
      {"a/package.json": node("a", {b: "*"}), "b/package.json": node("b", {a: "*"}), "c/package.json": node("c")},
      "a/a.js",
      ["a", "b"],
    ],
  ])("%s", (_, tree, changed, expected) => expect(checked(tree, changed)).toEqual(expected));
});

test("without a change that is told, all of them run", () => {
  const tree = {"a/package.json": node("a"), "b/package.json": node("b")};
  const made = plan({project: projectOf(tree), config: DEFAULT_CONFIG});
  expect(made.ok && made.value.stages.map((stage) => stage.cwd)).toEqual(["a", "b"]);
});
