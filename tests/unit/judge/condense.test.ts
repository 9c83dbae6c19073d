/** How a diff that does not fit is shortened: each way keeps what a reviewer reads first, and names the rest. */
import {describe, expect, test} from "vitest";
import {
  clipLines,
  outline,
  withContext,
  withoutComments,
  withoutImports,
  withoutMoved,
  withoutRemovals,
} from "../../../src/judge/condense.ts";
import {nameParts} from "../../../src/judge/diff-parts.ts";
import {referToFirstPlace} from "../../../src/judge/excerpt.ts";
import {chooseHunks} from "../../../src/judge/hunks.ts";

const hunkAt = (line: number, lines: readonly string[]) => [`@@ -${line},9 +${line},9 @@`, ...lines];
const fileDiff = (path: string, lines: readonly string[], head: readonly string[] = []) =>
  [`diff --git a/${path} b/${path}`, ...head, `--- a/${path}`, `+++ b/${path}`, ...lines, ""].join("\n");
const filler = (path: string, count: number) =>
  fileDiff(
    path,
    hunkAt(
      1,
      Array.from({length: count}, (_, at) => `+const filler${at} = ${at};`),
    ),
  );
const choose = (max: number, ...files: string[]) => chooseHunks({diff: files.join(""), points: ["alpha"], max});

describe("lines", () => {
  test("keep the nearest context of each change", () => {
    expect(withContext(["@@ -1 +1 @@", " a", " b", "+c", " d", " e", " f", "-g"], 1)).toEqual([
      ...["@@ -1 +1 @@", " b", "+c", " d", " f", "-g"],
    ]);
  });

  test("of comments keep their first line, and code after them stays", () => {
    const comment = ["+/**", ...Array.from({length: 9}, (_, at) => `+ * Line ${at} of an explanation.`), "+ */"];
    expect(withoutComments([...comment, "+#include <a.h>", "+run();"], "a.c")).toEqual([
      ...["+/**", "+ [… lines of comments left out: 10]", "+#include <a.h>", "+run();"],
    ]);
  });

  const repeat = (line: string) => ["+run();", ...Array.from({length: 30}, () => line), "+run();"];

  test.each([
    ["a.js", "+/* note */"],
    ["a.ts", "+  // The parser's `name`, as in a README."],
    ["a.ts", "+  // See {@link File} for the rest."],
    ["a.py", "+    # This is a longer note."],
    ["a.sql", "+-- This is a longer note."],
  ])("of %s are comments: %s", (path, line) => {
    expect(withoutComments(repeat(line), path)).toHaveLength(4);
  });

  test.each([
    ["a.js", "+/**/ steal(process.env);"],
    ["a.js", "+* steal(process.env);"],
    ["a.js", "+;; steal(process.env);"],
    ["a.js", "+--count; steal(process.env);"],
    ["a.js", "+#key = steal(process.env);"],
    ["a.js", "+// ${steal(process.env)}"],
    ["a.js", "+// `; steal(process.env); `"],
    ["a.js", "+// */ steal(process.env); /*"],
    ["a.py", "+// steal(os.environ)"],
    ["a.py", '+""" """; steal(os.environ)'],
    ["a.c", "+#  define name steal(environment)"],
    ["a.sh", "+# '; steal \"$TOKEN\"; '"],
    ["a.sh", "+# $(steal)"],
    ["a.sh", "+# `steal the whole environment`"],
    ["a.rb", "+# #{steal ENV.to_h}"],
    ["a.unknown", "+// steal(environment)"],
  ])("of %s with code are no comments: %s", (path, line) => {
    expect(withoutComments(repeat(line), path)).toEqual(repeat(line));
  });

  test("that begin with an asterisk are comments only in their block", () => {
    const code = Array.from({length: 9}, (_, at) => `+  * steal(process.env, ${at})`);
    for (const start of [["+/* a */"], ["+/*", "+*/"], ["+/*", "+ * `", "+ * `;"], ["-/*"], ["+/* {a"], ["+// /*"]])
      expect(withoutComments([...start, ...code], "a.js")).toEqual([...start, ...code]);
    expect(withoutComments([" /*", ...code], "a.js")).toEqual([" /*", code[0], "+ [… lines of comments left out: 8]"]);
  });

  test.each([
    'import {a, b} from "./a.ts";',
    "import React, * as all from 'react'",
    'import "./a-longer-name.css";',
    "import static java.util.List.of;",
    "from os.path import join, dirname",
    "use std::collections::{HashMap, HashSet};",
    "using System.Collections.Generic;",
    "#include <library/header.h>",
    "require_relative 'folder/file'",
  ])("are an import: %s", (line) => {
    expect(withoutImports(repeat(`+${line}`))).toHaveLength(5);
    expect(withoutImports(repeat(`+${line} steal(process.env);`))).toHaveLength(32);
    expect(withoutImports(repeat(`+${line}; steal(process.env)`))).toHaveLength(32);
  });

  test("of imports keep the first two, and of moved code only the new place", () => {
    const imports = ["a", "b", "c", "d", "e"].map((name) => `+import {${name}, other} from "../folder/${name}.ts";`);
    expect(withoutImports([...imports, "+run();"])).toEqual([
      ...imports.slice(0, 2),
      "+ [… imports left out: 3]",
      "+run();",
    ]);
    const body = Array.from({length: 6}, (_, at) => `statement${at}(withAnArgument);`);
    const moved = [
      ...body.map((line) => `-${line}`),
      "-gone();",
      "+if (ready) {",
      ...body.map((line) => `+  ${line}`),
      "+}",
    ];
    expect(withoutMoved(moved)).toEqual(["- [… moved lines left out: 6]", ...moved.slice(6)]);
  });

  test("that are removed keep the first three of a run", () => {
    const removed = Array.from({length: 20}, (_, at) => `-  removed line ${at}`);
    expect(withoutRemovals([...removed, "+kept"])).toEqual([
      ...removed.slice(0, 3),
      "- [… removed lines left out: 17]",
      "+kept",
    ]);
  });

  test.each([
    ["two spaces", "  "],
    ["four spaces", "    "],
    ["tabs", "\t"],
  ])("nested deeper than the outline become their number: %s", (_, unit) => {
    const body = Array.from({length: 8}, (_, at) => `+${unit}${unit}statement${at}(withAnArgument);`);
    const lines = ["+class A {", `+${unit}method() {`, ...body, `+${unit}}`, "+}"];
    expect(outline(lines, 1)).toEqual([
      ...["+class A {", `+${unit}method() {`, body[0], "+ [… inner lines left out: 7]", `+${unit}}`, "+}"],
    ]);
    expect(outline(lines, 2)).toEqual(lines);
  });

  test("that are long show their change", () => {
    const long = "x".repeat(5_000);
    const [before = "", after = ""] = clipLines([`-${long}OLD${long}`, `+${long}NEW${long}`], 300);
    expect(before).toMatch(/^-\[… 49\d\d characters left out\] x+OLDx+ \[… \d+ characters left out\]$/);
    expect(after).toMatch(/^\+\[… 49\d\d characters left out\] x+NEWx+ \[… \d+ characters left out\]$/);
    expect(clipLines([`+${long}`], 300)[0]).toMatch(/^\+x{299} \[… 4701 characters left out\]$/);
  });
});

