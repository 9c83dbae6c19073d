/** Classifies paths: test, generated file, command-line entry. Data only. */
import {posix} from "node:path";
import {DEFAULT_CODE_EXTENSIONS} from "../../changes/path-lists.ts";
import {stemOf} from "../../git/paths.ts";
import {belongsToRunner, isLoadedByRunner, SHELL_ENDINGS} from "../../tools/integrity-names.ts";

const TEST_NAMES = [
  /(?:^|[./_-])(?:test|tests|spec|specs|e2e|it)\.[cm]?[jt]sx?$/i,
  /(?:^|\/)(?:test_[^/]*|[^/]*_test|tests?|conftest)\.pyi?$/,
  /_test\.go$/,
  /(?:^|\/)(?:Test[A-Z]\w*|\w*(?:Test|Tests|TestCase|IT|Spec))\.(?:java|kt|groovy|scala)$/,
];
const TEST_FOLDERS = /(?:^|\/)(?:__tests__|tests?|specs?|e2e|integration-tests?|unittests?|testing)\//i;
const CODE = /\.(?:[cm]?[jt]sx?|pyi?|go|rs|java|kt|groovy|scala)$/;
const DATA_FOLDERS = /(?:^|\/)(?:fixtures?|__fixtures__|testdata|__snapshots__|__mocks__|mocks?|snapshots?)\//i;
const GENERATED = /\.(?:min|bundle|generated|gen|pb)\.\w+$|_pb2?(?:_grpc)?\.pyi?$|\.d\.ts$/i;
const GENERATED_FOLDERS = new Set([
  ...["dist", "build", "out", "lib-cov", "generated", "gen", "vendor", "third_party", "node_modules"],
  ...["bower_components", "flow-typed", "coverage"],
]);
const COMMAND_LINE =
  /(?:^|\/)(?:bin|cli|cmd|scripts?|tools?|examples?|bench(?:es|marks?)?|docs?|tasks?|website|hack)(?:\/|\.)|(?:^|\/)(?:main|__main__|cli|index\.cli|manage|setup|gulpfile|Gruntfile|server)\.\w+$/i;

/** The name of the tested module: `slug` for `tests/slug.test.ts`, `test_slug.py` and `SlugTest.java`. */
export const testedName = (path: string): string =>
  stemOf(path)
    .replace(/[._-]?(?:[tT]ests?|[sS]pec|IT)$|^test_/, "")
    .toLowerCase();

/** A file that a runner collects, or code in a folder of tests. */
export function isTestPath(path: string): boolean {
  return TEST_NAMES.some((name) => name.test(path)) || (TEST_FOLDERS.test(path) && CODE.test(path));
}

/** True for a file whose name makes a runner collect it; false for helpers in a folder of tests. */
export function isCollectedByName(path: string): boolean {
  return TEST_NAMES.some((name) => name.test(path));
}

const OTHER_CODE =
  /\.(?:rb|php|cs|fs|vb|c|cc|cpp|cxx|h|hpp|hh|mm?|exs?|dart|kts?|groovy|scala|swift|lua|jl|pl|pm|erl|hs|ml|nim|cr|zig|clj)$/;
const OTHER_NAMES = /(?:^|\/)[^/]*(?:[._-](?:test|spec)|(?:Test|Spec|Tests)|^test_[^/]*)\.\w+$/;
/** Headers with the macros of tests: `test.h`, `check_util.hpp`. */
const HEADERS = /(?:^|\/)[^/]*(?:test|check|assert|expect)[^/]*\.(?:h|hh|hpp)$/i;
const OTHER_FOLDERS = /(?:^|\/)(?:tests?|specs?|t|unittests?|[\w.-]+[.-]Tests?)\//i;

export const isOtherTestName = (path: string): boolean => OTHER_NAMES.test(path);

/** Tests and their helpers in the other languages, by name or folder. */
export const isOtherTest = (path: string): boolean =>
  OTHER_CODE.test(path) &&
  (isOtherTestName(path) || OTHER_FOLDERS.test(path) || HEADERS.test(path)) &&
  !isGenerated(path) &&
  !isTestData(path);

