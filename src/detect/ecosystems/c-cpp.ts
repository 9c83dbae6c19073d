/** C and C++: CMake with CTest, Meson, and autotools; a plain Makefile is the business of make. */
import type {Origin} from "../../record/plan.ts";
import {textAt, valueAt} from "../files/manifest-values.ts";
import {inside, type Project} from "../files/project.ts";
import {filesBelow, findFirst, foldersBelow, isInWorkflows, stageFactory} from "../proposals/candidate-stages.ts";
import {type CandidateStage, type Ecosystem, EMPTY_PROPOSAL, type Proposal} from "../proposals/ecosystem.ts";

const CMAKE = {name: "cmake", hint: "install cmake with the runner's package manager before Assay"};
const MAKE = {name: "make", hint: "install make with the runner's package manager before Assay"};
const SLOTS = {test: "c:test", build: "c:build"};
/** Options that switch a project's own tests on, and those that only look like them. */
const TEST_OPTION = /^option\s*\(\s*(\w*TEST(?:S|ING)?)\s+(?:"[^"]*"|\S+)\s+OFF\s*\)/gim;
/** Those that make it a build for its own developers; they count where CI sets them. */
const DEVELOPER_OPTION =
  /^\s*option\s*\(\s*(\w*DEV(?:ELOPMENT|ELOPER)?(?:_BUILD|_MODE)?)\s+(?:"[^"]*"|\S+)\s+OFF\s*\)/gim;
const NOT_TESTS =
  /WITHOUT|DISABLE|SKIP|(?:^|_)NO_|FUZZ|BENCH|PERF|INSTALL|VALGRIND|COVERAGE|CUDA|PYTHON|JAVA|NETWORK|ONLINE|STRESS|INTEGRATION/i;
const HAS_TESTS =
  /^\s*(enable_testing|add_test|gtest_discover_tests|catch_discover_tests|doctest_discover_tests)\s*\(|include\s*\(\s*CTest/im;

export const cCpp: Ecosystem = {
  name: "c-cpp",
  title: "C and C++",
  manifests: ["CMakeLists.txt", "meson.build", "configure.ac", "configure.in"],
  where: "anywhere",
  detect({project, root}) {
    if (isPartOfOther(project, root)) return EMPTY_PROPOSAL;
    const stages = [...cmake(project, root), ...meson(project, root), ...autotools(project, root)];
    const covers = foldersBelow(project, root, ["CMakeLists.txt", "meson.build", "configure.ac", "configure.in"]);
    const proposal: Proposal = {stages, setup: [], notes: [], covers};
    return proposal;
  },
};

/** Swift packages keep CMake files for building on other platforms; their own tool is the one that maintainers use. */
function isPartOfOther(project: Project, root: string): boolean {
  const package_ = inside(root, "Package.swift");
  return project.has(package_) && filesBelow(project, inside(root, "Sources"), /\.swift$/).length > 0;
}

/** A folder for what is built that the tree has not; a tracked `build` holds something else. */
function buildFolder(project: Project, root: string): string {
  return filesBelow(project, inside(root, "build"), /./).length > 0 ? "_build" : "build";
}

function cmake(project: Project, root: string): CandidateStage[] {
  const file = inside(root, "CMakeLists.txt");
  const text = project.text(file);
  // A list without a project is one that another list takes in.
  if (text === null || !/^\s*project\s*\(/im.test(text)) return [];
  const lists = filesBelow(project, root, /(^|\/)(CMakeLists\.txt|[^/]+\.cmake)$/).slice(0, 300);
  const tested = [file, ...lists].find((path) => HAS_TESTS.test(project.text(path) ?? ""));
  const draft = stageFactory({cwd: root, tool: CMAKE});
  const origin: Origin = {file, key: "project", why: "a CMake project"};
  const preset = presetOf(project, root);
  const folder = buildFolder(project, root);
  const switches = (pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, name = ""]) => name);
  const developers = switches(DEVELOPER_OPTION).filter((name) =>
    isInWorkflows(project, new RegExp(`-D ?${name}(:BOOL)?=(ON|1|TRUE|YES)\\b`, "i")),
  );
  const options = [...switches(TEST_OPTION).filter((name) => !NOT_TESTS.test(name)), ...developers].map(
    (name) => ` -D${name}=ON`,
  );
  const build =
    preset === null
      ? `cmake -S . -B ${folder}${options.join("")} && cmake --build ${folder} --parallel`
      : `cmake --preset ${preset} && cmake --build --preset ${preset}`;
  const run =
    preset === null ? `ctest --test-dir ${folder} --output-on-failure` : `ctest --preset ${preset} --output-on-failure`;
  return [
    ...(tested === undefined
      ? []
      : [
          draft(
            "test",
            `${build} && ${run}`,
            {file: tested, key: keyIn(project, tested), why: "a CMake project with tests"},
            {
              slot: SLOTS.test,
              timeout: 900,
            },
          ),
        ]),
    draft("build", build, origin, {slot: SLOTS.build, timeout: 600}),
  ];
}

const keyIn = (project: Project, file: string): string =>
  (HAS_TESTS.exec(project.text(file) ?? "")?.[0] ?? "").trim().replace(/\s*\(.*$/, "");

/** A preset that all three steps know under one plain name. */
function presetOf(project: Project, root: string): string | null {
  const presets = project.json(inside(root, "CMakePresets.json"));
  const names = (key: string): Set<string> => {
    const list = valueAt(presets, key);
    const shown = Array.isArray(list) ? list.filter((one) => valueAt(one, "hidden") !== true) : [];
    return new Set(shown.flatMap((one) => textAt(one, "name") ?? []));
  };
  const [configure, build, test] = ["configurePresets", "buildPresets", "testPresets"].map(names);
  const found = ["default", "dev", "debug", "ci"].find(
    (name) => configure?.has(name) && build?.has(name) && test?.has(name),
  );
  return found ?? null;
}

function meson(project: Project, root: string): CandidateStage[] {
  const file = inside(root, "meson.build");
  const text = project.text(file);
  if (text === null || !/^\s*project\s*\(/m.test(text)) return [];
  const tested = filesBelow(project, root, /(^|\/)meson\.build$/)
    .slice(0, 300)
    .find((path) => /^\s*test\s*\(/m.test(project.text(path) ?? ""));
  const draft = stageFactory({cwd: root, tool: {name: "meson", hint: "add `pipx install meson ninja` before Assay"}});
  const origin: Origin = {file, key: "project", why: "a Meson project"};
  const folder = buildFolder(project, root);
  return [
    ...(tested === undefined
      ? []
      : [
          draft(
            "test",
            `meson setup ${folder} && meson test -C ${folder}`,
            {file: tested, key: "test", why: "a Meson project with tests"},
            {
              slot: SLOTS.test,
              timeout: 900,
            },
          ),
        ]),
    draft("build", `meson setup ${folder} && meson compile -C ${folder}`, origin, {slot: SLOTS.build, timeout: 600}),
  ];
}

function autotools(project: Project, root: string): CandidateStage[] {
  const file = findFirst(project, root, ["configure.ac", "configure.in"]);
  const automake = inside(root, "Makefile.am");
  if (file === null) return [];
  const draft = stageFactory({cwd: root, tool: MAKE});
  const script = findFirst(project, root, ["autogen.sh"]);
  const isMade = project.has(inside(root, "configure"));
  const how = script === null ? "autoreconf -fi" : "NOCONFIGURE=1 ./autogen.sh";
  const make = `${isMade ? "" : `${how} && `}./configure && make`;
  const tools = isMade ? [] : [{name: "autoreconf", hint: "install autoconf, automake and libtool before Assay"}];
  const shared = {tools: [MAKE, ...tools]};
  const origin: Origin = {file, key: "AC_INIT", why: "an autotools project"};
  // Only automake promises that a target `check` is there; who writes the template by hand may have one.
  const tested = project.has(automake) || /^check\s*:/m.test(project.text(inside(root, "Makefile.in")) ?? "");
  return [
    ...(tested ? [draft("test", `${make} && make check`, origin, {...shared, slot: SLOTS.test, timeout: 900})] : []),
    draft("build", make, origin, {...shared, slot: SLOTS.build, timeout: 600}),
  ];
}
