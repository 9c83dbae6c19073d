/** C and C++ by CMake, Meson and autotools. */
import {describe, expect, test} from "vitest";
import {stagesOf} from "./planned.ts";

describe("CMake", () => {
  test("a project with tests, which are switched on", () => {
    const text =
      'project(a)\noption(A_BUILD_TESTS "tests" OFF)\noption(A_FUZZ_TEST "fuzz" OFF)\noption(B_TESTS "b" ON)\n' +
      'option(A_WITHOUT_TESTS "none" OFF)\noption(A_NO_TESTS "none" OFF)\n';
    const tree = {"CMakeLists.txt": text, "tests/CMakeLists.txt": "add_test(NAME a COMMAND a)\n"};
    const build = "cmake -S . -B build -DA_BUILD_TESTS=ON && cmake --build build --parallel";
    expect(stagesOf(tree)).toEqual([`test: ${build} && ctest --test-dir build --output-on-failure`, `build: ${build}`]);
  });

  test("a dependent option for tests, and none for a library of tests of the system", () => {
    const text =
      'project(a)\noption(USE_SYSTEM_GTEST "gtest" OFF)\ncmake_dependent_option(A_TESTS\n  "tests" OFF\n  "MAIN" OFF)\n';
    expect(stagesOf({"CMakeLists.txt": text})).toEqual([
      "build: cmake -S . -B build -DA_TESTS=ON && cmake --build build --parallel",
    ]);
  });

  test("no tests, no test; a tracked folder `build` is not written into", () => {
    expect(stagesOf({"CMakeLists.txt": "project(a)\n", "build/x.txt": ""})).toEqual([
      "build: cmake -S . -B _build && cmake --build _build --parallel",
    ]);
  });

  test("a preset that all steps know", () => {
    const preset = [{name: "dev"}];
    const presets = {configurePresets: preset, buildPresets: preset, testPresets: preset};
    expect(stagesOf({"CMakeLists.txt": "project(a)\nenable_testing()\n", "CMakePresets.json": presets})[0]).toBe(
      "test: cmake --preset dev && cmake --build --preset dev && ctest --preset dev --output-on-failure",
    );
  });

  test("a list without a project, and one of a Swift package, are none", () => {
    expect(stagesOf({"CMakeLists.txt": "add_library(a a.c)\n"})).toEqual([]);
    const swift = {"Package.swift": "Package()", "Sources/A/a.swift": "", "CMakeLists.txt": "project(a)\n"};
    expect(stagesOf(swift)).toEqual(["build: swift build"]);
  });
});

test("Meson, and the nested build files as its parts", () => {
  const tree = {"meson.build": "project('a', 'c')\n", "tests/meson.build": "test('a', a)\n", "src/meson.build": ""};
  expect(stagesOf(tree)).toEqual([
    "test: meson setup build && meson test -C build",
    "build: meson setup build && meson compile -C build",
  ]);
});

test("autotools, with and without a configure that is there", () => {
  const tree = {"configure.ac": "AC_INIT([a], [1])\n", "Makefile.am": ""};
  expect(stagesOf(tree)[0]).toBe("test: autoreconf -fi && ./configure && make && make check");
  expect(stagesOf({...tree, configure: "#!/bin/sh"})[0]).toBe("test: ./configure && make && make check");
});

test("of several build systems in one folder one runs", () => {
  const tree = {"CMakeLists.txt": "project(a)\n", "meson.build": "project('a')\n", "configure.ac": "AC_INIT"};
  expect(stagesOf(tree)).toEqual(["build: cmake -S . -B build && cmake --build build --parallel"]);
});

test("an option for developers is set where CI sets it", () => {
  const tree = {"CMakeLists.txt": 'project(a)\nif(TOP)\n  option(A_DEVELOPMENT_BUILD "tests and warnings" OFF)\n'};
  const ci = {
    ".github/workflows/ci.yml": "on: push\njobs:\n  a:\n    steps:\n      - run: cmake -B b -DA_DEVELOPMENT_BUILD=ON\n",
  };
  expect(stagesOf(tree)).toEqual(["build: cmake -S . -B build && cmake --build build --parallel"]);
  expect(stagesOf({...tree, ...ci})).toEqual([
    "build: cmake -S . -B build -DA_DEVELOPMENT_BUILD=ON && cmake --build build --parallel",
  ]);
});

test("autotools without automake, and a makefile that only CI has", () => {
  const tree = {"configure.ac": "AC_INIT\n", "Makefile.in": "all:\n\ncheck: unit\n", "src/a.c": ""};
  const ci = {
    ".github/workflows/ci.yml": "on: push\njobs:\n  a:\n    steps:\n      - run: ./configure && make -j3 tests\n",
  };
  const made = "autoreconf -fi && ./configure && make";
  expect(stagesOf({...tree, ...ci})).toEqual([`test: ${made} && make check ?`, `build: ${made} ?`]);
  expect(stagesOf({...tree, ...ci, "Makefile.in": "all:\n"})).toEqual([`build: ${made} ?`]);
});
