/** Python: the command that runs the tests of unittest, from the README or from the places of the test files. */
import type {Origin} from "../../record/plan.ts";
import {quoteWords} from "../../shell/quote.ts";
import {plainWords} from "../../shell/split.ts";
import {unwrap} from "../../tools/command-name.ts";
import {globPattern} from "../files/file-list.ts";
import {folderOf, foldersUpFrom, inside, isBelow, type Project, resolveFrom, within} from "../files/project.ts";
import {originOf} from "../proposals/candidate-stages.ts";
import type {ProjectFolder} from "../proposals/ecosystem.ts";

/** Discovery imports only files whose names are module names: not `test-a.py`. */
const MODULE = /(?:^|\/)[A-Za-z_]\w*\.py$/;
const MAX_FILES = 300;
const MAX_STARTS = 5;
/** base classes between a test and `TestCase` */
const MAX_BASES = 5;

const DOCUMENTS = ["README.md", "README.rst", "README.txt", "README", "CONTRIBUTING.md", "CONTRIBUTING.rst"];
/** A command of Python at the start of a line or of inline code. */
const COMMAND = /(?:^|`)[ \t>$]*(PYTHONPATH=[\w./:-]+ )?(?:python[\d.]*|py) +([^`\n]+)/gm;
/** A script that runs a suite, and one whose exit code depends on the result. */
const RUNS_SUITE = /\bTextTestRunner\b|\bunittest\.main\b/;
const EXITS_ITSELF = /\bunittest\.main\((?![^)]*\bexit\s*=\s*False)/;
const READS_RESULT = /\bwasSuccessful\b|\.(?:failures|errors)\b/;

/** The command's start folder, top folder and file pattern, as `unittest discover` takes them. */
interface Discovery {
  readonly start: string;
  readonly top: string;
  readonly pattern: string;
}

interface UnittestCommand {
  readonly command: string;
  readonly origin: Origin;
}

/** The command that runs the tests in these files; null if unittest finds none in them. */
export function unittestCommand(
  folder: ProjectFolder,
  {files, python}: {readonly files: readonly string[]; readonly python: string},
): UnittestCommand | null {
  const tests = unittestFiles(folder.project, files);
  return tests.length === 0 ? null : (documentedCommand(folder, {tests, python}) ?? discover(folder, {tests, python}));
}

/** The files with a method `test…` in a class that derives from `TestCase`, maybe by a class of another file. */
export function unittestFiles(project: Project, files: readonly string[]): string[] {
  const modules = [...new Set(files.map(folderOf))].flatMap((folder) => project.inFolder(folder));
  const read = [...new Set([...files, ...modules])].filter((path) => MODULE.test(path)).slice(0, MAX_FILES);
  const classes = new Map(read.map((path) => [path, classesIn(project.text(path) ?? "")]));
  const testClasses = new Set(["TestCase", "IsolatedAsyncioTestCase"]);
  for (let round = 0, size = 0; round < MAX_BASES && size !== testClasses.size; round++) {
    size = testClasses.size;
    for (const {name, bases} of [...classes.values()].flat())
      if (bases.some((base) => testClasses.has(base))) testClasses.add(name);
  }
  return files.filter(
    (path) =>
      classes.get(path)?.some(({name}) => testClasses.has(name)) === true &&
      /^[ \t]+(?:async )?def test/m.test(project.text(path) ?? ""),
  );
}

const classesIn = (text: string): {readonly name: string; readonly bases: readonly string[]}[] =>
  [...text.matchAll(/^class[ \t]+(\w{1,200})[ \t]*\(([^)]{0,500})\)/gm)].map(([, name = "", list = ""]) => ({
    name,
    bases: list.split(",").map((base) => base.trim().replace(/^.*\./, "")),
  }));

interface TestFiles {
  readonly tests: readonly string[];
  readonly python: string;
}

/** A script that runs a suite, or a discovery that finds tests, as README or CONTRIBUTING names it. */
function documentedCommand(folder: ProjectFolder, {tests, python}: TestFiles): UnittestCommand | null {
  const {project, root} = folder;
  const commands = DOCUMENTS.flatMap((name) => {
    const file = inside(root, name);
    return [...(project.text(file) ?? "").matchAll(COMMAND)].flatMap(([, env = "", line = ""]) => {
      const words = plainWords(line.trim());
      const origin = originOf(file, "people are told to run it", `python ${line.trim()}`);
      return words === null ? [] : [{words, command: `${env}${python} ${words.map(quoteWords).join(" ")}`, origin}];
    });
  });
  const best =
    commands.find(({words}) => isSuite(folder, words, tests)) ??
    commands.find(({words}) => {
      const discovery = readDiscovery(root, words);
      return discovery !== null && tests.every((path) => isDiscovered(project, path, discovery));
    });
  return best === undefined ? null : {command: best.command, origin: best.origin};
}

