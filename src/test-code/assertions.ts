/** Reads from the tokens of an assertion what it examines, and how many values it accepts. */
import type {Assertion, Strength} from "./facts.ts";
import {groupsIn, joinTokens, outline, partsOf, type Token} from "./tokens.ts";

type AssertionText = Pick<Assertion, "text" | "subject" | "form" | "strength" | "isNegated" | "tolerance">;

/** Words in the names of assertions, such as `toBeTruthy`, `NotNil` or `be_present`, after which most values are right. */
const MOST = new Set(
  "truthy falsy defined instance type typed called any anything exist exists not never no ok present isinstance isa object function".split(
    " ",
  ),
);
/** Words after which several values are right. */
const SEVERAL = new Set(
  "contain contains containing include includes match matches matching greater less close near almost in starts ends startswith endswith prefix suffix regex regexp subset length len property snapshot one elements has approx approximately delta epsilon within raise raises throw throws exception error panics size like all any".split(
    " ",
  ),
);
/** Capybara: asks whether a page has it somewhere (rubydoc.info/gems/capybara, "Capybara::RSpecMatchers"). */
const ON_PAGE = new Set(["have_text", "have_content", "have_css", "have_selector"]);
/** Words after which one value is right all the same: `contain_exactly`, `ShouldBeInOrder`. */
const EXACTLY = new Set(["exactly", "order"]);
/** Words of assertions that compare their arguments, which a helper with another name may only pass on. */
const CUSTOM = /^(?:check|verify|ensure|must)/;
const COMPARES = new Set("equal equals eq eql true false same is ok be to assert null nil that ne".split(" "));
/** Functions that accept a value because it is true. */
const BARE = new Set([
  "assert",
  "ok",
  "true",
  "false",
  "asserttrue",
  "assertfalse",
  "truthy",
  "falsy",
  "isok",
  "assert_",
  "refute",
  "debug_assert",
  "istrue",
  "isfalse",
  "isTrue",
  "isFalse",
  "if",
]);
const CHECKS = new Set(["check", "require", "ck_assert", "test_assert", "fail_unless"]);
/** What C and C++ write before the name: `EXPECT_TRUE(x)`. */
const MACRO = /^(?:expect|assert|require|check|test_assert|boost_check|boost_require)_(?=(?:true|false)$)/;
const NEGATIONS = new Set(["not", "never", "refute", "doesnt", "does"]);
const WIDE_ERRORS = new Set(["Exception", "BaseException", "Throwable", "RuntimeException", "StandardError", "Error"]);

/** `toBeGreaterThan`, `assert_not_nil` as words. */
const wordsOf = (name: string): string[] =>
  name.split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/).flatMap((word) => (word === "" ? [] : [word.toLowerCase()]));

const isLiteral = ({kind, text}: Token): boolean =>
  kind === "string" || kind === "number" || LITERAL_WORDS.has(text) || (kind === "sign" && text !== "!");
const LITERAL_WORDS = new Set(["true", "false", "True", "False", "None", "null", "nil", "undefined", "NaN"]);

/** Where the assertion begins after what it examines: `x.should == 1`, `x.ShouldBe(1)`; -1 for others. */
function receiverEnd(tokens: readonly Token[]): number {
  const words = new Set(outline(tokens).filter(({text}) => /^(?:[sS]hould|must_|wont_)/.test(text)));
  return tokens.findIndex(
    (token, at) => at > 1 && words.has(token) && [".", "?.", "->"].includes(tokens[at - 1]?.text ?? ""),
  );
}

/**
 * `statement`: Python's `assert`, whose brackets are a value; `value`: one that must be true, after `assert`; `condition`: one under which a
 * test fails.
 */
type AssertionKind = "call" | "statement" | "value" | "condition";