export const isCodePath = (path: string): boolean => CODE.test(path);
export const isTestData = (path: string): boolean => DATA_FOLDERS.test(path);
export const isGenerated = (path: string): boolean =>
  GENERATED.test(path) ||
  path
    .split("/")
    .slice(0, -1)
    .some((folder) => GENERATED_FOLDERS.has(folder.toLowerCase()));

/** Programs may end the process and read its arguments. */
export const isProgram = (path: string): boolean => COMMAND_LINE.test(path.replace(/^.*src\/main\/\w+\/.*\//, ""));

const TOOL_FOLDER =
  /(?:^|\/)(?:bin|ci|\.ci|scripts?|tools?|hack|tasks?|lint|checks?)\/|^(?:run[-_]?)?(?:check|lint|test)[\w-]*\.\w+$/;

/** A program for the development of the product, such as one that checks it. */
export const isToolPath = (path: string): boolean => TOOL_FOLDER.test(path);

/** Code of the product itself: no test, no generated file and no test data. */
export function isProductCode(path: string): boolean {
  return isCodePath(path) && !isTestPath(path) && !isGenerated(path) && !isTestData(path);
}

/** The same in any language, also in those whose tests are not read. */
export function isSource(path: string): boolean {
  const isInTests = TEST_FOLDERS.test(path) || isTestPath(path);
  return DEFAULT_CODE_EXTENSIONS.includes(posix.extname(path)) && !isInTests && !isGenerated(path) && !isTestData(path);
}

export const isSourceOnly = (path: string): boolean => isSource(path) && !isOtherTest(path);

/** Recorded results. */
export const SNAPSHOT =
  /\.snap(?:shot)?(?:\.\w+)?$|(?:^|\/)__snapshots__\/|\.snap\.new$|(?:^|\/)(?:goldens?|snapshots)\/|\.golden$|\.(?:approved|ambr)(?:\.\w+)?$/;
/** Values that tests read: their cases, inputs and expected outputs. */
export const DATA =
  /(?:^|\/)(?:tests?|__tests__|specs?|testdata)\/(?:.*\/)?[^/]*\.(?:json[5cl]?|ya?ml|csv|tsv|txt|toml|xml|ndjson|expected|stdout|in|out)$/;
/** Other formats only where nothing but such values is. */
export const GOLDEN = /(?:^|\/)(?:testdata|expected)\/(?:.*\/)?[^/]*\.(?:html?|md|svg|sql|css|log|diff|patch|want|ok)$/;
export const DATA_SETTINGS =
  /(?:^|\/)(?:package(?:-lock)?|[tj]sconfig[^/]*|\.[^/]*|[^/]*config[^/]*|requirements[^/]*|renovate|CMakeLists|Project|Manifest)\.\w+$/;

const SHELL_TEST = /(?:^|\/)(?:tests?|t|specs?)\/.*\.(\w+)$/;

export const isShellTest = (path: string): boolean => SHELL_ENDINGS.has(SHELL_TEST.exec(path)?.[1] ?? "");

/** What tests read or compare with; also shell tests, which have no names. */
export const isRecorded = (path: string): boolean =>
  (isTestData(path) || isShellTest(path) || [SNAPSHOT, DATA, GOLDEN].some((one) => one.test(path))) &&
  !DATA_SETTINGS.test(path);

const SETUP_SCRIPT =
  /(?:setup|teardown|globals?|reporter|runner|environment|hooks?|sequencer|helpers?)[^/]*\.[cm]?[jt]s$/;

/** True for a file that a runner loads before or after the tests. */
export function isSetup(path: string): boolean {
  const name = posix.basename(path).toLowerCase();
  const isOfRunner = belongsToRunner(name) && /\.[cm]?[jt]s$/.test(name);
  return isLoadedByRunner(name) || isOfRunner || SETUP_SCRIPT.test(name);
}
