/** Reads what the hooks around tests assert, and which of them run for all tests. */
import {languageOf} from "../source/languages.ts";
import {closingBracket, maskSource} from "../source/mask.ts";
import {readHelpers} from "./read-tests.ts";

const HOOKS = /(?<![\w$.])(?:beforeEach|afterEach|beforeAll|afterAll|before|after|setup|teardown)\s*(?=\()/g;
const HOOK_ASSERTS = /(?<![\w$])(?:expect|assert)(?:\.\w+)*\s*\(.*/g;

/** The assertions in hooks, without white space. */
export function hookAssertions(path: string, text: string): string[] {
  const language = languageOf(path);
  if (language?.name === "python") return pythonHookAssertions(path, text);
  if (language?.name !== "javascript" || !/\b(?:before|after|setup|teardown)/.test(text)) return [];
  const {code} = maskSource(text, language);
  return [...code.matchAll(HOOKS)].flatMap(({0: head, index}) => {
    const open = index + head.length;
    const body = text.slice(open, closingBracket(code, open));
    return (body.match(HOOK_ASSERTS) ?? []).map((line) => line.replace(/\s+/g, ""));
  });
}

const PYTHON_HOOK = /^(?:set_?up|tear_?down)(?:_?(?:class|module|method|function))?$/i;
const AUTOMATIC = /\bautouse\s*=\s*True\b[^\n]*\n\s*(?:async\s+)?def\s+(\w+)/g;

/** The fixtures that run for all tests, without being asked for. */
export const automaticFixtures = (text: string): string[] => [...text.matchAll(AUTOMATIC)].map(([, name = ""]) => name);

function pythonHookAssertions(path: string, text: string): string[] {
  const automatic = automaticFixtures(text);
  return readHelpers(path, text)
    .filter(({name}) => PYTHON_HOOK.test(name) || automatic.includes(name))
    .flatMap(({assertions}) => assertions.map((one) => one.text));
}