export function readAssertion(tokens: readonly Token[], kind: AssertionKind): AssertionText {
  const isCondition = kind === "condition";
  const at = isCondition ? 0 : Math.max(0, receiverEnd(tokens));
  const [receiver, own] = [tokens.slice(0, Math.max(0, at - 1)), tokens.slice(at)];
  const names = outline(own)
    .filter(({kind}) => kind === "word")
    .map(({text}) => text);
  const isStatement =
    kind === "value" || (kind === "statement" && tokens[1]?.from !== tokens[0]?.to && tokens[1]?.text !== ".");
  const [compared2 = []] = isCondition && tokens[0]?.text === "!" ? groupsIn(tokens).slice(-1) : [];
  const args =
    isCondition && partsOf(compared2).length === 2
      ? partsOf(compared2)
      : isCondition
        ? [[...tokens]]
        : isStatement
          ? partsOf(tokens.slice(1))
          : [...(at > 0 ? [receiver] : []), ...groupsIn(own).flatMap(partsOf)];
  const called = (names.at(-1) ?? "").toLowerCase().replace(MACRO, "");
  const isBare = isCondition || isStatement || BARE.has(called) || (CHECKS.has(called) && args.length === 1);
  const compared = args.slice(0, isBare ? 1 : 2);
  const isMessage = (part: readonly Token[]) => part.every(({kind, text}) => kind === "string" || text === "f");
  const counted = [...compared, ...args.slice(compared.length).filter((part) => !isMessage(part))];
  const shown =
    isCondition || args.length === counted.length
      ? tokens
      : withoutParts(
          tokens,
          args.filter((part) => !counted.includes(part)),
        );
  const [first = []] = counted;
  const operators = isBare || counted.length === 1 ? operatorsIn(first) : [];
  const literal = isCondition ? null : literalIn(names, counted);
  const text = `${isCondition ? "if " : ""}${joinTokens(shown)}`;
  return {
    text,
    subject: subjectOf(counted, operators),
    form: [...names, ...operators].join(" "),
    strength: literal !== null ? 1 : strengthOf({tokens, names, args: counted, operators, isBare, kind}),
    isNegated: isCondition
      ? !operators.some((one) => one.startsWith("!")) && tokens[0]?.text !== "!"
      : literal !== null
        ? ["false", "Error"].includes(literal)
        : names.some(
            (name) => wordsOf(name).some((word) => NEGATIONS.has(word)) || /assert_?[fF]alse|^False$/.test(name),
          ) ||
          operators.some((one) => one.startsWith("!") || one.includes("not")) ||
          first[0]?.text === "not" ||
          first[0]?.text === "!",
    tolerance: toleranceOf(text),
  };
}

/**
 * In typed languages, `Equal(t, true, x)` accepts the same values as `True(t, x)`, and `Nil(t, err)` as `NoError(t, err)`: the value
 * that is expected of anything, null for other assertions.
 */
function literalIn(names: readonly string[], args: readonly (readonly Token[])[]): string | null {
  const name = names.at(-1) ?? "";
  const isTestify = names[0] === "assert" || names[0] === "require";
  if (isTestify && ["NoError", "Nil", "Error", "NotNil"].includes(name))
    return name.startsWith("No") === name.endsWith("r") ? "nil" : "Error";
  const isEqual = isTestify
    ? name === "Equal"
    : names[0] !== "self" && ["assertEquals", "assertSame", "assert_eq"].includes(name);
  const only = args.find((part) => part.length === 1 && ["true", "false", "nil"].includes(part[0]?.text ?? ""));
  return isEqual && only !== undefined ? (only[0]?.text ?? null) : null;
}

function withoutParts(tokens: readonly Token[], parts: readonly (readonly Token[])[]): Token[] {
  const gone = new Set(parts.flat());
  const left = tokens.filter((token) => !gone.has(token));
  return left.filter(({text}, index) => text !== "," || left[index + 1]?.text !== ",");
}

const OPERATORS = new Set(["==", "===", "!=", "!==", "<", ">", "<=", ">=", "in", "is", "||", "or", "&&", "and", "not"]);

const withoutOuterBrackets = (tokens: readonly Token[]): readonly Token[] =>
  tokens[0]?.text === "(" && groupsIn(tokens).length === 1 && tokens.at(-1)?.text === ")"
    ? tokens.slice(1, -1)
    : tokens;

/** The operators of an expression outside of its brackets; those of several words as one. */
function operatorsIn(tokens: readonly Token[]): string[] {
  const inner = withoutOuterBrackets(tokens);
  const found: string[] = [];
  for (const [index, {text}] of outline(inner).entries()) {
    if (!OPERATORS.has(text)) continue;
    const isJoined =
      (text === "in" && found.at(-1) === "not") || (text === "not" && found.at(-1) === "is" && index > 0);
    if (isJoined) found.push(`${found.pop()} ${text}`);
    else found.push(text);
  }
  return found;
}

/** The first argument that is not a literal, without the value that it is compared with. */
function subjectOf(args: readonly (readonly Token[])[], operators: readonly string[]): string {
  const isContext = (part: readonly Token[]) => part.length === 1 && ["t", "tb", "b"].includes(part[0]?.text ?? "");
  const candidates = args.filter((part) => !isContext(part));
  const chosen = candidates.slice(0, 2).find((part) => !part.every(isLiteral)) ?? candidates[0] ?? [];
  const subject = withoutOuterBrackets(chosen);
  if (operators.length === 0)
    return joinTokens(subject.filter(({text}, index) => index > 0 || (text !== "!" && text !== "not")));
  let depth = 0;
  const end = subject.findIndex(({kind, text}) => {
    if (kind === "sign" && ["(", "[", "{"].includes(text)) depth += 1;
    if (kind === "sign" && /^[)\]}]$/.test(text)) depth -= 1;
    return depth === 0 && OPERATORS.has(text) && text !== "not" && text !== "||" && text !== "&&";
  });
  return joinTokens(
    (end <= 0 ? subject : subject.slice(0, end)).filter(
      ({text}, index) => index > 0 || (text !== "!" && text !== "not"),
    ),
  );
}

