/** Finds answers of earlier tests in new code: what a test already asserts needs no case of its own in the code. */
import type {ChangedLine} from "../source/line-changes.ts";

export interface EarlierTests {
  /** the tests before the change */
  readonly texts: readonly string[];
  /** lines of product code that the change removes */
  readonly removed: readonly string[];
}

interface Answer {
  readonly input: string;
  readonly output: string;
  readonly line: ChangedLine;
}

const TEXT = String.raw`"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'`;
const VALUE = String.raw`(?:${TEXT}|-?\d[\d_.]*)`;
const LIST = String.raw`(?:[\[({]{1,2}${VALUE}(?:\s*,\s*${VALUE})*[\])}]{1,2})`;
const ANY = `(?:${LIST}|${VALUE})`;
const START = String.raw`(?<![\w.)\]])`;
/** `"a": 1`, `1 => 2`, `case 4 -> "IV"`; not the two values of a condition. */
const ENTRY = new RegExp(
  String.raw`${START}(?<!\?\s{0,9})(${ANY})\)?\s*(?::|=>|->)\s*(?:return\s+(?:Ok\()?)?[\w.:]*[({[]?(${ANY})`,
  "g",
);
/** `[3, 4.5]`, `(" 7 ", 7)`. */
const TUPLE = new RegExp(String.raw`(?<![\w.])[[(](${VALUE})\s*,\s*(${VALUE})[\])]`, "g");
/** `Map.of(4, "IV", 5, "V")`. */
const ARGUMENTS = new RegExp(String.raw`\bMap\.of\(((?:${VALUE}\s*,\s*)+${VALUE})\)`);
const COMPARED = new RegExp(
  String.raw`(?:===?|\.equals\(|\bis\b|\bcase\b|\bmatches!\(\w+,)\s*(${ANY})|(${ANY})\s*===?`,
  "g",
);
const RETURNED = new RegExp(
  String.raw`(?:\b(?:return|yield)\b|=>|->|\?)\s*(?:new\s+)?(?:Ok\(|Some\(|\[\]\w+(?=\{)|vec!)?(${ANY})|\w\s*=\s*(${ANY})\s*;?\s*$`,
);
const CHOSEN = new RegExp(String.raw`(${ANY})\s+if\b`);
/** The same beginning or form as the whole input of a test. */
const SHAPE = new RegExp(
  String.raw`\b(?:starts_?[wW]ith|HasPrefix|ends_?[wW]ith|HasSuffix|fullmatch|match)\(\s*(?:\w+,\s*)?[rbf]?(${TEXT})|\/\^([^/$\\^]{3,80})\$?\/\.test\(`,
  "g",
);
/** Several inputs of tests in one condition. */
const MEMBER = new RegExp(
  String.raw`\bin\s+(${LIST})\s*:|(${LIST})\.(?:includes|contains)\(&?\w+\)|\b(?:Set|List)\.of\((${VALUE}(?:\s*,\s*${VALUE})+)\)\.contains\(`,
  "g",
);
const VAGUE = /^(?:0|-?1|["']\W{0,2}["']|[[({]{1,2}[\])}]{1,2})$/;
const DIGIT = /^-?\d$/;
const ORDINARY =
  /^["'](?:function|string|number|object|boolean|undefined|symbol|bigint|__\w+__|constructor|prototype|utf-?8|\W{0,2})["']$/i;
const COMMENT = /^\s*(?:\/\/|\/?\*|#(?!\[)|--)/;
const MAX_LINE = 400;
const MAX_CASES = 200;

/** The added line that returns the expected value of an earlier test for that test's input; null if there is none. */
export function answerOfTest(added: readonly ChangedLine[], {texts, removed}: EarlierTests): ChangedLine | null {
  const lines = added.filter(({text}) => text.length <= MAX_LINE && !COMMENT.test(text));
  if (texts.length === 0 || lines.length === 0) return null;
  const earlier = [...new Set(removed)];
  const isOld = (values: readonly string[]) => areOnOneLine(values, earlier);
  const isTested = (values: readonly string[]) =>
    texts.some((text) => values.every((value) => text.includes(firstPart(value))) && isInOnePlace(text, values));
  const answers = answersIn(lines)
    .slice(0, MAX_CASES)
    .filter(({input, output}) => input !== output && !ORDINARY.test(input) && !isOld([input, output]))
    .filter(({output}) => !isMovedText(output, {removed}))
    .filter(({input, output}) => isTested([input, output]));
  const sure = answers.find(({input, output}) => !VAGUE.test(output) && !(DIGIT.test(input) && DIGIT.test(output)));
  const [first] = answers;
  const isTable =
    new Set(answers.map(({input}) => input)).size >= 3 && new Set(answers.map(({output}) => output)).size >= 3;
  return (isTable ? first?.line : soleAnswer(sure)) ?? conditionOfTest(lines, {isOld, isTested});
}

/** One of the lines has all of these values: a case of the earlier code. */
export function areOnOneLine(values: readonly string[], lines: readonly string[]): boolean {
  const compact = (text: string) => text.replace(/\s+/g, "");
  return lines.some(
    (line) =>
      values.every((value) => line.includes(firstPart(value))) &&
      values.every((value) => compact(line).includes(compact(value))),
  );
}

const LONG_TEXT = /^["'].{10,}["']$/;

/** A long text of the earlier code, such as a message that the change moves into a table. */
export const isMovedText = (text: string, {removed}: Pick<EarlierTests, "removed">): boolean =>
  LONG_TEXT.test(text) && removed.some((line) => line.includes(text.slice(1, -1)));

/** A word for a word is the name of a state or a kind, which code and tests share. */
const soleAnswer = (answer: Answer | undefined): ChangedLine | undefined =>
  answer === undefined || (NAME.test(answer.input) && NAME.test(answer.output)) ? undefined : answer.line;
const NAME = /^["'][a-z][\w./-]*["']$/;

function answersIn(lines: readonly ChangedLine[]): Answer[] {
  return lines.flatMap((line, index) => {
    const {text} = line;
    const rows = isOfRecord(lines, index) ? [] : [...text.matchAll(ENTRY)];
    const entries = rows.map(([, input = "", output = ""]) => ({input, output, line}));
    const tuples = [...text.matchAll(TUPLE)].map(([, input = "", output = ""]) => ({input, output, line}));
    const args = ARGUMENTS.exec(text)?.[1]?.match(new RegExp(VALUE, "g")) ?? [];
    const pairs = args.flatMap((input, at) => (at % 2 === 0 ? [{input, output: args[at + 1] ?? "", line}] : []));
    const isCondition = /\bif\b|\belif\b|\bcase\b|\?|\bwhen\b/.test(text);
    const inputs = isCondition ? [...text.matchAll(COMPARED)].map((match) => match[1] ?? match[2] ?? "") : [];
    const block = lines.slice(index, index + 2).filter(({number}) => number - line.number <= 1);
    const after = [text.replace(/^.*?(?:\bif\b|\bcase\b|\bwhen\b)/, ""), ...block.slice(1).map((one) => one.text)];
    const found = (CHOSEN.exec(text) ?? after.map((one) => RETURNED.exec(one)).find((match) => match !== null))?.slice(
      1,
    );
    const output = found?.find(Boolean);
    const chosen = output === undefined ? [] : inputs.map((input) => ({input, output, line}));
    return [...entries, ...(tuples.length >= 2 || /\b\w*Map\b|\bdict\(/.test(text) ? tuples : []), ...pairs, ...chosen];
  });
}

/** A table of answers has literals; where more than a third of the values is computed, they are fields of a result. */
export function isOfRecord(lines: readonly ChangedLine[], index: number): boolean {
  const rowsFrom = (step: 1 | -1) => {
    const rows: string[] = [];
    for (let at = index; rows.length < MAX_ROWS && FIELD.test(lines[at]?.text ?? ""); at += step) {
      rows.push(lines[at]?.text ?? "");
      if (lines[at + step]?.number !== (lines[at]?.number ?? 0) + step) break;
    }
    return rows;
  };
  const rows = [...rowsFrom(-1).slice(1), ...rowsFrom(1)];
  return rows.filter((text) => COMPUTED.test(text)).length * 3 > rows.length;
}

/** A result has few fields; a long table is not read again for each of its rows. */
const MAX_ROWS = 30;

/** `"status": …`, or `status` alone; not the arms of a match. */
const FIELD = /^\s*(?:["']?[\w$./@-]+["']?\s*:\s*\S|[A-Za-z_$][\w$]*,\s*$)/;
const LITERAL = String.raw`(?:[\w.:]+!?\(\s*)*(?:[rbfu]{0,2}["'\d[{(-]|(?:True|False|true|false|None|null|nil)\b|\))`;
/** A variable, or a call with one. */
const COMPUTED = new RegExp(
  String.raw`^\s*(?:["']?[\w$./@-]+["']?\s*:\s*&?(?!${LITERAL})[A-Za-z_$]|[A-Za-z_$][\w$]*,\s*$)`,
);

/** A condition about several inputs of tests, or about the form of a long one. */
function conditionOfTest(
  lines: readonly ChangedLine[],
  {isOld, isTested}: Record<"isOld" | "isTested", (values: readonly string[]) => boolean>,
): ChangedLine | null {
  const place = lines.find(({text}) => {
    if (!/\bif\b|\?|\bwhen\b|\bcase\b/.test(text)) return false;
    const shapes = [...text.matchAll(SHAPE)].map((match) => match[1] ?? `"${match[2] ?? ""}"`);
    const isShape = shapes.some((value) => /\w\s+\w/.test(value) && isTestedPart(value, isTested) && !isOld([value]));
    const compared = [...text.matchAll(COMPARED)].map((match) => match[1] ?? match[2] ?? "");
    const isPhrase = compared.some((value) => /^["']\s*\w+\s+\w/.test(value) && isTested([value]) && !isOld([value]));
    const members = [...text.matchAll(MEMBER)].flatMap((match) => match.slice(1).find(Boolean) ?? []);
    const isList = members.some((list) => {
      const values = list.match(new RegExp(VALUE, "g")) ?? [];
      return (
        values.length > 1 &&
        !values.every((one) => NAME.test(one)) &&
        values.every((one) => isTested([one])) &&
        !isOld(values)
      );
    });
    return isShape || isPhrase || isList;
  });
  const keys = lines.filter(({text}) => {
    const key = KEY.exec(text)?.slice(1).find(Boolean);
    return key !== undefined && /\W/.test(key.slice(1, -1)) && isTested([key]) && !isOld([key]);
  });
  return place ?? (keys.length > 1 ? keys[0] : undefined) ?? null;
}

/** A row of a table whose key is a long text. */
const KEY = /^\s*(?:[[({]\s*("[^"\n]{8,}"|'[^'\n]{8,}')\s*,|("[^"\n]{8,}"|'[^'\n]{8,}')\s*(?::|=>)\s*[[({])/;

/** True if a test has a literal that begins with this value. */
const isTestedPart = (value: string, isTested: (values: readonly string[]) => boolean): boolean =>
  isTested([value.slice(0, -1)]) || isTested([value]);

/** A part that is in every occurrence of the value, for a fast search. */
const firstPart = (value: string): string => /[^\s"'[\](){},]+/.exec(value)?.[0] ?? "";

/** All values are on one line, or on two. */
function isInOnePlace(text: string, values: readonly string[]): boolean {
  const [first = ""] = values.map(firstPart);
  const lines = text.split("\n");
  return lines.some((line, index) => {
    const place = `${line}\n${lines[index + 1] ?? ""}`.slice(0, 2 * MAX_LINE);
    return place.includes(first) && values.every((value) => hasValue(place, value));
  });
}

function hasValue(place: string, value: string): boolean {
  const compact = value.replace(/\s+/g, "");
  if (/^["']/.test(value))
    return place.includes(value.slice(1, value.length > 2 && /["']$/.test(value) ? -1 : undefined)) && value.length > 2;
  if (/^[[({]/.test(value)) return place.replace(/\s+/g, "").includes(compact.slice(1, -1));
  return new RegExp(String.raw`(?<![\w.])${value.replace(/[^\w]/g, "\\$&")}(?![\w.]*\d)`).test(place);
}
