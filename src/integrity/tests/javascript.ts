/** Finds the tests of a JavaScript or TypeScript file: vitest, jest, mocha, node:test and similar runners. */
import {closingBracket, type MaskedSource} from "../source/mask.ts";
import {chosenHeads, type TestHead} from "./chosen-calls.ts";
import type {TestMark, TestRange} from "./test-case.ts";

const HEAD =
  /(?<![\w$.])(?:(?:t|Deno|ctx|QUnit)\.)?([xf]?)(describe|it|test|suite|context|specify|bench)\b((?:\s*\.\s*[A-Za-z]\w*)*)\s*(?=[(`])/g;
const GROUPS = new Set(["describe", "suite", "context"]);
const WITH_TABLE = /\.(?:each|for|skipIf|runIf|if|todoIf|failingIf)\s*$/;

/** Limits the time for a file that is designed to take long. */
const MAX_CALLS = 3000;

interface TestCall {
  readonly isGroup: boolean;
  readonly title: string;
  readonly from: number;
  readonly open: number;
  readonly to: number;
  readonly bodyFrom: number;
  readonly marks: ReadonlySet<TestMark>;
  readonly markText: string;
}

export function findJavaScriptTests(source: MaskedSource): TestRange[] {
  const plain = [...source.code.matchAll(HEAD)].map(headOf);
  const heads = [...plain, ...chosenHeads(source)].sort((a, b) => a.from - b.from).slice(0, MAX_CALLS);
  const calls = heads.flatMap((head) => callAt(source, head) ?? []);
  const isSubtest = (one: TestCall) =>
    calls.some((other) => !other.isGroup && other.open < one.from && one.to <= other.to);
  return calls
    .filter((call) => !call.isGroup && !isSubtest(call))
    .map((call) => {
      const groups = calls.filter((one) => one.isGroup && one.open < call.from && call.to <= one.to);
      const id = [...groups, call].map(({title}) => title).join(" > ");
      const marks = new Set([...groups, call].flatMap((one) => [...one.marks]));
      const markText = [...groups, call].map((one) => one.markText).join(" ");
      return {id, name: call.title, from: call.from, bodyFrom: call.bodyFrom, bodyTo: call.to, marks, markText};
    });
}

function headOf({0: {length}, 1: prefix = "", 2: word = "", 3: chain = "", index}: RegExpExecArray): TestHead {
  return {from: index, open: index + length, word, chain, text: `${prefix}${word}${chain}`};
}

function callAt({text, code}: MaskedSource, head: TestHead): TestCall | null {
  const {from, word, chain} = head;
  let {open} = head;
  if (WITH_TABLE.test(chain.trimEnd())) {
    open = code[open] === "`" ? code.indexOf("`", open + 1) + 1 : closingBracket(code, open) + 1;
    open += /^\s*/.exec(code.slice(open))?.[0].length ?? 0;
  }
  if (code[open] !== "(") return null;
  const to = closingBracket(code, open);
  const inside = code.slice(open + 1, to);
  const start = open + 1 + (/^\s*/.exec(inside)?.[0].length ?? 0);
  const quote = code[start] ?? "";
  const isTitled = /["'`]/.test(quote);
  const titleEnd = isTitled ? code.indexOf(quote, start + 1) : start + inside.trimStart().search(/[,)]|$/);
  const body = /=>|\bfunction\b/.exec(code.slice(titleEnd, to));
  if (!isTitled && body === null) return null;
  const optionsTo = body === null ? to : titleEnd + body.index;
  const options = code.slice(titleEnd, optionsTo);
  const brace = body === null ? -1 : bodyStart(code, titleEnd + body.index, to);
  const condition = conditionBefore(code, from);
  const marks = marksOf(`${head.text} ${options}`);
  if (condition !== "") marks.add("conditional");
  if (body === null && !GROUPS.has(word)) marks.add("skip");
  return {
    isGroup: GROUPS.has(word),
    title: text.slice(isTitled ? start + 1 : start, titleEnd).trim(),
    from,
    open,
    to,
    bodyFrom: brace < 0 ? to : brace,
    marks,
    markText: `${condition}${/\b(?:skipIf|runIf|if|todoIf)\b/.test(chain) ? text.slice(from, start) : head.text} ${text.slice(titleEnd + 1, Math.min(optionsTo, titleEnd + 300))}`,
  };
}

/** `if (…)` or `… &&` before a call, on its line or on the line above. */
function conditionBefore(code: string, at: number): string {
  const before = code.slice(Math.max(0, at - 300), at);
  return /(?:^|\n)[ \t}]*((?:else )?if[ \t]*\([^\n]*\)\s*(?:\{\s*)?|[^\n;{}]+&&\s*)$/.exec(before)?.[1] ?? "";
}

/** The position after the `{` of the function's body, or after `=>` for an expression. */
function bodyStart(code: string, from: number, to: number): number {
  const arrow = code.startsWith("=>", from);
  if (arrow) {
    const next = from + 2 + (/^\s*/.exec(code.slice(from + 2))?.[0].length ?? 0);
    return code[next] === "{" ? next + 1 : next;
  }
  const parameters = code.indexOf("(", from);
  const open = code.indexOf("{", closingBracket(code, parameters));
  return open < 0 || open > to ? to : open + 1;
}

function marksOf(head: string): Set<TestMark> {
  const marks = new Set<TestMark>();
  if (/^x|\.\s*(?:skip|todo|fixme|ignore)\b|\b(?:skip|todo|ignore)\s*:\s*(?:true\b|!0|["'`\d])/.test(head))
    marks.add("skip");
  if (/\b(?:skip|todo|ignore)\s*:\s*(?!true\b|false\b|undefined\b|!0|["'`\d])/.test(head)) marks.add("conditional");
  if (/^f(?=describe|it|test|context)|\.\s*only\b|\bonly\s*:\s*true/.test(head)) marks.add("only");
  if (/\.\s*(?:fails|failing)\b|\bfails\s*:\s*true/.test(head)) marks.add("expected-failure");
  if (/\.\s*(?:skipIf|runIf|if|todoIf)\b/.test(head)) marks.add("conditional");
  return marks;
}
