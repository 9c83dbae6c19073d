/** Which file of the tested commit the output of a tool names. */
import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {dirname, join} from "node:path";
import {expect, onTestFinished, test} from "vitest";
import {goFiles, withPaths} from "../../../src/engine/stage/places.ts";

const paths = new Set([
  "a.ts",
  "web/src/a.ts",
  "src/b.ts",
  "web/web/x.ts",
  "web/x.ts",
  "lib/one_test.go",
  "other/lib/c.py",
]);

test.each([
  ["src/a.ts", "web", "web/src/a.ts"],
  ["web/src/a.ts", "web", "web/src/a.ts"],
  ["./src/b.ts", ".", "src/b.ts"],
  ["file://web/src/a.ts", "web", "web/src/a.ts"],
  ["../src/b.ts", "web", "src/b.ts"],
  ["one_test.go", ".", "lib/one_test.go"],
  ["lib/c.py", ".", "other/lib/c.py"],
  ["a.ts", ".", "a.ts"],
  ["x.ts", ".", null],
  ["dist/made.js", ".", null],
  ["node_modules/x/src/a.ts", ".", null],
  ["/usr/lib/x/src/b.ts", ".", null],
  ["C:\\src\\b.ts", ".", null],
  ["../../etc/passwd", ".", null],
])("%s of a stage in %s is %s", (file, cwd, path) => {
  const item = {tool: "lint", file, line: 3, message: "bad", severity: "error"} as const;
  expect(withPaths([item, item], {paths, cwd}).map((one) => one.path ?? null)).toEqual([path, path]);
});

test("a base name that go prints, and that several packages have, is of no known file", async () => {
  const checkout = mkdtempSync(join(tmpdir(), "assay-places-"));
  onTestFinished(() => rmSync(checkout, {recursive: true}));
  writeFileSync(join(checkout, "go.mod"), "module example.com/m\n");
  const own = new Set(["go.mod", "helper.go", "calc/helper.go", "calc/one.go", "calc/a_test.go", "util/a_test.go"]);
  const fileOf = await goFiles({checkout, cwd: ".", paths: own});
  expect(fileOf("example.com/m/calc", "helper.go")).toBeNull();
  expect(fileOf("example.com/m/calc", "one.go")).toBe("calc/one.go");
  expect(fileOf("example.com/m/calc", "a_test.go")).toBe("calc/a_test.go");
  const at = (tool: string, file: string) =>
    withPaths([{tool, file, line: 3, message: "bad", severity: "error"}], {paths: own, cwd: "."})[0]?.path;
  expect(at("go test", "helper.go")).toBeUndefined();
  expect(at("go test", "./helper.go")).toBe("helper.go");
  expect(at("golangci-lint", "helper.go")).toBe("helper.go");
});

test("a file of a Go package is in the folder of the package, in the module that has it", async () => {
  const files = {
    "go.mod": "// a\nmodule example.com/m // main\n",
    "sub/x_test.go": "",
    "x_test.go": "",
    "tools/go.mod": 'module "example.com/m/tools"\n',
    "tools/x_test.go": "",
    "tools/deep/y_test.go": "",
    "one/go.mod": "module example.com/twice\n",
    "one/z_test.go": "",
    "two/go.mod": "module example.com/twice\n",
    "two/z_test.go": "",
  };
  const checkout = mkdtempSync(join(tmpdir(), "assay-go-files-"));
  onTestFinished(() => rmSync(checkout, {recursive: true}));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(checkout, dirname(path)), {recursive: true});
    writeFileSync(join(checkout, path), text);
  }
  const fileOf = async (cwd: string) => goFiles({checkout, cwd, paths: new Set(Object.keys(files))});
  const fromTop = await fileOf(".");
  expect(fromTop("example.com/m", "x_test.go")).toBe("x_test.go");
  expect(fromTop("example.com/m/sub", "x_test.go")).toBe("sub/x_test.go");
  expect(fromTop("example.com/m/tools", "x_test.go")).toBe("tools/x_test.go");
  expect(fromTop("example.com/m/tools/deep", "y_test.go")).toBe("tools/deep/y_test.go");
  expect((await fileOf("tools"))("example.com/m/tools/deep", "y_test.go")).toBe("deep/y_test.go");
  for (const [name, file] of [
    ["example.com/twice", "z_test.go"],
    ["example.com/mine", "x_test.go"],
    ["example.com/m", "assert.go"],
  ])
    expect(fromTop(name ?? "", file ?? "")).toBeNull();
});
