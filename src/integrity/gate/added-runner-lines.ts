/** Knows which lines that are added to a program that runs tests can lose tests or failures. */
import type {ChangedLine} from "../source/line-changes.ts";

/** Assigns to a part of an object; a variable of the environment and a failing exit code are none. */
const SETS_PART =
  /(?:^|[=;,(]\s*)(?!process\.env\b|os\.environ\[|process\.exitCode\s*=\s*[1-9])[A-Za-z_]\w*(?:\.\w+|\[[^\]]*\])+\s*(?:[-+*/|&?]{1,2})?=(?![=>])/;
/** Changes names or objects in another way, overrides a method, or takes a part of a list. */
const PATCHES =
  /\b(?:setattr|delattr|exec|eval|globals|locals|vars|__dict__|patch|chdir|sys\.path|Object\.(?:assign|defineProperty))\b|^\s*del\s|^\s+(?:async\s+)?def\s|\[[^\][:]*:[^\][]*\]/;

/** A call inside the brackets that only reads. */
const READS = String.raw`(?:[^();=]|[=!<>]=|\b(?:len|str|repr|sorted|wasSuccessful)\([^()]*\)|\b(?:file|sep|end)=)*`;
const HARMLESS = [
  // More tests.
  /^\s*\w+\.add\w*\((?:[^()]*|[\w.]*(?:\(\))?\.(?:load|discover|make)\w*\([^()]*\))\);?\s*$/,
  // A condition whose body is added, too.
  new RegExp(String.raw`^\s*(?:if|elif)\s${READS}:\s*$`),
  new RegExp(String.raw`^\s*assert\s${READS}$`),
  new RegExp(String.raw`^\s*(?:print|console\.\w+|logg\w+\.\w+)\(${READS}\);?\s*$`),
];
const ASSIGNED = /^\s*(?:(?:const|let|var)\s+)?([A-Za-z_]\w*)\s*(?::[^=]+)?=(?![=>])/;

const MAX_PASSES = 10;

/**
 * True if an added line changes the tests, what runs them or their result, or gives a name of the program another value.
 * `runner` matches what starts a run.
 */
export function touchesRun(added: readonly ChangedLine[], before: string, runner: RegExp): boolean {
  const statements = joinStatements(before);
  const known = wordsOf(before);
  const objects = runObjects(statements, runner);
  return added.some(({text}) => {
    if (SETS_PART.test(text) || PATCHES.test(text) || boundNames(text).some((name) => known.has(name))) return true;
    return [...wordsOf(text)].some((word) => objects.has(word)) && !HARMLESS.some((pattern) => pattern.test(text));
  });
}

const wordsOf = (text: string): Set<string> => new Set(text.match(/[A-Za-z_]\w*/g));

/** The variables that stand in one statement with the start of the run, or with another such variable. */
function runObjects(statements: readonly string[], runner: RegExp): Set<string> {
  const variables = new Set(statements.flatMap((text) => ASSIGNED.exec(text)?.[1] ?? []));
  const objects = new Set<string>();
  const waiting = statements.map((text) => ({isRun: runner.test(text), words: [...wordsOf(text)]}));
  for (let pass = 0, size = -1; size < objects.size && pass < MAX_PASSES; pass += 1) {
    size = objects.size;
    for (const {isRun, words} of waiting)
      if (isRun || words.some((word) => objects.has(word)))
        for (const word of words) if (variables.has(word)) objects.add(word);
  }
  return objects;
}

/** The names to which a line gives a value. */
function boundNames(text: string): string[] {
  const imported = /^\s*(?:from\s+\S+\s+)?import\s+(.*)$/.exec(text)?.[1] ?? "";
  const defined = /^\s*(?:async\s+)?(?:def|class|function)\s+(\w+)|^\s*for\s+(\w+)\s+in\b/.exec(text);
  const names = imported.split(",").flatMap((part) => /(\w+)\W*(?:from\b.*)?$/.exec(part)?.[1] ?? []);
  return [...names, ...[ASSIGNED.exec(text)?.[1], defined?.[1], defined?.[2]].flatMap((name) => name ?? [])];
}

/** Lines whose brackets are open are a part of the statement before. */
function joinStatements(text: string): string[] {
  const statements: string[] = [];
  let depth = 0;
  for (const line of text.split("\n")) {
    if (depth > 0) statements.push(`${statements.pop() ?? ""} ${line}`);
    else statements.push(line);
    depth = Math.max(0, depth + (line.match(/[([]/g)?.length ?? 0) - (line.match(/[)\]]/g)?.length ?? 0));
  }
  return statements;
}
