/** Which stages a changed manifest or makefile concerns. */
import {expect, it} from "vitest";
import {concernedBy} from "../../../src/proof/gate-runs/concerned.ts";

function isConcerned(command: string, path: string, before: string, after: string): boolean {
  const file = {...{path, basePath: path, before, after, isExecutable: false}, status: "modified" as const};
  const touched = {tests: [], gate: [file], data: [], checks: [file], dependencies: []};
  const {gate, checks} = concernedBy({command}, touched);
  expect(gate).toEqual(checks);
  return gate.length > 0;
}

it("a target concerns only the commands that start it, over other targets too", () => {
  const makefile = "FLAGS = -v\n\ntest: units\n\nunits:\n\tpython3 -m unittest $(FLAGS)\n\nlint:\n\truff check\n";
  const clean = `${makefile}\nclean:\n\trm -rf build\n`;
  expect(isConcerned("make test", "Makefile", makefile, clean)).toBe(false);
  expect(isConcerned("make", "Makefile", makefile, clean)).toBe(true);
  const units = makefile.replace("unittest", "unittest -k one");
  expect(isConcerned("make test", "Makefile", makefile, units)).toBe(true);
  expect(isConcerned("make lint", "Makefile", makefile, units)).toBe(false);
  expect(isConcerned("make lint", "Makefile", makefile, makefile.replace("-v", "-q"))).toBe(true);
});

it("so does a script, and another setting in the manifest concerns all", () => {
  const manifest = (scripts: object, other: object = {}) => JSON.stringify({name: "a", scripts, ...other});
  const scripts = {test: "npm run units && npm run types", units: "vitest", types: "tsc", pretest: "node gen.js"};
  const before = manifest(scripts);
  const isTestConcerned = (after: string) => isConcerned("npm run test", "package.json", before, after);
  expect(isTestConcerned(manifest({...scripts, docs: "typedoc"}, {version: "2.0.0"}))).toBe(false);
  expect(isTestConcerned(manifest({...scripts, types: "tsc || true"}))).toBe(true);
  expect(isTestConcerned(manifest({...scripts, pretest: "node other.js"}))).toBe(true);
  expect(isTestConcerned(manifest(scripts, {nyc: {lines: 50}}))).toBe(true);
});
