/** pytest: one block per failed or broken test, else the short summary. */
import {orNull} from "./junit-names.ts";
import {namedFiles} from "./narrow-words.ts";
import {byPlace} from "./rerun-words.ts";
import type {JunitFormat, TestCase, Tool} from "./tool.ts";
import type {ToolCommand} from "./tool-command.ts";
import type {ToolIntegrity} from "./tool-integrity.ts";

const PYTEST_FLAGS =
  /^(?:-[vqsl]+|-r[\w]+|--(?:verbose|quiet|strict(?:-markers|-config)?|no-header|no-summary|showlocals))$/;
const TEST_PYTHON = /(?:^|\/)(?:test_[^/]*|[^/]*_test)\.py$/;
/** The class is the part of `classname` after the module's name. A module that cannot be loaded has no class name. */
function identifyTest({file, classname, name}: TestCase): ReturnType<JunitFormat["identify"]> {
  const module = file.replace(/\.py$/, "").replaceAll("/", ".");
  if (classname === "") return {file: orNull(file), name: null, title: name};
  const classes = classname.startsWith(`${module}.`) ? classname.slice(module.length + 1).split(".") : [];
  const id = [...classes, name].join("::");
  // If the module has another name, the test is identified by its file.
  return {file: orNull(file), name: classname === module || classes.length > 0 ? id : null, title: id};
}

