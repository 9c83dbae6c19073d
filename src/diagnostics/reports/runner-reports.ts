/** Which test runners write a report for machines, how they are asked for it, and how it names a test; as data. */
import {type Translation, translateGoEvents} from "./go-events.ts";
import type {JsonForm} from "./json.ts";
import type {JunitForm, TestCase} from "./junit.ts";
import {nodeTestWords} from "./node-test.ts";

/** How a runner is told where to write. Nothing that it prints changes, and no report of the project's own is lost. */
export type Asking =
  /** words at the end of its command, which may name settings: a file beside the report that is written first */
  | {
      readonly kind: "arguments";
      readonly words: (file: string, settings: string) => readonly string[];
      readonly settings?: (file: string) => string;
    }
  /** a variable that holds more of its options, or, `isAlone`, only this one */
  | {
      readonly kind: "environment";
      readonly variable: string;
      readonly words: (file: string) => readonly string[];
      readonly isAlone?: true;
    }
  /** words at the end of its command, with which it prints events instead; what it would have printed is made of them */
  | {readonly kind: "printed"; readonly words: readonly string[]; readonly translate: () => Translation}
  /** it writes files below the folder of the stage in any case; `words` let the other modules run after a failure */
  | {readonly kind: "written"; readonly files: RegExp; readonly words: readonly string[]};

export interface ReportRow {
  /** as evidence names it; where the runner can be told to run some tests only, also its name in `failed-forms.ts` */
  readonly tool: string;
  /** its command, as `toolOf` names it */
  readonly command: RegExp;
  readonly asking: Asking;
  /** words of its command with which it is not asked: another report, or no run at all */
  readonly never?: RegExp;
  /** words of its command that say whether the other modules run after a failure */
  readonly goesOn?: RegExp;
  /** the same for its settings: files beside the stage, and what they may not say */
  readonly unless?: {readonly files: RegExp; readonly says: RegExp};
  /** null where nothing is written: the words only let the other tests run after a failure, so that two runs can be compared */
  readonly form: JunitForm | JsonForm | null;
}

const orNull = (text: string): string | null => (text === "" ? null : text);

/** pytest: the class is what its module's name does not say; a module that cannot be loaded has no class name at all. */
function inPytest({file, classname, name}: TestCase): ReturnType<JunitForm["identify"]> {
  const module = file.replace(/\.py$/, "").replaceAll("/", ".");
  if (classname === "") return {file: orNull(file), name: null, title: name};
  const classes = classname.startsWith(`${module}.`) ? classname.slice(module.length + 1).split(".") : [];
  const id = [...classes, name].join("::");
  // Where the module goes by another name the whole file stands for the test.
  return {file: orNull(file), name: classname === module || classes.length > 0 ? id : null, title: id};
}

/** The case of a data set cannot be named alone; Gradle puts brackets behind a method. */
const inClass =
  (mark: string) =>
  ({classname, name}: TestCase) => {
    const title = `${classname}${mark}${name.replace(/\(\)$/, "")}`;
    return {file: null, name: title.replace(/ with data set .*$/s, ""), title};
  };

