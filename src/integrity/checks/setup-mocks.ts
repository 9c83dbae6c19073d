/** Finds code that runs before every test and replaces the product's code. A part of the check `mocked-subject`. */
import {posix} from "node:path";
import type {IntegrityFinding} from "../../record/finding.ts";
import {importedNames} from "../../test-code/text/imported-names.ts";
import {MOCK_OBJECTS} from "../../tools/integrity-names.ts";
import type {InspectedFile} from "../source/inspected-change.ts";
import {isCollectedByName, isSetup, isTestPath} from "../source/kinds.ts";
import {compareLines} from "../source/line-changes.ts";

/** `roots`: the names under which the product's code is imported. */
export function setupMocks(file: InspectedFile, roots: ReadonlySet<string>): IntegrityFinding[] {
  const {path} = file;
  const isHelper = isTestPath(path) && !isCollectedByName(path);
  const isPython = path.endsWith(".py");
  if (!(isPython ? isHelper || /(?:^|\/)conftest\.py$/.test(path) : isSetup(path) || isHelper)) return [];
  if (!isPython && !/\.[cm]?[jt]sx?$/.test(path)) return [];
  const text = withJoinedCalls(file.after ?? "");
  const {added, removed} = compareLines(withJoinedCalls(file.before ?? ""), text);
  const replaces = isPython ? pythonMocks(text, path, roots) : scriptMocks(text, path, roots);
  const find = (matches: (text: string) => boolean) => {
    const place = added.find((line) => matches(line.text) && (!isPython || isAutouse(text, line.number)));
    return removed.some((line) => matches(line.text)) ? undefined : place;
  };
  // A function of a helper is for the tests that call it.
  const isForAll = (line: string) => isPython || isSetup(path) || !/^\s/.test(line);
  const [place, clock] = [find(replaces), find((line) => CLOCK.test(line) && isForAll(line))];
  const line = (place ?? clock)?.number;
  if (line === undefined) return [];
  const fix = "Test the real code; replace only what it depends on.";
  const what = place === undefined ? "the clock or the random numbers" : "code of the product";
  const message = `The set-up replaces ${what} in all tests`;
  return [{check: "mocked-subject", level: "flag", path, line, message, fix}];
}

