/** Chooses where to plant faults: in small projects without folders, and in sources of any size. */
import {expect, it} from "vitest";
import {chooseFaultPlants, choosePlants, filesWithTests} from "../../../src/proof/gate-proof/choose-plants.ts";
import {TESTED_LANGUAGES} from "../../../src/proof/gate-proof/tested-languages.ts";
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

it("takes little time and memory for long sources and long lines", () => {
  const language = TESTED_LANGUAGES.find(({title}) => title === "JavaScript");
  if (language === undefined) throw new Error("no JavaScript");
  const functions = Array.from({length: 900}, (_, at) => `function f${at}(a) {\n  return a + ${at};\n}\n`);
  const data = `const data = "${"func (".repeat(30_000)}";\n`;
  const startMs = performance.now();
  const plants = chooseFaultPlants({language, sources: [["a.js", `${data}${functions.join("")}`]], words: new Map()});
  expect(plants).toHaveLength(24);
  const [indented] = chooseFaultPlants({language, sources: [["b.js", `${data}  x = a + b;\n`]], words: new Map()});
  expect(indented?.line).toBe(2);
  expect(performance.now() - startMs).toBeLessThan(10_000);
});
