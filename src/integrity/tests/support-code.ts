/** Reads the code around the tests: which files have it, what their hooks and matchers examine, and how often they fail. */
import {partsOf} from "../../tools/all-integrity.ts";
import type {InspectedFile} from "../source/inspected-change.ts";
import {isCodePath, isGenerated, isTestData, isTestPath, SETUP} from "../source/kinds.ts";
import {languageOf} from "../source/languages.ts";
import {closingBracket, maskSource} from "../source/mask.ts";

const FOLDERS = /(?:^|\/)(?:support|test[-_]?(?:utils?|support|helpers?|lib)|assertions?|matchers)\//i;
const MODULES = `${partsOf("assertModule")}|${partsOf("testModule", /chai|expect|@testing-library\/[\w-]+/)}`;
const IMPORTS = new RegExp(
  [
    String.raw`\b(?:from|require\()\s*["'](?:${MODULES})["']`,
    String.raw`^\s*(?:import\s+)?"testing"$|\borg\.(?:junit|assertj|hamcrest)\b`,
    String.raw`^(?:import|from)\s+(?:${partsOf("pythonModule")})\b`,
  ].join("|"),
  "m",
);

/** A file on both sides of the change whose functions the tests call, or a runner loads. */
export function isSupport({path, basePath, before, after}: InspectedFile): boolean {
  if (before === null || after === null || before === after) return false;
  const isRead = [path, basePath].every((one) => isCodePath(one) && !isGenerated(one) && !isTestData(one));
  if (!isRead) return false;
  return isTestPath(path) ? isTestPath(basePath) : SETUP.test(path) || FOLDERS.test(path) || IMPORTS.test(before);
}

export interface SupportBody {
  readonly name: string;
  readonly code: string;
}

/** Calls whose functions examine a value: matchers of Jest and vitest, methods of Chai. */
const MATCHERS =
  /\b(?:expect\.extend|\w+\.(?:addMethod|addProperty|addChainableMethod|overwriteMethod|overwriteProperty))\s*(?=\()/g;
const METHOD =
  /(?:^|[{,])\s*(?:async\s+)?(\w+)\s*(?::\s*(?:async\s*)?(?:function\s*)?)?\(([^()]*)\)\s*(?::[^{;=\n]*)?(?:=>\s*)?\{/g;
const MAX_MATCHERS = 100;

export function readMatchers(path: string, text: string): SupportBody[] {
  const language = languageOf(path);
  if (language?.name !== "javascript" || !/\.extend|\.(?:add|overwrite)/.test(text)) return [];
  const {code, text: source} = maskSource(text, language);
  return [...code.matchAll(MATCHERS)].slice(0, MAX_MATCHERS).flatMap((match) => {
    const open = match.index + match[0].length;
    const inside = code.slice(open + 1, closingBracket(code, open));
    const title = /^\s*["'](\w+)["']/.exec(source.slice(open + 1))?.[1];
    if (title !== undefined) return [{name: title, code: inside}];
    return [...inside.matchAll(METHOD)].flatMap((method) => {
      const from = method.index + method[0].length - 1;
      const body = inside.slice(from, closingBracket(inside, from));
      return /^(?:if|for|while|switch|catch)$/.test(method[1] ?? "") ? [] : [{name: method[1] ?? "", code: body}];
    });
  });
}

const COMPARES =
  /[=!]==?|[<>]=?(?!\s*[{(]?\s*=>)|\.(?:test|match|includes|every|some|has|equals?|is[A-Z]\w*|assert)\s*\(|\bis[A-Z]\w*\(|\bnew\s+\w+\(/g;
/** Comparisons that most values pass. */
const COMPARES_KIND = /\btypeof\s+[\w.]+\s*[=!]==?|[=!]==?\s*(?:null|undefined)\b|=>/g;

/** How many comparisons a matcher makes; those of its type do not count. */
export const comparisonsIn = ({code}: SupportBody): number =>
  code.replace(COMPARES_KIND, "").match(COMPARES)?.length ?? 0;

const HOOKS = /(?<![\w$.])(?:beforeEach|afterEach|beforeAll|afterAll|before|after|setup|teardown)\s*(?=\()/g;
const HOOK_ASSERTS = /(?<![\w$])(?:expect|assert)(?:\.\w+)*\s*\(.*/g;

/** The assertions in hooks of JavaScript, without white space. */
export function hookAssertions(path: string, text: string): string[] {
  const language = languageOf(path);
  if (language?.name !== "javascript" || !/\b(?:before|after|setup|teardown)/.test(text)) return [];
  const {code} = maskSource(text, language);
  return [...code.matchAll(HOOKS)].flatMap(({0: head, index}) => {
    const open = index + head.length;
    const body = text.slice(open, closingBracket(code, open));
    return (body.match(HOOK_ASSERTS) ?? []).map((line) => line.replace(/\s+/g, ""));
  });
}

const FAILS =
  /\bthrow\b|\bprocess\.exit\(\s*[1-9]|\bexitCode\s*=\s*[1-9]|^\s*raise\b|\bsys\.exit\(\s*[1-9]|\bos\.Exit\(\s*[1-9]|\b(?:t|tb|b)\.(?:Fatalf?|FailNow)\(|\bpytest\.fail\(|\bcontext\.report\s*\(/gm;

/** How often code fails, or reports a problem. */
export function failuresIn(path: string, text: string): number {
  const language = languageOf(path);
  return language === null ? 0 : (maskSource(text, language).code.match(FAILS)?.length ?? 0);
}