/** Puts the first argument of a call on the line of the call; the number of lines stays the same. */
const withJoinedCalls = (text: string): string => text.replace(/\(\s*\n[ \t]*([^\n]*)/g, "($1\n");

const MOCK_OBJECT = [...MOCK_OBJECTS, "mock"].join("|");
const MODULE = String.raw`(?:import|require)?\(?\s*["'\`]([^"'\`]+)["'\`]`;
const MOCKED_MODULE = new RegExp(
  String.raw`\b(?:${MOCK_OBJECT})\.(?:mock|doMock|unstable_mockModule|setMock|module)\(\s*${MODULE}`,
);
/** Time and chance, replaced when the set-up runs: a product that depends on them by mistake then passes. */
const CLOCK = new RegExp(
  [
    String.raw`\b(?:${MOCK_OBJECT}|sinon)\.(?:useFakeTimers|setSystemTime|timers\.enable)\(`,
    String.raw`\bspyOn\(\s*(?:globalThis\.)?(?:Math|Date|performance)\b`,
    String.raw`\b(?:Math\.random|(?:Date|performance)\.now|globalThis\.Date|global\.Date)\s*=(?!=)`,
    String.raw`\b(?:setattr|patch)\(\s*["']?(?:random|time|datetime|secrets|uuid)\b`,
    String.raw`^\s*(?:random|time|secrets|uuid)\.\w+\s*=(?!=)`,
  ].join("|"),
);
const ASSIGNED = new RegExp(String.raw`\bObject\.assign\(\s*${MODULE}`);
const ANSWERS = /\.mock(?:Return|Resolved|Rejected|Implementation)\w*\(/;
/** A function, or a stand-in for one. */
const FUNCTION = String.raw`(?:(?:${MOCK_OBJECT}|sinon)\.\w+\(|(?:async\s*)?(?:\([^()]*\)|\w+)\s*=>|(?:async\s+)?function\b)`;
const OWNER = new RegExp(
  String.raw`^\s*(\w+)(?:\.\w+)*\.\w+\s*=\s*${FUNCTION}|\bObject\.(?:assign|defineProperty)\(\s*(\w+)|\b(?:${MOCK_OBJECT})\.spyOn\(\s*(\w+)`,
);

function scriptMocks(text: string, path: string, roots: ReadonlySet<string>): (line: string) => boolean {
  const modules = importedNames(text, path);
  const isOwn = (module: string) => isOwnModule(module, path, roots);
  return (line) => {
    const module = MOCKED_MODULE.exec(line)?.[1] ?? ASSIGNED.exec(line)?.[1];
    if (module !== undefined) return isOwn(module);
    const [, assigned, changed, watched] = OWNER.exec(line) ?? [];
    const owner = assigned ?? changed ?? (ANSWERS.test(line) ? watched : undefined);
    const from = owner === undefined ? undefined : modules.get(owner);
    return from !== undefined && isOwn(from);
  };
}

const ASSET = /\.(?:css|less|s[ac]ss|svg|png|jpe?g|gif|webp|json|md)$/;

/** A path inside the repository, a common name for one, or the name of the package. */
function isOwnModule(module: string, importer: string, roots: ReadonlySet<string>): boolean {
  if (ASSET.test(module)) return false;
  if (/^\.\.?\//.test(module)) {
    const path = posix.join(posix.dirname(importer), module);
    return ![path, `${path}${posix.extname(importer)}`].some(isTestPath);
  }
  return /^(?:[@~]\/|#|~\w|src\/|lib\/|app\/)/.test(module) || roots.has(module);
}

/** `self.bank.total = Mock()`, where `self.bank` is an object of the product. */
const OWN_METHOD = /^\s+((?:self|cls)\.\w+)\.\w+\s*=\s*(?:(?:\w+\.)?(?:Magic|Async|NonCallable)*Mock\(|lambda\b)/;
const PATCHED = /\b(?:setattr|patch(?:\.\w+)?)\(\s*["']?([A-Za-z_][\w.]*)|\bsys\.modules\[\s*["']([\w.]+)/g;
const REPLACED =
  /^\s+([A-Za-z_]\w*)\.[\w.]*\w\s*=(?!=)|^([A-Za-z_]\w*)\.[\w.]*\w\s*=\s*(?:lambda\b|(?:\w+\.)?(?:Magic|Async)?Mock\()/g;

function pythonMocks(text: string, path: string, roots: ReadonlySet<string>): (line: string) => boolean {
  const modules = importedNames(text, path);
  const isOwn = (name: string) => {
    const module = modules.get(name.split(".")[0] ?? "") ?? name;
    return roots.has(module.split(".")[0] ?? "") || /^test_|_test$/.test(module);
  };
  return (line) => {
    const owner = OWN_METHOD.exec(line)?.[1];
    const made = owner && new RegExp(String.raw`${owner.replace(".", "\\.")}\s*=\s*(\w+)\(`).exec(text)?.[1];
    if (made) return roots.has(modules.get(made)?.split(".")[0] ?? "");
    return [...line.matchAll(PATCHED), ...line.matchAll(REPLACED)].some(([, ...names]) =>
      isOwn(names.find(Boolean) ?? ""),
    );
  };
}

/** True if the enclosing function is a fixture that each test gets, or if there is no enclosing function. */
function isAutouse(text: string, number: number): boolean {
  const lines = text.split("\n").slice(0, number);
  const start = lines.findLastIndex((line) => /^(?:async\s+)?def\s|^\s+def\s+setUp/.test(line));
  if (start < 0 || /^\S/.test(lines.at(-1) ?? "")) return true;
  const head = lines.slice(0, start).join("\n");
  return (
    /autouse\s*=\s*True/.test(head.slice(Math.max(0, head.lastIndexOf("\n@"), 0))) ||
    /\bdef\s+(?:pytest_|setUp|setup_|setUpClass)/.test(lines[start] ?? "")
  );
}