/** Options of a script that select no tests and change no files. */
const SELECTS_NOTHING = /^(?:-[vqb]+|--verbose|--quiet|--buffer)$/;

/** True for a script that runs a suite and fails with it. A test file itself may run only its own tests. */
function isSuite(
  {project, root}: ProjectFolder,
  [script = "", ...options]: readonly string[],
  tests: readonly string[],
): boolean {
  if (!options.every((word) => SELECTS_NOTHING.test(word))) return false;
  const path = resolveFrom(root, script);
  const text = script.endsWith(".py") && !tests.includes(path) ? (project.text(path) ?? "") : "";
  const canFail = EXITS_ITSELF.test(text) || (READS_RESULT.test(text) && /\b(?:exit|SystemExit)\b/.test(text));
  return RUNS_SUITE.test(text) && canFail;
}

/** The discovery that these words after `python` start; null for another command, or for unknown options. */
function readDiscovery(root: string, words: readonly string[]): Discovery | null {
  const [program, ...all] = unwrap(["python", ...words]);
  if (program !== "unittest") return null;
  const rest = all[0] === "discover" ? all.slice(1) : all;
  const values = new Map<string, string>();
  for (let i = 0; i < rest.length; i++) {
    const word = rest[i] ?? "";
    const [, option = "", inline] =
      /^(-[stp]|--start-directory|--top-level-directory|--pattern)(?:=(.+))?$/.exec(word) ?? [];
    if (option !== "" && all[0] === "discover")
      values.set(option.replace(/^-+/, "").charAt(0), inline ?? rest[++i] ?? "");
    else if (!word.startsWith("-") && all[0] === "discover" && !values.has("s")) values.set("s", word);
    else if (!SELECTS_NOTHING.test(word)) return null;
  }
  const start = resolveFrom(root, values.get("s") ?? ".");
  return {
    start,
    top: values.has("t") ? resolveFrom(root, values.get("t") ?? "") : start,
    pattern: values.get("p") ?? "test*.py",
  };
}

/** True if discovery imports this file: it only enters packages, and imports the start folder from the top folder. */
function isDiscovered(project: Project, path: string, {start, top, pattern}: Discovery): boolean {
  if (!MODULE.test(path) || !isBelow(path, start) || !isBelow(start, top)) return false;
  const entered = foldersUpFrom(folderOf(path)).filter((folder) => folder !== top && isBelow(folder, top));
  const isPackage = (folder: string): boolean => project.has(inside(folder, "__init__.py"));
  return globPattern(pattern).test(within(folderOf(path), path)) && entered.every(isPackage);
}

/** `unittest discover` for each folder that discovery from the others does not reach. */
function discover({project, root}: ProjectFolder, {tests, python}: TestFiles): UnittestCommand | null {
  const commands: string[] = [];
  let remaining = tests.filter((path) => isBelow(path, root));
  const [first] = remaining;
  while (remaining[0] !== undefined && commands.length < MAX_STARTS) {
    const path = remaining[0];
    const top =
      foldersUpFrom(folderOf(path)).find((folder) => folder === root || !project.has(inside(folder, "__init__.py"))) ??
      root;
    const pattern = /(?:^|\/)test[^/]*$/.test(path) ? "test*.py" : `*${/_\w+\.py$/.exec(path)?.[0] ?? ".py"}`;
    const all = {start: top, top, pattern};
    const start = commonFolder(remaining.filter((other) => isDiscovered(project, other, all)));
    const options = [
      ...(start === root ? [] : [`-s ${quoteWords(within(root, start))}`]),
      ...(start === top ? [] : [`-t ${top === root ? "." : quoteWords(within(root, top))}`]),
      ...(pattern === "test*.py" ? [] : [`-p ${quoteWords(pattern)}`]),
    ];
    commands.push([`${python} -m unittest discover`, ...options].join(" "));
    const next = remaining.filter((other) => !isDiscovered(project, other, {...all, start}));
    if (next.length === remaining.length) return null;
    remaining = next;
  }
  if (first === undefined || remaining.length > 0) return null;
  return {
    command: commands.join(" && "),
    origin: originOf(first, "tests import unittest, and there is no pytest", "unittest"),
  };
}

/** The deepest folder that contains all these files. */
function commonFolder(files: readonly string[]): string {
  return foldersUpFrom(folderOf(files[0] ?? "")).find((folder) => files.every((path) => isBelow(path, folder))) ?? ".";
}
