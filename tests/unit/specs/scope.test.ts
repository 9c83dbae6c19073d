/** Which changed files a request, a failing test and the other files lead to. */
import {expect, test} from "vitest";
import {filesOutOfScope} from "../../../src/specs/scope.ts";

const file = (path: string, before: string, after: string) => ({path, before, after});
const parser = file("src/parser.js", "export const parse = 1;\n", "export const parse = 2; // rounded\n");
const unled = file("src/server.js", "const port = 80;\n", "const port = 8080;\nlisten(port);\n");
const out = (request: string, files: ReturnType<typeof file>[], seeds: string[] = []) =>
  filesOutOfScope({request, files, seeds: new Set(seeds)});

test("a file that nothing leads to is named, and one that the request names by its path or by a new name is not", () => {
  expect(out("The parser cuts numbers", [parser, unled])).toEqual(["src/server.js"]);
  expect(out("The parser cuts numbers, and listen on 8080", [parser, unled])).toEqual([]);
});

test.each([
  ["src/cli.js", "the cli"],
  ["src/rate_limit.js", "a rate limit"],
  ["src/rateLimit.js", "the limit"],
  ["src/loader.js", "both loaders"],
  ["server/db.js", "servers"],
])("%s is named by %s", (path, words) => {
  const named = file(path, "const n = 1;\n", "const n = 2;\n");
  expect(out(`Fix the parser and ${words}`, [parser, named])).toEqual([]);
  expect(out("Fix the parser", [parser, named])).toEqual([path]);
});

test("imports lead from file to file, in both directions and over several files", () => {
  const user = file("src/print.js", 'import "./parser.js";\n', 'import "./parser.js";\nprint(80);\n');
  const far = file("src/page.js", "", 'import "./print.js";\n');
  expect(out("The parser cuts numbers", [far, user, parser])).toEqual([]);
  expect(out("The page is empty", [parser, user, far])).toEqual([]);
});

test("a name that is new or gone in both leads from one to the other, and a keyword of a new file does not", () => {
  const renamed = file("src/parser.js", "export const parse = oldName;\n", "export const parse = newName;\n");
  expect(out("Fix the parser", [renamed, file("src/shop.js", "call(oldName);\n", "call(newName);\n")])).toEqual([]);
  const created = file("src/parser-2.js", "", "export const other = 1;\n");
  expect(
    out("Fix the parser", [
      created,
      file("src/shop.js", "export const total = 1;\n", "export const total = 1; // const\nexport const rest = 2;\n"),
    ]),
  ).toEqual(["src/shop.js"]);
});

test("a failing test leads to the code that it imports, and a request that leads nowhere says nothing", () => {
  const check = file("tests/server.test.js", "", 'import "../src/server.js";\n');
  expect(out("The parser cuts numbers", [parser, unled, check], ["tests/server.test.js"])).toEqual([]);
  expect(out("It is broken", [parser, unled])).toEqual([]);
});