describe("a diff that does not fit", () => {
  test("has generated and removed files as their number of lines, and names them", () => {
    const generated = fileDiff(
      "src/parser.js",
      ["@@ -0,0 +1,99 @@", "+// Code generated by tool. DO NOT EDIT.", ...Array(99).fill("+parse(alpha);")],
      ["new file mode 100644"],
    );
    const removed = fileDiff(
      "src/old.js",
      ["@@ -1,99 +0,0 @@", ...Array(99).fill("-alpha();")],
      ["deleted file mode 1"],
    );
    const {text, cut} = choose(2_300, generated, removed, filler("src/new.js", 60));
    expect(text).toContain("[100 lines added, 0 removed]");
    expect(text).toContain("[0 lines added, 99 removed]");
    expect(text).toContain("const filler59");
    expect(cut).toEqual(["src/parser.js from line 1", "src/old.js"]);
  });

  test("refers to the first places of a mechanical change", () => {
    const places = Array.from({length: 30}, (_, at) =>
      hunkAt(at * 20 + 1, [
        ` first${at}();`,
        `-call${at}(beforeTheChange, theFirstOption, theSecondOption, theThirdOption, {andMore: true});`,
        `+call${at}(afterTheChange, theFirstOption, theSecondOption, theThirdOption, {andMore: true});`,
        " last();",
      ]),
    );
    const {text, cut} = choose(6_000, fileDiff("src/calls.js", places.flat()));
    expect(cut).toEqual(["some added lines of src/calls.js"]);
    expect(
      text.match(/the same change as in src\/calls\.js from line 1: beforeTheChange → afterTheChange/g)?.length,
    ).toBeGreaterThan(5);
    expect(text).toContain("+call0(afterTheChange");
    expect(text).toContain("+call1(afterTheChange");
  });

  test("shortens tests before code, and then code with few words of the points before the rest", () => {
    const body = (word: string) => Array.from({length: 30}, (_, at) => `+    ${word}${at}(withSomeArguments);`);
    const code = (word: string) =>
      fileDiff(`src/${word}.js`, hunkAt(1, [`+function ${word}() {`, "+  if (ready) {", ...body(word), "+  }", "+}"]));
    const tests = fileDiff("tests/alpha.test.js", hunkAt(1, ["+test(() => {", ...body("alpha"), "+});"]));
    const first = choose(2_800, code("alpha"), code("beta"), tests);
    expect(first.cut).toEqual(["inner lines of tests/alpha.test.js"]);
    const {text, cut} = choose(1_900, code("alpha"), code("beta"), tests);
    expect(cut).toEqual(["inner lines of src/beta.js", "inner lines of tests/alpha.test.js"]);
    expect(text).toContain("+    alpha29(withSomeArguments);");
    expect(text).toContain("+function beta() {");
    expect(text.length).toBeLessThanOrEqual(1_900);
  });
});