interface StrengthInput {
  readonly tokens: readonly Token[];
  readonly names: readonly string[];
  readonly args: readonly (readonly Token[])[];
  readonly operators: readonly string[];
  readonly isBare: boolean;
  readonly kind: AssertionKind;
}

function strengthOf({tokens, names, args, operators, isBare, kind}: StrengthInput): Strength {
  const isCondition = kind === "condition";
  const [first = [], second] = args;
  const words = names.flatMap(wordsOf);
  if (words.some((word) => word === "fail" || word === "panic" || word === "unreachable" || word === "unimplemented"))
    return 3;
  const chainArgs = groupsIn(tokens);
  if (names.length === 1 && names[0] === "expect") return 0;
  if (kind === "statement" && isAlwaysTrue(tokens)) return 0;
  if (words.includes("debug")) return 1;
  const compares = words.some((word) => COMPARES.has(word));
  if (compares && !isCondition && args.length > 0 && args.every((part) => part.every(isLiteral))) return 0;
  if (compares && second !== undefined && joinTokens(first) === joinTokens(second))
    return joinTokens(first).includes("(") ? 1 : 0;
  if (words.includes("called") && words.some((word) => ["with", "times", "once", "nth", "last"].includes(word)))
    return 3;
  if (operators.some((one) => one === "||" || one === "or"))
    return first.some(({text}) => text === "true" || text === "True") ? 0 : 1;
  if (isBare) return conditionStrength(isCondition ? tokens : first, operators, isCondition);
  if (words.length === 1 || !compares) if (args.length > 1 && CUSTOM.test(names.at(-1) ?? "")) return 3;
  const isThrow = words.some((word) => ["raise", "raises", "throw", "throws", "exception", "panics"].includes(word));
  if (isThrow) {
    if (words.includes("not") || words.includes("doesnt")) return 1;
    const expected = /^[)}\]]$/.test(tokens.at(-1)?.text ?? "") ? (chainArgs.at(-1) ?? []) : [];
    const isWide =
      words.includes("any") ||
      names.some((name) => WIDE_ERRORS.has(name)) ||
      partsOf(chainArgs.flat()).some(
        (part) => WIDE_ERRORS.has(part.at(-1)?.text ?? part[0]?.text ?? "") || WIDE_ERRORS.has(part[0]?.text ?? ""),
      );
    const hasText = tokens.some(({kind, text}) => kind === "word" && text === "match");
    if (
      words.some((word) => ["throw", "throws", "reject", "rejects"].includes(word)) &&
      expected.length > 0 &&
      args.length > 1
    )
      return isWide ? 2 : 3;
    return isWide || expected.length === 0 ? (hasText ? 2 : 1) : hasText ? 3 : 2;
  }
  if (words.some((word) => MOST.has(word))) return operators.some((one) => ["==", "==="].includes(one)) ? 3 : 1;
  const inner = args.flatMap((part) => part.filter(({kind}) => kind === "word").map(({text}) => text));
  if (inner.some((name) => ["any", "anything", "isNotNull", "isNotEmpty"].includes(name))) return 1;
  if (["Error", "True", "False", "Nil"].includes(names.at(-1) ?? "") && args.length > 0) return 1;
  if (second?.[0]?.kind === "string" && second[0].text.startsWith("/")) return 2;
  if (
    (words.some((word) => SEVERAL.has(word)) && !words.some((word) => EXACTLY.has(word))) ||
    names.some((name) => ON_PAGE.has(name)) ||
    inner.some((name) => /Containing$|Matching$|^approx$/.test(name))
  )
    return 2;
  return operators.length > 0 && counted(operators) !== 3 ? counted(operators) : 3;
}

/** Python's `assert (a == 1, "…")` and `assert (a for a in …)`: the value in the brackets is always true. */
function isAlwaysTrue(tokens: readonly Token[]): boolean {
  if (tokens[1]?.text !== "(" || tokens.at(-1)?.text !== ")") return false;
  const [inside = [], ...others] = groupsIn(tokens.slice(1));
  return others.length === 0 && (partsOf(inside).length > 1 || outline(inside).some(({text}) => text === "for"));
}

