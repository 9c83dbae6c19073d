/** A grammar serves all who ask for it at the same time, and tests that nobody can list are all run again. */
import {expect, it, vi} from "vitest";
import {Language} from "web-tree-sitter";
import {testsToReplay} from "../../../src/proof/gate-runs/replay-base.ts";
import {loadGrammars} from "../../../src/test-code/grammars.ts";
import {grammarFile} from "../../../src/test-code/languages.ts";

const GO = `package a

func TestB(t *testing.T) { if f(1) != 2 { t.Fatal("no") } }
`;

const changed = (path: string, before: string, after: string) => ({
  ...{tests: [{path, basePath: path, status: "modified" as const, before, after, isExecutable: false}]},
  ...{gate: [], data: [], checks: [], dependencies: []},
});

it("finds a grammar under the name that the build gives it, also if its package has a scope", () => {
  expect(grammarFile("tree-sitter-go/tree-sitter-go.wasm")).toBe("tree-sitter-go.wasm.br");
  expect(grammarFile("@tree-sitter-grammars/tree-sitter-lua/tree-sitter-lua.wasm")).toBe("tree-sitter-lua.wasm.br");
});

it("loads a grammar once for two that ask for it at the same time", async () => {
  const load = vi.spyOn(Language, "load");
  // Modules that have loaded nothing.
  vi.resetModules();
  const {loadGrammars} = await import("../../../src/test-code/grammars.ts");
  await Promise.all([loadGrammars(["a_test.go"]), loadGrammars(["b_test.go"])]);
  // A parser refuses the tree of the same grammar, loaded a second time.
  expect(load).toHaveBeenCalledTimes(1);
});

it.each([
  ["a file with an error in its syntax", "a_test.go", `${GO}func TestC( {`],
  ["a language without a reader", "a_test.unknown", "@Test\nfun b() { assertEquals(2, f(1)) }\n"],
])("runs the whole check again for %s", async (_, path, before) => {
  await loadGrammars([path]);
  expect(testsToReplay(changed(path, before, ""), true)).toBeNull();
});

it("runs only the tests of a changed file again", async () => {
  await loadGrammars(["a_test.go"]);
  expect(testsToReplay(changed("a_test.go", GO, ""), true)?.map(({name}) => name)).toEqual(["TestB"]);
});
