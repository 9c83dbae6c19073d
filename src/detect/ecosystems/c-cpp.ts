/** C and C++: CMake with CTest, Meson, and autotools. The ecosystem of make covers a plain Makefile. */
import {listOf, textAt, valueAt} from "../files/manifest-values.ts";
import {inside, type Project} from "../files/project.ts";
import {
  filesBelow,
  findFirst,
  foldersBelow,
  hasFileBelow,
  isInWorkflows,
  originOf,
} from "../proposals/candidate-stages.ts";
import type {CheckRow, Ecosystem, ProjectFolder, Proposal} from "../proposals/ecosystem.ts";

const MANIFESTS = ["CMakeLists.txt", "meson.build", "configure.ac", "configure.in"];
export const cCpp: Ecosystem = {name: "c-cpp", title: "C and C++", manifests: MANIFESTS, where: "anywhere", detect};

const CMAKE = {name: "cmake", hint: "install cmake with the runner's package manager before Assay"};
const MAKE = {name: "make", hint: "install make with the runner's package manager before Assay"};
/** Options that switch on a project's own tests. */
const TEST_OPTION = /^(?:option|cmake_dependent_option)\s*\(\s*(\w*TEST(?:S|ING)?)\s+(?:"[^"]*"|\S+)\s+OFF\b[^)]*\)/gim;
/** Options for the project's developers; they count if CI sets them. */
const DEVELOPER_OPTION =
  /^\s*option\s*\(\s*(\w*DEV(?:ELOPMENT|ELOPER)?(?:_BUILD|_MODE)?)\s+(?:"[^"]*"|\S+)\s+OFF\s*\)/gim;
/** A condition on such an option, which another file may declare. */
const DEVELOPER_CONDITION = /^\s*if\s*\(\s*(?:NOT\s+)?(\w+_DEV(?:ELOPMENT|ELOPER)?_MODE)\s*\)/gim;
/** Names of options that look as if they enabled tests, but do not. */
const NOT_TESTS =
  /WITHOUT|DISABLE|SKIP|SYSTEM|EXTERNAL|(?:^|_)NO_|FUZZ|BENCH|PERF|INSTALL|VALGRIND|COVERAGE|CUDA|PYTHON|JAVA|NETWORK|ONLINE|STRESS|INTEGRATION/i;
const HAS_TESTS =
  /^\s*(enable_testing|add_test|gtest_discover_tests|catch_discover_tests|doctest_discover_tests)\s*\(|include\s*\(\s*CTest/im;
const MESON = {name: "meson", hint: "add `pipx install meson ninja` before Assay"};
const AUTOTOOLS = {name: "autoreconf", hint: "install autoconf, automake and libtool before Assay"};

function detect({project, root}: ProjectFolder): Proposal {
  // Swift packages keep CMake files for other platforms. Their maintainers use Swift's own tool.
  const isSwift = hasFileBelow(project, inside(root, "Sources"), [".swift"]);
  if (isSwift && project.has(inside(root, "Package.swift"))) return {};
  return {
    tool: CMAKE,
    origin: originOf(inside(root, "CMakeLists.txt"), "a CMake project", "project"),
    // Of several build systems in one folder, one runs.
    checks: [cmake, meson, autotools].flatMap((checksIn) => checksIn(project, root)),
    covers: foldersBelow(project, root, MANIFESTS),
  };
}

/** The test and the build of one build system. */
function checksOf(test: Omit<CheckRow, "kind">, build: Omit<CheckRow, "kind">): CheckRow[] {
  return [
    {kind: "test", slot: "c:test", timeout: 900, ...test},
    {kind: "build", slot: "c:build", timeout: 600, ...build},
  ];
}

/** A folder for build output that does not exist in the tree, because a tracked `build` contains other files. */
function buildFolder(project: Project, root: string): string {
  return hasFileBelow(project, inside(root, "build"), [""]) ? "_build" : "build";
}

function cmake(project: Project, root: string): CheckRow[] {
  const file = inside(root, "CMakeLists.txt");
  const text = project.text(file);
  // A CMakeLists.txt without a project is included by another file.
  if (text === null || !/^\s*project\s*\(/im.test(text)) return [];
  const lists = filesBelow(project, root, ["CMakeLists.txt", ".cmake"]).slice(0, 300);
  const testList = [file, ...lists].find((path) => HAS_TESTS.test(project.text(path) ?? ""));
  const testKey = HAS_TESTS.exec(project.text(testList ?? "") ?? "")?.[0] ?? "";
  const test = {
    origin: originOf(testList ?? "", "a CMake project with tests", testKey.trim().replace(/\s*\(.*$/, "")),
    when: testList !== undefined,
  };
  const preset = presetOf(project, root);
  const folder = buildFolder(project, root);
  const build =
    preset === null
      ? `cmake -S . -B ${folder}${optionsOf(project, root, text)} && cmake --build ${folder} --parallel`
      : `cmake --preset ${preset} && cmake --build --preset ${preset}`;
  const testOption = preset === null ? `--test-dir ${folder}` : `--preset ${preset}`;
  return checksOf({command: `${build} && ctest ${testOption} --output-on-failure`, ...test}, {command: build});
}

function optionsOf(project: Project, root: string, text: string): string {
  const presets = project.text(inside(root, "CMakePresets.json")) ?? "";
  const switches = (pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, name = ""]) => name);
  const isSetByCi = (name: string): boolean =>
    isInWorkflows(project, new RegExp(`-D ?${name}(:BOOL)?=(ON|1|TRUE|YES)\\b`, "i")) ||
    new RegExp(`"${name}"\\s*:\\s*("?(ON|TRUE|1)"?|\\{[^}]*"(ON|TRUE|1)")`, "i").test(presets);
  const forTests = switches(TEST_OPTION).filter((name) => !NOT_TESTS.test(name));
  const forDevelopers = [...switches(DEVELOPER_OPTION), ...switches(DEVELOPER_CONDITION)].filter(isSetByCi);
  return [...new Set([...forTests, ...forDevelopers])].map((name) => ` -D${name}=ON`).join("");
}

/** A preset name that configure, build and test have in common. */
function presetOf(project: Project, root: string): string | null {
  const presets = project.json(inside(root, "CMakePresets.json"));
  const [configure, build, test] = ["configurePresets", "buildPresets", "testPresets"].map((key) => {
    const visible = listOf(valueAt(presets, key)).filter((one) => valueAt(one, "hidden") !== true);
    return new Set(visible.map((one) => textAt(one, "name")));
  });
  const isInAll = (name: string) => configure?.has(name) && build?.has(name) && test?.has(name);
  return ["default", "dev", "debug", "ci"].find(isInAll) ?? null;
}

function meson(project: Project, root: string): CheckRow[] {
  const file = inside(root, "meson.build");
  if (!/^\s*project\s*\(/m.test(project.text(file) ?? "")) return [];
  const testFile = filesBelow(project, root, ["meson.build"])
    .slice(0, 300)
    .find((path) => /^\s*test\s*\(/m.test(project.text(path) ?? ""));
  const folder = buildFolder(project, root);
  const test = originOf(testFile ?? "", "a Meson project with tests", "test");
  const build = originOf(file, "a Meson project", "project");
  const commandOf = (task: string): string => `meson setup ${folder} && meson ${task} -C ${folder}`;
  return checksOf(
    {command: commandOf("test"), origin: test, tools: [MESON], when: testFile !== undefined},
    {command: commandOf("compile"), origin: build, tools: [MESON]},
  );
}

function autotools(project: Project, root: string): CheckRow[] {
  const file = findFirst(project, root, ["configure.ac", "configure.in"]);
  if (file === null) return [];
  const hasConfigure = project.has(inside(root, "configure"));
  const generate = project.has(inside(root, "autogen.sh")) ? "NOCONFIGURE=1 ./autogen.sh" : "autoreconf -fi";
  const make = `${hasConfigure ? "" : `${generate} && `}./configure && make`;
  const origin = originOf(file, "an autotools project", "AC_INIT");
  const sharedParts = {origin, tools: hasConfigure ? [MAKE] : [MAKE, AUTOTOOLS]};
  // Only automake guarantees a target `check`. A template written by hand may have one.
  const hasCheck =
    project.has(inside(root, "Makefile.am")) || /^check\s*:/m.test(project.text(inside(root, "Makefile.in")) ?? "");
  return checksOf({command: `${make} && make check`, ...sharedParts, when: hasCheck}, {command: make, ...sharedParts});
}
