/** .NET solutions and projects. */
import {expect, test} from "vitest";
import {setupOf, stagesOf} from "./planned.ts";
import {planOf} from "./tree.ts";

const TESTS = '<Project><ItemGroup><PackageReference Include="xunit" /></ItemGroup></Project>';

test("a solution with a test project that lies elsewhere", () => {
  const tree = {
    "src/A.sln": 'Project("{0}") = "A.Tests", "..\\tests\\A.Checks\\A.Checks.csproj", "{1}"\n',
    "src/A/A.csproj": "<Project/>",
    "tests/A.Checks/A.Checks.csproj": TESTS,
  };
  expect(stagesOf(tree)).toEqual(["src:test: dotnet test", "src:build: dotnet build"]);
  expect(setupOf(tree)).toEqual(["src: dotnet restore"]);
});

test("of several solutions the main one is named; samples are not it", () => {
  expect(stagesOf({"A.Samples.sln": "", "A.slnx": "", "A.sln": "", "A.Tests/A.Tests.csproj": ""})).toEqual([
    "test: dotnet test A.sln",
    "build: dotnet build A.sln",
  ]);
});

test("a project without a solution, and without tests", () => {
  expect(stagesOf({"A.fsproj": "<Project/>"})).toEqual(["build: dotnet build"]);
});

test("the format is checked where a workflow does, and packages are restored as locked", () => {
  const tree = {
    "A.slnx": "",
    "A/A.csproj": "",
    "A/packages.lock.json": "{}",
    ".github/workflows/a.yml": "run: dotnet format",
  };
  expect(stagesOf(tree)).toEqual(["lint: dotnet format --verify-no-changes", "build: dotnet build"]);
  expect(setupOf(tree)).toEqual([".: dotnet restore --locked-mode"]);
  expect(planOf(tree).stages.every((stage) => stage.cwd === ".")).toBe(true);
});

test("a solution of projects in C is none of the tool's", () => {
  const sln = 'Project("{8BC9CEB8}") = "zip", "zip\\zip.vcxproj", "{1}"\n';
  expect(stagesOf({"zip.sln": sln, "zip/zip.vcxproj": "<Project/>"})).toEqual([]);
  const both = `${sln}Project("{FAE04EC0}") = "api", "api\\api.csproj", "{2}"\n`;
  expect(stagesOf({"zip.sln": both, "api/api.csproj": "<Project/>"})).toEqual(["build: dotnet build"]);
});
