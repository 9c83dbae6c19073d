/** The tests of a small C project lie at its root: their grammar is loaded before faults are planted. */
import {expect, it} from "vitest";
import {choosePlants, filesWithTests} from "../../../src/proof/gate-proof/choose-plants.ts";
import {loadGrammars} from "../../../src/test-code/grammars.ts";
import {projectOf} from "../detect/tree.ts";

it("finds tests in `tests.c`, as kgabis/parson has them", async () => {
  const files = {
    "parson.c": "int add(int a, int b) {\n  if (a == b) return 2 * a;\n  return a + b;\n}\n",
    "tests.c": "void test_suite_1(void) {\n  TEST(add(1, 1) == 2);\n}\nint main(void) { test_suite_1(); return 0; }\n",
  };
  const project = projectOf(files);
  expect(filesWithTests(project.files)).toEqual(["tests.c"]);
  await loadGrammars(filesWithTests(project.files));
  expect(choosePlants(project).languages.map(({language}) => language.title)).toEqual(["C and C++"]);
});
