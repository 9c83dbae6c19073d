/** Commands of CI whose tool or package the line names in an unusual place. */
import {describe, expect, it} from "vitest";
import {toolOf} from "../../../src/tools/command-name.ts";
import {steps, workflow} from "./placed.ts";
import {accountOf, stagesOf} from "./planned.ts";

describe("commands of CI", () => {
  it.each<[string, Readonly<Record<string, string | object>>, string[]]>([
    [
      "static checks of rebar3 through make",
      {
        Makefile: "REBAR := ./rebar3\nxref:\n\t$(REBAR) xref\ndialyzer:\n\t$(REBAR) dialyzer\n",
        ...workflow(steps("run: make xref", "run: make dialyzer")),
      },
      ["typecheck: make dialyzer", "lint: make xref"],
    ],
    [
      "a build whose hook starts a file that updates others",
      {"package.json": {scripts: {prebuild: "node scripts/update-table.js", build: "tsup"}}},
      [],
    ],
    [
      "a build script of .NET, but not its preparing pipeline",
      workflow(steps("run: dotnet fsi build.fsx -p Init", "run: dotnet fsi build.fsx")),
      ["check: dotnet fsi build.fsx ?"],
    ],
  ])("%s", (_, tree, expected) => {
    expect(stagesOf(tree)).toEqual(expected);
  });

  it("says what Nix and a development container need", () => {
    const action = "uses: devcontainers/ci@v0.3\n        with: {runCmd: make test}";
    expect(accountOf(workflow(steps("run: nix flake check", action)))).toEqual([
      "check nix flake check: `nix flake` works in the store of Nix, which downloads what is missing",
      "check make test: CI runs it in a development container",
    ]);
  });

  it.each(["pnpm --filter ./a/* test", "npm run -w a test", "pnpm -C a test"])("%s starts the script test", (line) => {
    expect(toolOf(line.split(" "))).toBe("script test");
  });
});