const counted = (operators: readonly string[]): Strength =>
  Math.min(...operators.map((one) => OPERATOR_STRENGTH[one] ?? 3)) as Strength;
/** How many values an operator accepts. */
const OPERATOR_STRENGTH: Readonly<Record<string, Strength>> = {
  "==": 3,
  "===": 3,
  is: 3,
  "!=": 1,
  "!==": 1,
  "is not": 1,
  "not in": 1,
  not: 1,
  "<": 2,
  ">": 2,
  "<=": 2,
  ">=": 2,
  in: 2,
  "||": 1,
  or: 1,
};
/** Under a failing condition, the operators mean their opposites. */
const OPPOSITE: Readonly<Record<string, string>> = {
  "==": "!=",
  "===": "!==",
  "!=": "==",
  "!==": "===",
  is: "is not",
  "is not": "is",
  "&&": "||",
  "||": "&&",
};

/** `free(row) == free(row)`. */
function comparesWithItself(tokens: readonly Token[]): boolean {
  const middle = (tokens.length - 1) / 2;
  const sides = [tokens.slice(0, middle), tokens.slice(middle + 1)].map(joinTokens);
  return Number.isInteger(middle) && OPERATORS.has(tokens[middle]?.text ?? "") && sides[0] === sides[1];
}

function conditionStrength(tokens: readonly Token[], operators: readonly string[], isCondition: boolean): Strength {
  if (operators.length === 1 && comparesWithItself(tokens)) return joinTokens(tokens).includes("(") ? 1 : 0;
  const own = operators.filter((one) => one !== "&&" && one !== "and" && !(one === "not" && operators.length > 1));
  if (isCondition && own.length > 0) {
    const strength = counted(own.map((one) => OPPOSITE[one] ?? one));
    const last = tokens.at(-1)?.text ?? "";
    return strength === 3 && ["nil", "null", "NULL", "None"].includes(last) ? 1 : strength;
  }
  const names = tokens.filter(({kind}) => kind === "word").map(({text}) => text);
  const [called = []] = isCondition && tokens[0]?.text === "!" ? [groupsIn(tokens).at(-1)] : [];
  const [one = [], other = []] = partsOf(called);
  if (other.length > 0 && joinTokens(one) === joinTokens(other)) return 0;
  if (isCondition && outline(tokens).some(({text}) => ["Equal", "DeepEqual", "eq", "equals", "Is"].includes(text)))
    return 3;
  if (own.length > 0 && !(own.length === 1 && own[0] === "not"))
    return own.includes("==") && names.includes("approx") ? 2 : counted(own);
  const words = names.flatMap(wordsOf);
  return words.some((word) => SEVERAL.has(word)) ||
    (tokens.some(({text}) => text === "(") &&
      ["equals", "Equal", "DeepEqual"].includes(names.at(-2) ?? names.at(-1) ?? ""))
    ? 2
    : 1;
}

const NUMBER = String.raw`(\d[\d_]*(?:\.\d+)?(?:e[-+]?\d+)?|\.\d+)`;
/** The accepted difference is written as it is. */
const DIFFERENCE = new RegExp(
  String.raw`\b(?:rel|abs|rtol|atol|rel_tol|abs_tol|delta|epsilon|eps|tolerance)=${NUMBER}|\b(?:within|offset|byLessThan)\(${NUMBER}|\b(?:closeTo|approximately|InDelta|InEpsilon|InDeltaSlice)\(.*,${NUMBER}[fdL]?(?:,["'\x60].*)?\)|[aA]bs(?:\(\)|\(.*\))[<>]=?${NUMBER}`,
  "g",
);
/** The number of digits that must be equal. */
const DIGITS =
  /\b(?:places|decimal|significant)=(-?\d+)|\.toBeCloseTo\(.*,(\d+)\)|\bassertAlmostEqual\([^()]*,[^()]*,(-?\d+)\)/;
/** What the functions accept without an argument for it. */
const DEFAULTS: readonly (readonly [string, number])[] = [
  ["approx(", 1e-6],
  [".toBeCloseTo(", 0.01],
  ["assertAlmostEqual", 1e-7],
  ["isclose(", 1e-7],
  ["allclose(", 1e-7],
];

function toleranceOf(text: string): number | null {
  const differences = [...text.matchAll(DIFFERENCE)].map((match) =>
    Number(match.slice(1).find(Boolean)?.replaceAll("_", "")),
  );
  if (differences.length > 0) return Math.max(...differences);
  const digits = DIGITS.exec(text)?.slice(1).find(Boolean);
  if (digits !== undefined) return 10 ** -Number(digits);
  return DEFAULTS.find(([name]) => text.includes(name))?.[1] ?? null;
}