/** From the tools' own manuals; each row was tried on a small failing project. */
export const REPORT_ROWS: readonly ReportRow[] = [
  {
    tool: "pytest",
    command: /^(?:pytest|py\.test)$/,
    asking: {
      kind: "environment",
      variable: "PYTEST_ADDOPTS",
      // The older family names the file of each test. A file that cannot be loaded is a failure and hides no other file.
      words: (file) => [`--junitxml=${file}`, "-o", "junit_family=xunit1", "--continue-on-collection-errors"],
    },
    never: /^--junit-?xml|^--(?:collect-only|co|fixtures|markers|help|version)$/,
    unless: {files: /^(?:\.?pytest\.(?:ini|toml)|pyproject\.toml|tox\.ini|setup\.cfg)$/, says: /junit/i},
    form: {identify: inPytest},
  },
  {
    tool: "vitest",
    command: /^vitest$/,
    asking: {
      kind: "arguments",
      words: (file) => ["--reporter=default", "--reporter=junit", `--outputFile.junit=${file}`],
    },
    never: /^--(?:reporter|outputFile|merge-?reports|config|root)\b|^-[cr](?:=|$)|^(?:bench|list|init|watch|dev)$/i,
    unless: {files: /^vi(?:test|te)\.(?:config|workspace)\.\w+$/, says: /reporters?\b|outputFile/},
    form: {
      identify: ({classname, name}) => ({file: orNull(classname), name: name === classname ? null : name, title: name}),
    },
  },
  {
    tool: "jest",
    command: /^(?:jest|react-scripts test)$/,
    asking: {kind: "arguments", words: (file) => ["--json", `--outputFile=${file}`]},
    never: /^--(?:json|outputFile|listTests|showConfig|watch\w*)\b/,
    unless: {files: /^(?:jest\.config\.\w+|package\.json)$/, says: /outputFile/},
    form: "jest",
  },
  {
    tool: "node:test",
    command: /^node --test$/,
    asking: {kind: "environment", variable: "NODE_OPTIONS", words: nodeTestWords},
    // A file may set NODE_OPTIONS or reporters; a loader is loaded for the reporter too, and may say something.
    never: /^--(?:test-reporter|watch|env-file|(?:experimental-)?loader|experimental-(?:default-)?config-file)/,
    form: "node:test",
  },
  {
    tool: "phpunit",
    command: /^phpunit$/,
    asking: {kind: "arguments", words: (file) => ["--log-junit", file]},
    never: /^--(?:log-junit|no-logging|list-\w+|migrate-\w+|check-version|version|help)\b/,
    unless: {files: /^phpunit(?:\.dist)?\.xml(?:\.dist)?$/, says: /junit/i},
    form: {identify: inClass("::"), spares: /Risky|Warning/},
  },
  {
    tool: "rspec",
    command: /^rspec$/,
    asking: {kind: "arguments", words: (file) => ["--format", "progress", "--format", "json", "--out", file]},
    never: /^(?:-[fo]|--(?:format|out|dry-run|bisect|init|options)\b)/,
    // A format on the command line takes the place of all formats in these.
    unless: {files: /^\.rspec(?:-local)?$/, says: /(?:^|\s)-(?:f|-format|-out|o)/},
    form: "rspec",
  },
  {
    tool: "ctest",
    command: /^ctest$/,
    asking: {kind: "arguments", words: (file) => ["--output-junit", file]},
    never: /^--?(?:output-junit|N|show-only|T|D|S|SP|M|build-and-test|print-labels)\b/,
    form: {identify: ({name}) => ({file: null, name, title: name})},
  },
  {
    tool: "bun",
    command: /^bun test$/,
    asking: {kind: "arguments", words: (file) => ["--reporter=junit", `--reporter-outfile=${file}`]},
    never: /^--(?:reporter|watch|hot)\b/,
    unless: {files: /^bunfig\.toml$/, says: /reporter/},
    form: {
      identify: ({file, classname, name}) => ({
        file: orNull(file),
        name,
        title: [classname, name].filter(Boolean).join(" > "),
      }),
    },
  },
  {
    tool: "deno",
    command: /^deno test\b/,
    asking: {kind: "arguments", words: (file) => [`--junit-path=${file}`]},
    never: /^--(?:junit-path|no-run|watch)\b/,
    form: {
      identify: ({classname, name}) => ({file: orNull(classname), name, title: name}),
    },
  },
  {
    tool: "go test",
    command: /^go test$/,
    // Without events a package with a failed test does not tell how many others passed.
    asking: {kind: "printed", words: ["-json"], translate: translateGoEvents},
    never: /^--?(?:json|c|n|x|o|i|args|list|exec|bench|fuzz|help|test\.\w+)(?:=|$)/,
    form: null,
  },
  {
    tool: "gotestsum",
    command: /^gotestsum$/,
    // An older one does not look at it.
    asking: {kind: "environment", variable: "GOTESTSUM_JUNITFILE", isAlone: true, words: (file) => [file]},
    never: /^--(?:junitfile(?!-)|watch|raw-command|debug|version|help)\b|^(?:tool|help)$/,
    form: {
      // A package that cannot be built is a test without a package.
      identify: ({classname, name}) =>
        classname === "" ? {file: null, name: null, title: name} : {file: classname, name, title: name},
      noise: /^(?:Failed|FAIL|=== RUN .*|[ \t]*--- FAIL: .*)$/gm,
    },
  },
  {
    tool: "cargo test",
    command: /^cargo test$/,
    asking: {kind: "arguments", words: () => ["--no-fail-fast"]},
    never: /^--(?:no-fail-fast|no-run|help)$/,
    form: null,
  },
  {
    tool: "nextest",
    command: /^cargo nextest$/,
    // Below the repository's own settings, of which a report stays.
    asking: {
      kind: "arguments",
      words: (_, settings) => ["--tool-config-file", `assay:${settings}`],
      settings: (file) =>
        `[profile.default]\nfail-fast = false\n\n[profile.default.junit]\npath = ${JSON.stringify(file)}\n`,
    },
    never:
      /^--(?:tool-config-file|message-format|no-run|help|version)\b|^(?:list|archive|show-config|self|debug|bench|help)$/,
    form: {
      identify: ({classname, name}) => ({file: orNull(classname), name, title: `${classname} ${name}`.trim()}),
      // A thread has another number each time.
      noise: / \(\d+\)(?= panicked at )/g,
    },
  },
  {
    tool: "surefire",
    command: /^mvn /,
    asking: {
      kind: "written",
      files: /(?:^|\/)target\/(?:surefire|failsafe)-reports\/TEST-[^/]+\.xml$/,
      words: ["--fail-at-end"],
    },
    goesOn: /^(?:-f(?:ae|f|n)|--fail-.*)$/,
    form: {identify: inClass(".")},
  },
  {
    tool: "gradle",
    command: /^gradle /,
    asking: {
      kind: "written",
      files: /(?:^|\/)build\/test-results\/[^/]+\/TEST-[^/]+\.xml$/,
      words: ["--continue"],
    },
    goesOn: /^--(?:no-)?continue$/,
    form: {identify: inClass(".")},
  },
];
