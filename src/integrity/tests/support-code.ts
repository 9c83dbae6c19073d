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
  readonly text: string;
}

/** Calls whose functions examine a value: matchers of Jest and vitest, methods of Chai. */
const MATCHERS =
  /\b(?:expect\.extend|\w+\.(?:addMethod|addProperty|addChainableMethod|overwriteMethod|overwriteProperty))\s*(?=\()/g;
const METHOD =
  /(?:^|[{,])\s*(?:async\s+)?(\w+)\s*(?::\s*(?:async\s*)?(?:function\s*)?)?\(([^()]*)\)\s*(?::[^{;=\n]*)?(?:=>\s*\(?\s*)?\{/g;
const MAX_MATCHERS = 100;

export function readMatchers(path: string, text: string): SupportBody[] {
  const language = languageOf(path);
  if (language?.name !== "javascript" || !/\.extend|\.(?:add|overwrite)/.test(text)) return [];
  const {code} = maskSource(text, language);
  const bodyAt = (name: string, from: number): SupportBody => {
    const to = closingBracket(code, from);
    return {name, code: code.slice(from, to), text: text.slice(from, to)};
  };
  return [...code.matchAll(MATCHERS)].slice(0, MAX_MATCHERS).flatMap((match) => {
    const open = match.index + match[0].length;
    const inside = code.slice(open + 1, closingBracket(code, open));
    const title = /^\s*["'](\w+)["']/.exec(text.slice(open + 1))?.[1];
    if (title !== undefined) return [bodyAt(title, open)];
    const methods = [...inside.matchAll(METHOD)].flatMap((method) =>
      /^(?:if|for|while|switch|catch)$/.test(method[1] ?? "")
        ? []
        : [bodyAt(method[1] ?? "", open + method.index + method[0].length)],
    );
    return [...methods, ...namedFunctions(inside, code).map(({name, from}) => bodyAt(name, from))];
  });
}

/** The functions of the file that a list of names, such as `{toBeRoman}`, refers to. */
function namedFunctions(list: string, code: string): {name: string; from: number}[] {
  const names = list.match(/(?<=[{,:]\s*)[A-Za-z_$][\w$]*(?=\s*[,}])/g) ?? [];
  return names.slice(0, MAX_MATCHERS).flatMap((name) => {
    const head = new RegExp(
      String.raw`\bfunction\s+${name.replaceAll("$", "\\$")}\s*\([^)]*\)[^{]*\{|\b${name.replaceAll("$", "\\$")}\s*=\s*(?:async\s*)?(?:function\s*)?\([^)]*\)[^{=]*(?:=>\s*\(?\s*)?\{`,
    ).exec(code);
    return head === null ? [] : [{name, from: head.index + head[0].length - 1}];
  });
}

const COMPARES =
  /[=!]==?|[<>]=?(?!\s*[{(]?\s*=>)|\.(?:test|match|includes|every|some|has|equals?|is|is[A-Z]\w*|assert)\s*\(|\bis[A-Z]\w*\(|\bnew\s+\w+\(/g;
/** Comparisons that most values pass. */
const COMPARES_KIND = /\btypeof\s+[\w.]+\s*[=!]==?|[=!]==?\s*(?:null|undefined)\b|=>/g;

/** How many comparisons a matcher makes; those of its type do not count. */
export const comparisonsIn = ({code}: SupportBody): number =>
  code.replace(COMPARES_KIND, "").match(COMPARES)?.length ?? 0;

const EQUALITY = /[!=]==?(?!\s*(?:null|undefined)\b)|\.(?:equals?|is|isDeepStrictEqual|deepEquals?)\s*\(/g;
/** Comparisons that a range of values passes. */
const RANGE =
  /(?<![<>=])[<>]=?(?![<>])(?!\s*[{(])|\bMath\.(?:abs|round|floor|trunc)\s*\(|\.(?:includes|startsWith|endsWith|test|match)\s*\(/g;
const FAILING = /\bpass\s*:\s*(?:false\b|!)|\breturn\s+false\b/g;
const PASSING = /\bpass\s*:\s*true\b|\breturn\s+true\b/;
const ANYTHING = /\/\^?(?:\.|\[\\s\\S\])[*+]\$?\/|\(\?:\)/g;
const EARLY = /^\{\s*return\b[^;\n]*(?:\{[^}]*\})?[^;\n]*;\s*\S/;

/** Values that are equal after a conversion can differ. */
const CONVERTS =
  /\.(?:double|float|int|long)Value\(\)|\bMath\.(?:round|floor|trunc)\(|\.toFixed\(|(?<![\w.])(?:round|int|sorted|set|frozenset|len)\(|\.setScale\(|\.sort\(|\.to(?:Lower|Upper)Case\(|\.(?:lower|upper|casefold)\(\)|\bsort\.\w+\(|\bstrings\.To(?:Lower|Upper)\(/g;

export const conversionsIn = (code: string): number => code.match(CONVERTS)?.length ?? 0;

/** The matcher compares less, fails in fewer cases, ends before it compares, or compares with a pattern for everything. */
export function passesMore(before: SupportBody, after: SupportBody): boolean {
  const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;
  const [old, now] = [comparisonsIn(before), comparisonsIn(after)];
  const isRange =
    count(after.code, EQUALITY) < count(before.code, EQUALITY) && count(after.code, RANGE) > count(before.code, RANGE);
  return (
    now < old ||
    isRange ||
    (now <= old && conversionsIn(after.code) > conversionsIn(before.code)) ||
    (now === old && count(after.code, FAILING) < count(before.code, FAILING) && PASSING.test(after.code)) ||
    (EARLY.test(after.code) && !EARLY.test(before.code)) ||
    count(after.text, ANYTHING) > count(before.text, ANYTHING)
  );
}

const FUNCTIONS =
  /\bdef\s+(\w+)\s*\([^)]{0,2000}\)[^:\n]*:((?:[^\n]*\n?[ \t]+[^\n]+\n?)?)|\b(?:func\s*\(\s*(?:\w+\s+)?\*?([\w.]+)[^()]*\)\s*)?(?!(?:if|for|while|switch|catch|func|function|return)\b)(\w+)\s*\([^()]*\)[^{};=\n]*(?:=>\s*)?\{([^{}]*)\}/g;
const CONSTANT = /^\s*(?:return\s+)?(?:true|True|nil|None)(?:\s*,\s*nil)?\s*;?\s*$/;

/** Functions that gave a result, and now always give the same one that passes. */
export function hollowFunction(path: string, before: string, after: string): string | undefined {
  const language = languageOf(path);
  if (language === null) return undefined;
  const hollow = (text: string) =>
    [...maskSource(text, language).code.matchAll(FUNCTIONS)].flatMap(([, python, body, receiver, name, block]) =>
      CONSTANT.test(body ?? block ?? "")
        ? [python ?? (receiver === undefined ? name : `${receiver}.${name}`) ?? ""]
        : [],
    );
  const old = hollow(before);
  // A method of Go is known by its receiver.
  const isKnown = (name: string) =>
    new RegExp(String.raw`\b${name.replace(".", String.raw`\b[^()]*\)\s*`)}\s*\(`).test(before);
  return hollow(after).find((name) => !old.includes(name) && isKnown(name));
}

const NEVER =
  /\bif\s*\(?\s*(?:false|False|0)\s*[):{]|\bwhile\s*\(?\s*(?:false|False)\b|\bif\s+(?:False|0)\s+else\b|(?<![\w.])false\s*\?(?![.?])|&&\s*false\b|\|\|\s*true\b|\band\s+False\b|\bor\s+True\b/g;

/** How many conditions of some code are constant. */
export function constantConditions(path: string, text: string): number {
  const language = languageOf(path);
  return language === null ? 0 : (maskSource(text, language).code.match(NEVER)?.length ?? 0);
}

const FAILS =
  /\bthrow\b|\bprocess\.exit\(\s*[1-9]|\bexitCode\s*=\s*[1-9]|^\s*raise\b|\bsys\.exit\(\s*[1-9]|\bos\.Exit\(\s*[1-9]|\b(?:t|tb|b)\.(?:Fatalf?|FailNow)\(|\bpytest\.fail\(|\bfailWith\w+\(|\bcontext\.report\s*\(/gm;

/** How often code fails, or reports a problem. */
export function failuresIn(path: string, text: string): number {
  const language = languageOf(path);
  return language === null ? 0 : (maskSource(text, language).code.match(FAILS)?.length ?? 0);
}