export const pytest: Tool = {
  name: "pytest",
  notInstalled: [/No module named '_?pytest'/],
  output: {
    listsFailures: true,
    reasonLines: /^E /,
    markers: [
      "= test session starts =",
      "= FAILURES =",
      "= ERRORS =",
      "short test summary info",
      " passed in ",
      " failed in ",
    ],
    blocks: [
      {
        // A long name leaves one line on each side. Many lines separate the frames, and tox's summary is not a test.
        start:
          /^_+ (?!_ _|summary _|coverage: platform )(?:ERROR (?:collecting|at (?:setup|teardown) of) )?(?<testId>\S.*?) _+$/,
        end: /^(?:_+ (?!_ _).+ _+|={3,} .+ ={3,})$/,
        maxLines: 400,
        inside: [
          /^E {3} *(?<message>(?:[\w.]*(?:Error|Exception|Exit|Interrupt|Warning)|Failed|assert)\b.*)$/,
          /^E {3} {0,3}(?<message>\S.*)$/,
          /^(?<file>[^\s:][^:]*):(?<line>\d+): (?:[\w.]*(?:Error|Exception|Exit|Interrupt|Warning)|Failed|Skipped)\b/,
          /^(?<file>[^\s:<][^:]*\.py):(?<line>\d+): in <module>$/,
          /^E {3} *File "(?<file>[^"]+)", line (?<line>\d+)/,
        ],
      },
      {
        // A worker of pytest-xdist that could not load the project; no test has run (pytest-dev/pytest-xdist#814).
        start: /^\[gw\d+\] node down: Traceback \(most recent call last\):$/,
        end: /^\[gw\d+\] |^worker gw\d+ crashed|^=+ /,
        maxLines: 400,
        needsMessage: true,
        inside: [
          /^ *File "(?<file>(?!<|.*\/(?:(?:site|dist)-packages|lib\/python\d[\d.]*)\/)[^"]+)", line (?<line>\d+)/,
          /^(?<message>[\w.]*(?:Error|Exception|Exit|Interrupt)\b.*)$/,
        ],
      },
    ],
    lines: [/^(?:FAILED|ERROR) (?<file>[^\s:]+\.py)(?:::\S.*?)? - (?<message>.*)$/],
  },
  summaries: [
    {
      pattern:
        /^=* ?(?<list>\d+ (?:passed|failed|skipped|errors?|xfailed|xpassed|deselected|warnings?|rerun)\b[^\n]*) in \d+(?:\.\d+)?s/gm,
    },
    {pattern: /^=* ?(?<zero>no tests (?:ran|collected))\b[^\n]* in \d/gm},
    // The plugins pytest-pretty (pydantic/pydantic-settings, `make test`) and pytest-sugar.
    {pattern: /^Results \(\d[\d.]*s(?: \([\d:]+\))?\):(?<list>(?:\n +(?:\d+ [a-z]+|- .*))+)/gm},
  ],
  // pytest-rerunfailures counts each run that it repeats (README, "Re-run all failures").
  retried: /^=* ?(?:\d+ \w+, )*[1-9]\d* rerun\b.* in [\d.]+s/m,
  failedTests: {
    marker: /^(?:=+ )?(?:\d+ \w+, )*\d+ (?:failed|errors?)\b.* in [\d.]+s/,
    tests: [
      /^(?:FAILED|ERROR|SUBFAIL(?:ED)?(?:\[.*?\])?(?: \(.*?\))?) (?<file>\S+?\.\w+)(?:::(?<name>[^\s[]+(?:\[.*?\])?))?(?: - .*)?$/,
    ],
    cutShort: /^!{3,} .*(?:stopping after|Interrupted)|^INTERNALERROR>|^!+ (?:KeyboardInterrupt|_pytest)/,
  },
  rerun: {
    calls: /^(?:pytest|py\.test)$/,
    narrow: (tests) => byPlace(tests, "::"),
    endsEarly: {end: ["-x"]},
    selects: {flags: PYTEST_FLAGS},
  },
  report: {
    commands: ["pytest", "py.test"],
    request: {
      kind: "environment",
      variable: "PYTEST_ADDOPTS",
      // The older family names the file of each test. A file that cannot be loaded is a failure and hides no other
      // file.
      words: (file) => [`--junitxml=${file}`, "-o", "junit_family=xunit1", "--continue-on-collection-errors"],
    },
    never: ["--junitxml", "--junit-xml", "--collect-only", "--co", "--fixtures", "--markers", "--help", "--version"],
    unless: {files: /^(?:\.?pytest\.(?:ini|toml)|pyproject\.toml|tox\.ini|setup\.cfg)$/, says: /junit/i},
    format: {identify: identifyTest},
  },
  leaveOut: {
    commands: ["pytest", "py.test"],
    option: "--ignore",
    // A part does not reach the coverage that the whole suite must have.
    never: ["--collect-only", "--co", "--rootdir", "-c", "--pyargs", "--cov*"],
  },
  coverage: {
    commands: ["pytest", "py.test"],
    variable: "PYTEST_ADDOPTS",
    // Of pytest-cov. All code below the folder counts, so that a file that no test loads does, too.
    words: (file) => ["--cov=.", `--cov-report=lcov:${file}`, "--cov-fail-under=0"],
    never: ["--no-cov", "--collect-only", "--co"],
    format: "lcov",
  },
  narrowToFiles: {commands: ["pytest"], narrow: (given) => namedFiles(given, {after: "pytest", pattern: TEST_PYTHON})},
  earlyStop: {commands: ["pytest", "py.test"], letters: "x"},
  testRun: {begins: /^=+ test session starts =+$/, ends: /^=+ .*\bin \d[\d.]*s\b.* =+$|^Results \(\d.*\):$/},
};

/** The files with its settings, and the setting that names the test folders. */
export const PYTEST_FILES = ["pyproject.toml", "pytest.ini", "setup.cfg", "tox.ini"];
export const TEST_PATHS = /^\s*testpaths\s*=\s*(\[[^\]]*\]|.*(?:\n[ \t]+\S.*)*)/m;

export const pytestCommand: ToolCommand = {
  programs: ["pytest", "py.test"],
  traits: ["python package", "may test browsers"],
  kinds: {test: ["pytest", "py.test"]},
  reads: {family: "python", commands: ["pytest", "py.test"]},
  testCount: {
    commands: ["pytest", "py.test"],
    unless: /^-\w*q|^--quiet$|^-p|^--tap|^-o$|^-c$/,
    settings: {
      files: ["pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg", ".pytest.ini"],
      says: /addopts[^\n]*(?:\n[ \t"'-][^\n]*)*?-(?:\w*q|-quiet|p)|sugar|junit/,
    },
  },
  buildFiles: ["pytest.ini"],
};

export const pytestIntegrity: ToolIntegrity = {
  writeCanary: (_, name) => [`def ${name}():`, "    assert 1 == 2"],
};
