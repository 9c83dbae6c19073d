/** Reads calls of JavaScript tests that a condition chooses: `(isWindows ? test.skip : test)("…", …)`. */
import {cacheLatest} from "../source/cache-latest.ts";
import type {MaskedSource} from "../source/mask.ts";

/** The call of a test or a group up to its opening bracket, which is at `open`. */
export interface TestHead {
  readonly from: number;
  readonly open: number;
  readonly word: string;
  readonly chain: string;
  /** its words, from which its marks are read */
  readonly text: string;
}

interface Choice {
  /** of both functions */
  readonly from: number;
  readonly to: number;
  /** the condition under which tests are skipped; null if both functions skip, or none */
  readonly skipsIf: string | null;
  /** the name of the constant; without one, the function is called at once */
  readonly name: string | null;
  readonly head: TestHead;
}

const ARMS =
  /\?\s*([xf]?(describe|it|test|suite|context|specify)(?:\.[a-z]\w*){0,3})\s*:\s*([xf]?\2(?:\.[a-z]\w*){0,3})\s*(?:(\))\s*(?=\()|;|\n)/g;
const SKIPS = /^x|\.(?:skip|todo)\b/;
const DEFINED =
  /^(?:const|let|var)\s+(?![xf]?(?:describe|it|test|suite|context|specify)\b)([A-Za-z_]\w*)\s*(?::[^=]{1,40})?=(?![=>])([^;{}]+)$/;
/** Outside of brackets: the condition is only a part of the text. */
const COMPOSED = /[?:,]|=>/;
const MAX_LENGTH = 400;
/** Limits the time for a file that is designed to take long. */
const MAX_CHOICES = 50;

const choicesIn = cacheLatest((source: MaskedSource): Choice[] =>
  [...source.code.matchAll(ARMS)].slice(0, MAX_CHOICES).flatMap((match) => choiceAt(source, match) ?? []),
);

function choiceAt({text, code}: MaskedSource, match: RegExpExecArray): Choice | null {
  const [all, first = "", word = "", second = "", bracket] = match;
  const [at, to] = [match.index, match.index + all.length];
  const place = bracket === undefined ? definitionBefore(code, at) : callBefore(code, at);
  if (place === null) return null;
  const {from, name, conditionFrom} = place;
  const outline = code.slice(conditionFrom, at).replace(/\([^()]*\)|\[[^[\]]*\]/g, "");
  if (COMPOSED.test(outline)) return null;
  const condition = `(${text.slice(conditionFrom, at).trim()})`;
  const [skipsFirst, skipsSecond] = [SKIPS.test(first), SKIPS.test(second)];
  const isSure = skipsFirst === skipsSecond;
  // The same in the words of the runners that have a function for it.
  const call = skipsFirst ? `${second}.skipIf${condition}` : `${first}.runIf${condition}`;
  const head = {from, open: to, word, chain: "", text: isSure ? `${first} ${second}` : call};
  return {from: at, to, skipsIf: isSure ? null : skipsFirst ? condition : `!${condition}`, name, head};
}

interface ChoicePlace {
  readonly from: number;
  readonly conditionFrom: number;
  readonly name: string | null;
}

function definitionBefore(code: string, at: number): ChoicePlace | null {
  const start = Math.max(0, at - MAX_LENGTH);
  const from = start + code.slice(start, at).search(/\b(?:const|let|var)\s(?!.*\b(?:const|let|var)\s)/s);
  const [, name, value = ""] = DEFINED.exec(code.slice(from, at)) ?? [];
  return name === undefined ? null : {from, conditionFrom: at - value.length, name};
}

/** From the bracket around the choice, if it is near. */
function callBefore(code: string, at: number): ChoicePlace | null {
  let depth = 0;
  for (let from = at - 1; from >= Math.max(0, at - MAX_LENGTH); from -= 1) {
    if (code[from] === ")") depth += 1;
    else if (code[from] === "(") depth -= 1;
    if (depth < 0) return {from, conditionFrom: from + 1, name: null};
  }
  return null;
}

/** The calls of chosen functions, also under the name of a constant. */
export const chosenHeads = (source: MaskedSource): TestHead[] =>
  choicesIn(source).flatMap(({name, head}) => (name === null ? [head] : callsOf(name, head, source)));

/** None if the name is used in another way, so it may have another value. */
function callsOf(name: string, head: TestHead, {code}: MaskedSource): TestHead[] {
  const calls = [
    ...code.matchAll(new RegExp(String.raw`(?<![\w$.]|function\s)${name}((?:\s*\.\s*[a-z]\w*)*)\s*(?=\()`, "g")),
  ];
  const uses = code.match(new RegExp(String.raw`(?<![\w$])${name}(?![\w$])`, "g")) ?? [];
  if (uses.length !== calls.length + 1) return [];
  return calls.map(({0: call, 1: chain = "", index}) => {
    const open = index + call.length;
    return {...head, from: index, open, chain, text: `${head.text} ${chain}`};
  });
}

/** The condition under which the function at `index` is chosen, if it skips. */
export const choiceAround = (source: MaskedSource, index: number): string | null =>
  choicesIn(source).find(({from, to}) => from <= index && index < to)?.skipsIf ?? null;
