/** Tells which names a request mentions: functions that the base has, and names that the request introduces. */
import {posix} from "node:path";
import type {Repository} from "../../git/repository.ts";
import {isTestFile} from "../../integrity/changed-tests/new-tests.ts";
import {isSource} from "../../integrity/source/kinds.ts";
import type {TestFacts} from "../../test-code/facts.ts";
import {functionsNamed, namesIn} from "../reproduction.ts";

const MAX_WORDS = 3000;

export interface RequestNames {
  /** a word of the request that no code of the base has */
  readonly introduces: (name: string) => Promise<boolean>;
  /** a file that the request names and the base does not have, by the path that an error message shows */
  readonly introducesFile: (module: string) => Promise<boolean>;
  /** the functions that the request names, the names that it introduces, and its quotes, as far as the test and its helpers use them */
  readonly usedBy: (test: TestFacts, units: readonly TestFacts[]) => Promise<readonly string[]>;
}

export function readRequestNames(options: {repository: Repository; base: string; request: string}): RequestNames {
  const {repository, base, request} = options;
  const words = new Set((request.match(/[A-Za-z_]\w*/g) ?? []).slice(0, MAX_WORDS));
  const codeWords = namesIn(request);
  const quotes = [...request.matchAll(/`([^`\n]{3,})`/g)].flatMap(([, text = ""]) => (/\W/.test(text) ? text : []));
  const files = (request.match(/[\w./-]+\.[a-z]\w*/gi) ?? []).map(withoutEnding);
  const known = new Map<string, Promise<boolean>>();
  const introduces = (name: string): Promise<boolean> => {
    const answer = known.get(name) ?? (words.has(name) ? isNew(name) : Promise.resolve(false));
    known.set(name, answer);
    return answer;
  };
  const isNew = async (name: string) => {
    const grep = await repository.git(["grep", "-l", "-z", "-I", "-w", "-F", "-e", name, base]);
    // Without a match, git ends with 1 and prints nothing.
    if (!grep.ok) return grep.failure.code === 1;
    const paths = grep.value.split("\0").map((row) => row.slice(row.indexOf(":") + 1));
    return !paths.some((path) => isSource(path) || isTestFile({path}));
  };
  return {
    introduces,
    async introducesFile(module) {
      const path = module.includes("/") ? withoutEnding(module) : module.replaceAll(".", "/");
      if (!files.some((file) => `/${path}`.endsWith(`/${file}`))) return false;
      const listing = await repository.git(["ls-tree", "-r", "-z", "--name-only", base]);
      const stem = posix.basename(path);
      return listing.ok && !listing.value.split("\0").some((one) => posix.basename(withoutEnding(one)) === stem);
    },
    async usedBy(test, units) {
      const parts = [test, ...units.filter((unit) => test.calls.has(unit.name))];
      const body = parts.map(({text, name}) => text.replace(name, "")).join("\n");
      const code = parts.map((part) => part.code).join("\n");
      const isCalled = (word: string) => parts.some(({calls}) => calls.has(word));
      const used = new Set((code.match(/[A-Za-z_]\w*/g) ?? []).filter((word) => words.has(word)));
      const functions = await functionsNamed({repository, commit: base, words: used});
      const found = [...quotes.filter((quote) => body.includes(quote)), ...functions.map((one) => one.name)];
      for (const word of used)
        if ((isCalled(word) || codeWords.has(word)) && (await introduces(word))) found.push(word);
      return [...new Set(found)];
    },
  };
}

const withoutEnding = (path: string): string => path.replace(/\.\w+$/, "");