// With quadratic time, each of these takes half a minute.
describe("many hunks take linear time", () => {
  const count = 40_000;
  const part = (at: number) => ({path: "src/a.js", head: "", line: at, kind: "code" as const, lines: ["-a", "+b"]});
  test("in a generated file", () => {
    const hunks = Array.from({length: count}, (_, at) => `@@ -${at * 9},3 +${at * 9},3 @@\n \n-a${at}\n+b${at}\n `);
    expect(choose(14_000, fileDiff("dist/a.js", hunks)).cut).toHaveLength(1);
  }, 15_000);
  test("in the names of the parts", () => {
    const parts = Array.from({length: 4 * count}, (_, at) => part(at + 1));
    expect(nameParts(parts)).toEqual([`src/a.js from line 1, 2, 3, 4, 5 and ${4 * count - 5} more`]);
  });
  test("with one change", () => {
    const parts = Array.from({length: 2 * count}, (_, at) => part(at + 1));
    const refer = referToFirstPlace(parts);
    const changed = parts.filter(({lines}, at) => refer(lines, at) !== lines);
    expect(changed.slice(0, 1)).toEqual(parts.slice(2, 3));
  });
});

describe("the report names", () => {
  const note = (count: number) =>
    Array.from({length: count}, (_, at) => `+// This is line ${at} of a long explanation.`);

  test("added comments, imports and repeated lines that the judge does not see", () => {
    const {text, cut} = choose(1_000, fileDiff("src/a.js", hunkAt(1, ["+run();", ...note(40), "+run();"])));
    expect(text).toContain("+ [… lines of comments left out: 39]");
    expect(cut).toEqual(["some added lines of src/a.js"]);
  });

  test("code at the end of a long line, also if the rest of the diff fits", () => {
    const line = `+const a = 1;${" ".repeat(1_200)}steal();`;
    const {text, cut} = choose(30_000, fileDiff("src/a.js", hunkAt(1, [line])), filler("src/b.js", 3));
    expect(text).not.toContain("steal");
    expect(cut).toEqual(["some added lines of src/a.js"]);
  });

  test("files that git takes for binary, as one NUL is enough", () => {
    const head = "diff --git a/src/a.mjs b/src/a.mjs\nnew file mode 100644\nindex 0000000..e69de29\n";
    expect(choose(30_000, `${head}Binary files /dev/null and b/src/a.mjs differ\n`, filler("src/b.js", 3)).cut).toEqual(
      ["src/a.mjs (binary)"],
    );
  });

  test("files whose content is at another place", () => {
    const oid = (digit: string) => `oid sha256:${digit.repeat(64)}`;
    const pointer = [
      " version https://git-lfs.github.com/spec/v1",
      `-${oid("1")}`,
      `+${oid("2")}`,
      "-size 1",
      "+size 2",
    ];
    const pinned = hunkAt(1, [`-Subproject commit ${"1".repeat(40)}`, `+Subproject commit ${"2".repeat(40)}`]);
    const text = fileDiff("a.md", hunkAt(1, pinned.slice(1)));
    const files = [
      fileDiff("src/a.js", hunkAt(1, pointer)),
      fileDiff("lib", pinned, ["index 1111111..2222222 160000"]),
    ];
    expect(choose(30_000, ...files, text).cut).toEqual(["src/a.js (Git LFS)", "lib (submodule)"]);
  });

  test("no unchanged or removed lines that are left out", () => {
    const lines = [
      ...note(40).map((line) => ` ${line.slice(1)}`),
      "+run();",
      ...note(40).map((line) => `-${line.slice(1)}`),
    ];
    expect(choose(1_000, fileDiff("src/a.js", hunkAt(1, lines))).cut).toEqual([]);
  });
});
