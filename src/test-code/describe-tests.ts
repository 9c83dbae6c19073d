/** Puts together the facts about each test: its assertions, marks, conditions and tables. */
import type {Node} from "web-tree-sitter";
import {readAssertion} from "./assertions.ts";
import {isForOthers} from "./conditions.ts";
import type {Assertion, SourceFacts, TestFacts, TestMark} from "./facts.ts";
import {codeOf, countValues, joinTokens, type OpaquePart, type TextRange, type Token, tokensIn} from "./tokens.ts";
import {attributesBefore, contains, type FindParts, innermost, type SourcePart} from "./walk-tree.ts";

interface ParsedText {
  readonly text: string;
  readonly opaque: readonly OpaquePart[];
  readonly parts: FindParts;
  /** what the parser does not understand */
  readonly errors: readonly TextRange[];
}

interface PlacedAssertion extends Omit<Assertion, "guards" | "isDetached"> {
  readonly from: number;
  readonly to: number;
  /** true for a condition under which a test fails */
  readonly isCondition: boolean;
}

interface PlacedMark {
  readonly mark: TestMark;
  readonly text: string;
  readonly isElsewhere: boolean;
  readonly part: SourcePart;
}

interface File extends ParsedText {
  readonly tokens: (range: TextRange) => Token[];
  readonly code: () => string;
  readonly tests: readonly SourcePart[];
  readonly groups: readonly SourcePart[];
  readonly units: readonly SourcePart[];
  readonly marks: ReadonlyMap<SourcePart | null, readonly PlacedMark[]>;
  readonly lists: () => NamedLists;
  /** what the loops and tables outside of the tests run over */
  readonly outerLoops: () => readonly SourcePart[];
  readonly conditions: () => readonly SourcePart[];
  readonly isStrict: () => boolean;
}

/** The lists with a name, and their names without their owners. Several functions may have a list of the same name: the last one counts. */
interface NamedLists {
  readonly parts: readonly SourcePart[];
  readonly names: readonly string[];
  /** by the name without its owner */
  readonly byName: ReadonlyMap<string, SourcePart>;
}

const SELECTS = /\b(?:filter|slice|islice|if)\b|\[[^\]]*(?::|\.\.)/;

/** The limit for one test: more of them are data. */
const MAX_ASSERTIONS = 500;

/** Most tests of a changed file are as they were, and nobody asks for more than their text: the rest is read when it is asked for. */
export function factsOf(parsed: ParsedText): SourceFacts {
  const {text, opaque, parts} = parsed;
  const hasError = (part: SourcePart) =>
    parsed.errors.some((error) => part.from < error.to && error.from < part.to && !contains(error, part));
  const tests = testsIn(parsed).filter((test) => !hasError(test));
  const groups = onePerName(parts("group"));
  const units = onePerName(parts("unit")).filter(({nameAt}) => !tests.some((test) => test.nameAt === nameAt));
  const code = once(() => codeOf(text, opaque));
  const tokens = (range: TextRange) => tokensIn(text, opaque, range);
  const outer = {...parsed, tokens, code, tests, groups, units};
  const lists = once(() => namedLists(parts("list")));
  const isInTest = (part: SourcePart) => tests.some((test) => contains(test, part));
  const outerLoops = once(() => parts("iterated").filter((part) => !isInTest(part)));
  const conditions = once(() => parts("branch").filter(({kind}) => kind.startsWith("if")));
  const isStrict = once(() => STRICT_MODULE.test(text));
  const file = {...outer, lists, outerLoops, conditions, isStrict, marks: marksIn(outer)};
  const counts = new Map<string, number>();
  const idOf = (part: SourcePart) => {
    const id = namesAround(part, groups).join(" > ");
    const count = (counts.get(id) ?? 0) + 1;
    counts.set(id, count);
    return count === 1 ? id : `${id} #${count}`;
  };
  const described = tests.map((test) => describe(test, idOf(test), file));
  const helpers = once(() =>
    units
      .filter((unit) => !tests.some((test) => contains(test, unit) || contains(unit, test)))
      .map((unit) => describe(unit, namesAround(unit, groups).join(" > "), file)),
  );
  const around = once(() => textAround(text, tests));
  return {
    tests: described,
    get units() {
      return helpers();
    },
    get hasTables() {
      return parts("iterated").length > 0;
    },
    get code() {
      return code();
    },
    get surroundings() {
      return around();
    },
    unread: null,
    isPartial: parsed.errors.length > 0,
  };
}

function textAround(text: string, tests: readonly SourcePart[]): string {
  const ends = [0, ...tests.map(({to}) => to)];
  const starts = [...tests.map(({from}) => from), text.length];
  return ends
    .map((end, at) => text.slice(end, starts[at]).trim())
    .filter((part) => part !== "")
    .join("\n");
}

function once<T>(read: () => T): () => T {
  let known: {readonly value: T} | null = null;
  return () => {
    known ??= {value: read()};
    return known.value;
  };
}

function namedLists(parts: readonly SourcePart[]): NamedLists {
  const names = parts.map(({name}) => withoutOwner(name));
  return {parts, names, byName: new Map(parts.map((part, at) => [names[at] ?? "", part]))};
}

/** Of several patterns for one definition, the one with its decorators. */
function onePerName(parts: readonly SourcePart[]): SourcePart[] {
  const seen = new Set<number>();
  return parts.filter(({nameAt}) => !seen.has(nameAt) && seen.add(nameAt));
}

function testsIn({text, parts}: ParsedText): SourcePart[] {
  const aliases = new Set(parts("alias").map(({node}) => node.text));
  const called =
    aliases.size === 0 ? [] : parts("called").filter(({callee}) => aliases.has(callee.split(".")[0] ?? ""));
  const all = onePerName([...parts("test"), ...called].sort((a, b) => a.from - b.from || b.to - a.to));
  // A call without a title and a function is another one of the same name.
  const runs = ({name}: SourcePart) =>
    name !== "" && text.includes(`${name}`) && new RegExp(String.raw`\bclass\s+\w+\([^)]*\b${name}\b`).test(text);
  const never = parts("never").filter((part) => !runs(part));
  const isTest = (part: SourcePart) =>
    part.callee === "" ||
    part.name !== text.slice(part.nameAt, part.nameAt + part.name.length) ||
    parts("closure", part).some((closure) => contains(part, closure));
  const tests = all.filter((part) => isTest(part) && innermost(never, part) === undefined);
  const isInside = (part: SourcePart, outer: SourcePart) =>
    contains(outer, part) && (outer.callee === part.callee || /test|it/.test(outer.callee));
  const isFunction = ({kind}: SourcePart) => kind.includes("function") || kind.includes("decorated");
  let open: SourcePart[] = [];
  return tests.filter((part) => {
    const around = open.filter(({to}) => to > part.from);
    open = [...around, part];
    return (
      !around.some((outer) => (part.callee === "" ? contains(outer, part) : isInside(part, outer))) &&
      !(isFunction(part) && parts("unit").some((unit) => contains(unit, part) && isFunction(unit)))
    );
  });
}

const CHAINED =
  /call|invocation|member|^binary$|attribute$|selector|field_expression|subscript|index_expression|non_null|try_expression|macro|scoped/;

/** The whole chain of calls that begins with a word: `expect(x).not.toBe(1)`, with its `await`. */
function wholeChain(start: Node): Node {
  let node = start;
  while (node.parent !== null && !/call|invocation|macro/.test(node.type)) {
    if (!CHAINED.test(node.parent.type)) break;
    node = node.parent;
  }
  while (node.parent !== null) {
    const {parent} = node;
    if (parent.type.includes("await")) return parent;
    if (parent.startIndex !== node.startIndex || !CHAINED.test(parent.type)) break;
    node = parent;
  }
  return node;
}

/** Ruby needs no brackets around arguments, and `do` for those of a block; a matcher is a part of the assertion's form. */
function withBrackets(whole: Node, {text, tokens}: {text: string; tokens: readonly Token[]}): Token[] {
  const [opening, closing] = [new Set<number>(), new Set<number>()];
  const blocks = new Set<number>();
  for (let node: Node | null = whole; node?.type === "call"; node = node.childForFieldName("receiver")) {
    const args = node.childForFieldName("arguments");
    const isMatcher = ["to", "not_to", "to_not", "should", "should_not"].includes(
      node.childForFieldName("method")?.text ?? "(",
    );
    if (args !== null && !isMatcher && text[args.startIndex] !== "(") {
      opening.add(args.startIndex);
      closing.add(args.endIndex);
    }
    const block = node.childForFieldName("block");
    if (block?.type === "do_block") blocks.add(block.startIndex).add(block.endIndex);
  }
  if (opening.size + blocks.size === 0) return [...tokens];
  const sign = (at: number, own: string): Token => ({from: at, to: at, text: own, kind: "sign"});
  return tokens.flatMap((token) => {
    const {from, to} = token;
    const own = blocks.has(from) ? sign(from, "{") : token.text === "end" && blocks.has(to) ? sign(to, "}") : token;
    return [...(opening.has(from) ? [sign(from, "(")] : []), own, ...(closing.has(to) ? [sign(to, ")")] : [])];
  });
}

/** Node's strict assertion mode, in which the short names compare like the long ones (nodejs.org/api/assert.html). */
const STRICT_MODULE = /["'](?:node:)?assert\/strict["']|\bstrict\s+as\s+assert\b|["'](?:node:)?assert["']\)\.strict\b/;

/** `failures > 0` is `failures != 0`. */
const asAnyFailure = (token: Token, at: number, all: readonly Token[]): Token =>
  token.text === ">" && all[at + 1]?.text === "0" ? {...token, text: "!="} : token;

/** Before a value that must be true. */
const ASSERT: Token = {from: -1, to: -1, text: "assert", kind: "word"};

function assertionsIn(range: TextRange, {text: source, tokens, parts, isStrict}: File): PlacedAssertion[] {
  const lineOf = (node: Node) => node.startPosition.row + 1;
  const tokensOfNode = (node: Node | null) => (node === null ? [] : tokens({from: node.startIndex, to: node.endIndex}));
  const branches = parts("branch", range);
  const plain = [...parts("assertion", range), ...parts("asserts", range)].map(({node, kind}) => {
    const isStatement = kind === "assert_statement";
    // The result of a test program is the number of its failures, and so is that of a macro, which has no tree.
    const isMacro = kind === "preproc_arg";
    const isResult = isMacro || node.parent?.type === "return_statement";
    const isValue = !isStatement && !CHAINED.test(kind);
    const whole = isValue ? node : wholeChain(node);
    const all = withBrackets(whole, {text: source, tokens: tokensOfNode(whole)});
    const own = isResult
      ? all.filter(({text}) => !isMacro || !["(", ")", "{", "}"].includes(text)).map(asAnyFailure)
      : all;
    const facts = isValue
      ? readAssertion(isResult ? own : [ASSERT, ...own], isResult ? "condition" : "value")
      : readAssertion(own, isStatement ? "statement" : "call");
    const form = isStrict() ? facts.form.replace(/^assert (?=\w*[eE]qual$)/, "assert strict ") : facts.form;
    const place = {from: whole.startIndex, to: whole.endIndex};
    return {...facts, form, ...place, place, line: lineOf(whole), isCondition: false};
  });
  const failures = parts("failure", range).map(({node}) => {
    const head = failingCondition(node, branches);
    const condition = head?.childForFieldName("condition") ?? null;
    if (head === null || condition === null) {
      const text = joinTokens(tokensOfNode(node)).split("(")[0] ?? "";
      const facts = {text, subject: text, form: text, strength: 3 as const, isNegated: false, tolerance: null};
      const place = {from: node.startIndex, to: node.endIndex};
      return {...facts, ...place, place, line: lineOf(node), isCondition: false};
    }
    const facts = readAssertion(tokensOfNode(condition), "condition");
    const initializer = joinTokens(tokensOfNode(head.childForFieldName("initializer")));
    const text = initializer === "" ? facts.text : facts.text.replace("if ", `if ${initializer};`);
    const place = {from: condition.startIndex, to: condition.endIndex};
    return {...facts, text, from: head.startIndex, to: node.endIndex, place, line: lineOf(node), isCondition: true};
  });
  const all = [...plain, ...failures].sort((a, b) => a.from - b.from || b.to - a.to);
  let end = -1;
  return all.filter((one, index) => {
    const isSame = one.isCondition && all.slice(0, index).some((other) => other.isCondition && other.from === one.from);
    const isInside = !one.isCondition && one.from < end;
    if (!one.isCondition && !isInside) end = one.to;
    return !isSame && !isInside;
  });
}

/** The `if` whose first part consists of the failure, and of what is said with it. */
function failingCondition(failure: Node, branches: readonly SourcePart[]): Node | null {
  const branch = innermost(branches, {from: failure.startIndex, to: failure.endIndex});
  if (branch === undefined || !branch.kind.startsWith("if")) return null;
  const first = branch.node.childForFieldName("consequence") ?? branch.node.childForFieldName("body");
  const isInFirst = first !== null && first.startIndex <= failure.startIndex && failure.endIndex <= first.endIndex;
  return isInFirst ? branch.node : null;
}

const MARKS = [
  ["skip", "skip"],
  ["conditional", "conditional"],
  ["only", "only"],
  ["fails", "expected-failure"],
] as const;
const MAX_HEAD = 400;

type Outer = ParsedText & Pick<File, "tests" | "groups" | "units">;

/** The marks by the test, group or function that they belong to; those of the whole file under null. */
function marksIn({text, parts, tests, groups, units}: Outer): Map<SourcePart | null, PlacedMark[]> {
  const owners = [...groups, ...units, ...tests].sort((a, b) => a.from - b.from || b.to - a.to);
  const found = new Map<SourcePart | null, PlacedMark[]>();
  for (const [role, mark] of MARKS)
    for (const part of parts(role)) {
      const owner = ownerOf(part, owners, tests);
      // A test with a condition of the preprocessor in it runs, without a part.
      const isPartOfTest = part.node.parent?.type === "preproc_if" && innermost(tests, part) !== undefined;
      if (owner === undefined || isPartOfTest) continue;
      const branch =
        mark !== "skip"
          ? undefined
          : innermost(
              parts("branch", owner ?? undefined).filter((one) => owner === null || contains(owner, one)),
              part,
            );
      const isConditional = branch !== undefined;
      const own = isConditional ? conditionOf(branch, part) : {text: part.node.text, runsIf: null};
      const placed = {
        mark: isConditional ? ("conditional" as const) : mark,
        text: part.node.text.slice(0, MAX_HEAD),
        isElsewhere: isForOthers({...own, file: text}),
        part,
      };
      found.set(owner, [...(found.get(owner) ?? []), placed]);
    }
  return found;
}

/** What decides about a part of a branch, and whether the part runs if that holds. */
function conditionOf({node}: SourcePart, part: Pick<SourcePart, "from">): {text: string; runsIf: boolean} {
  const condition = node.childForFieldName("condition") ?? node.childForFieldName("left") ?? node;
  const other = node.childForFieldName("alternative");
  return {text: condition.text.slice(0, MAX_HEAD), runsIf: other !== null && other.startIndex <= part.from};
}

/** An attribute may be a node before its function; undefined before something else. */
function ownerOf(
  part: SourcePart,
  owners: readonly SourcePart[],
  tests: readonly SourcePart[],
): SourcePart | null | undefined {
  // A helper within a test is a part of it.
  if (part.kind !== "attribute_item") return innermost(tests, part) ?? innermost(owners, part) ?? null;
  let next: Node | null = part.node;
  while (next !== null && (next.type === part.node.type || next.type.includes("comment"))) next = next.nextNamedSibling;
  const [from, to] = [next?.startIndex ?? -1, next?.endIndex ?? -1];
  return owners.find((owner) => owner.from === from && owner.to === to);
}

/** What is inside of a test or a function, in the order of the text. */
interface Insides {
  readonly own: () => readonly Token[];
  readonly branches: readonly SourcePart[];
  readonly handlers: readonly SourcePart[];
  readonly exits: readonly SourcePart[];
  /** functions without a name, without the one that is the test itself */
  readonly closures: readonly SourcePart[];
  readonly units: readonly SourcePart[];
  readonly assertions: readonly PlacedAssertion[];
  readonly body: Node | null;
}

function insidesOf(part: SourcePart, file: File): Insides {
  const {tokens, parts, units} = file;
  const inside = <T extends TextRange>(all: readonly T[]): T[] => all.filter((one) => contains(part, one));
  const closures = inside(parts("closure", part));
  const body = bodyOf(part, closures);
  return {
    own: once(() => tokens(part)),
    branches: inside(parts("branch", part)),
    handlers: inside(parts("handler", part)),
    exits: inside(parts("exit", part)),
    closures: closures.filter((closure) => closure.node.id !== body?.parent?.id),
    units: inside(units),
    assertions: inside(assertionsIn(part, file)),
    body,
  };
}

const namesAround = (part: SourcePart, groups: readonly SourcePart[]): string[] => [
  ...groups.filter((group) => group.name !== "" && contains(group, part)).map((group) => group.name),
  ...(part.group === null ? [] : [part.group]),
  part.name,
];

function describe(part: SourcePart, id: string, file: File): TestFacts {
  const {text, tokens, code} = file;
  const {name, from, to} = part;
  const textFrom = part.node.childForFieldName("definition")?.startIndex ?? from;
  const headFrom = attributesBefore(part.node);
  const calls = once(() => callsIn(tokens(part)));
  const marked = once(() => markFacts(part, calls, file));
  const asserted = once(() => assertionFacts(insidesOf(part, file), file));
  const tables = once(() => tablesOf({part, headFrom, file}));
  return {
    id,
    name,
    line: part.line,
    lastLine: part.last.endPosition.row + 1,
    text: text.slice(textFrom, to),
    headText: text.slice(headFrom, textFrom),
    get code() {
      return code().slice(textFrom, to);
    },
    get marks() {
      return marked().marks;
    },
    get markText() {
      return marked().markText;
    },
    get isSkippedElsewhere() {
      return marked().isSkippedElsewhere;
    },
    get assertions() {
      return asserted().assertions;
    },
    get isEmpty() {
      return asserted().isEmpty;
    },
    get swallows() {
      return asserted().swallows;
    },
    get endsEarly() {
      return asserted().endsEarly;
    },
    get bailOuts() {
      return asserted().bailOuts;
    },
    get calls() {
      return calls();
    },
    get rows() {
      return tables().rows;
    },
    get loops() {
      return tables().loops;
    },
  };
}

function markFacts(
  part: SourcePart,
  calls: () => ReadonlySet<string>,
  file: File,
): Pick<TestFacts, "marks" | "markText" | "isSkippedElsewhere"> {
  const marks = marksOf({part, calls, file});
  const conditions = marks.filter(({mark}) => mark === "conditional");
  return {
    marks: new Set(marks.map(({mark}) => mark)),
    markText: marks.map((one) => one.text).join(" "),
    isSkippedElsewhere: conditions.length > 0 && conditions.every(({isElsewhere}) => isElsewhere),
  };
}

function assertionFacts(
  insides: Insides,
  file: File,
): Pick<TestFacts, "assertions" | "isEmpty" | "swallows" | "endsEarly" | "bailOuts"> {
  const {handlers, body} = insides;
  return {
    assertions: guardedAssertions(insides, file),
    isEmpty: body !== null && file.tokens({from: body.startIndex, to: body.endIndex}).every(isNothing),
    swallows: handlers.filter((handler) => !isChecked(handler, file)).length,
    ...exitsOf(insides, file.text),
  };
}

function guardedAssertions(insides: Insides, file: File): Assertion[] {
  const {own, branches, handlers, closures, units, assertions} = insides;
  return assertions.slice(0, MAX_ASSERTIONS).map(({isCondition, from, to, ...facts}) => {
    const place = {from, to};
    const around = [...branches, ...handlers].filter((branch) => contains(branch, place));
    const guards = around.filter((branch) => !(isCondition && branch.from === from)).length;
    const inside = [...closures, ...units];
    return {...facts, guards, isDetached: isDetached(place, {file, own, inside, assertions})};
  });
}

/** What leaves the test before its last assertion. */
function exitsOf(
  {branches, exits, closures, units, assertions}: Insides,
  text: string,
): Pick<TestFacts, "endsEarly" | "bailOuts"> {
  const last = assertions.at(-1)?.from ?? -1;
  const early = exits.filter((exit) => exit.from < last && !assertions.some((one) => contains(exit, one)));
  const isCase = ({from, to}: SourcePart) => !NO_CASE.test(text.slice(from, to).slice(0, 200));
  const isOwn = (exit: SourcePart) =>
    /return|call/.test(exit.kind) && ![...closures, ...units].some((one) => contains(one, exit));
  return {
    endsEarly: early.some((exit) => isOwn(exit) && !branches.some((branch) => contains(branch, exit))),
    bailOuts: early.filter((exit) => branches.some((branch) => contains(branch, exit) && isCase(branch))).length,
  };
}

/** What the test runs over, and how many values that has. */
function tablesOf(options: {part: SourcePart; headFrom: number; file: File}): Pick<TestFacts, "rows" | "loops"> {
  const {part, headFrom, file} = options;
  const {tokens, parts} = file;
  const around = file.outerLoops().filter((one) => !contains(part, one) && isLoopAround(one, part));
  const iterated = [...around, ...parts("iterated", part).filter((one) => contains(part, one))].sort(
    (a, b) => a.from - b.from || b.to - a.to,
  );
  const rows = parts("row").filter((row) => row.from >= headFrom && row.to <= part.to).length;
  const texts = iterated.map((one) => tokens(one));
  const {byName, names, parts: lists} = texts.length === 0 ? NO_LISTS : file.lists();
  const rowsOf = (own: readonly Token[]) => {
    const name = withoutOwner(joinTokens(own));
    const list = lists.findLast((one, at) => names[at] === name && contains(part, one)) ?? byName.get(name);
    return countValues(list === undefined ? own : tokens(list));
  };
  return {
    rows: texts.reduce((sum, own) => sum + rowsOf(own), rows),
    loops: texts.map((own) => {
      const name = joinTokens(own);
      const values = lists.filter((one) => one.name === name).map((one) => joinTokens(tokens(one)));
      return values.findLast((value) => SELECTS.test(value)) ?? name;
    }),
  };
}

const NO_LISTS = namedLists([]);

/** Go: something that the test needs could not be prepared. */
const NO_CASE = /^if [^{]*\berr != nil \{/;

/** The loop, or the call with the function that runs for each value, is a few nodes above what it runs over. */
function isLoopAround(iterated: SourcePart, part: SourcePart): boolean {
  let node = iterated.node.parent;
  for (let level = 0; node !== null && level < 3; level += 1) {
    const isLoop = /call|for_/.test(node.type);
    if (isLoop && node.startIndex <= part.from && part.to <= node.endIndex) return true;
    node = node.parent;
  }
  return false;
}

/** The body of a definition, or of the largest function among the arguments of a call. */
function bodyOf({node, last}: SourcePart, closures: readonly SourcePart[]): Node | null {
  if (last !== node) return last;
  const definition = node.childForFieldName("definition") ?? node;
  const own = definition.childForFieldName("body");
  if (own !== null) return own;
  const largest = [...closures].sort((a, b) => b.to - b.from - (a.to - a.from))[0];
  return largest?.node.childForFieldName("body") ?? null;
}

const isNothing = ({kind, text}: Token): boolean =>
  kind === "string" ||
  (kind === "sign" && /^[{}();.]+$/.test(text)) ||
  ["pass", "return", "None", "undefined", "null", "do", "end"].includes(text);

/** A handler that throws, fails or asserts does something with the error. */
function isChecked(part: SourcePart, {tokens}: File): boolean {
  return tokens(part).some(
    ({kind, text}) =>
      kind === "word" &&
      /^(?:throw|raise|rethrow|reject|expect|should|done|panic|t)$|^(?:assert(?!ion)|fail|expect_|throw_)/i.test(text),
  );
}

/** In a function of the test that nothing calls, or that runs after the test. */
function isDetached(
  place: TextRange,
  options: {
    readonly file: File;
    readonly own: () => readonly Token[];
    readonly inside: readonly SourcePart[];
    readonly assertions: readonly PlacedAssertion[];
  },
): boolean {
  const {file, own, inside, assertions} = options;
  return inside.some((part) => {
    if (!contains(part, place)) return false;
    const name =
      part.name ||
      (part.node.parent?.childForFieldName("name")?.text ?? part.node.parent?.childForFieldName("left")?.text ?? "");
    const isAsked = (token: Token) =>
      assertions.some((one) => contains(one, token) && one.strength < 2 && !/throw/i.test(one.form));
    if (name !== "") return own().filter((token) => token.text === name && !isAsked(token)).length < 2;
    const call = part.node.parent?.type.includes("argument") ? part.node.parent.parent : part.node.parent;
    if (call?.parent?.type === "go_statement") return true;
    const called = call?.childForFieldName("function") ?? null;
    const callee = called === null ? "" : file.text.slice(called.startIndex, called.endIndex);
    const isLost = call?.parent?.type === "expression_statement" && /\.(?:then|catch|finally)$/.test(callee);
    return (
      isLost || ["setTimeout", "setImmediate", "setInterval", "queueMicrotask", "process.nextTick"].includes(callee)
    );
  });
}

function callsIn(tokens: readonly Token[]): Set<string> {
  const isCalled = (index: number) =>
    tokens[index + 1]?.text === "(" ||
    (tokens[index + 1]?.text === "!" && ["(", "[", "{"].includes(tokens[index + 2]?.text ?? ""));
  return new Set(tokens.flatMap(({kind, text}, index) => (kind === "word" && isCalled(index) ? [text] : [])));
}

/** Those of the test and its groups, of the file, of hooks around it, and of the functions that it calls. */
function marksOf({part, calls, file}: {part: SourcePart; calls: () => ReadonlySet<string>; file: File}): PlacedMark[] {
  const {marks, parts, units} = file;
  const groups = file.groups.filter((group) => contains(group, part));
  const hooks = parts("hook");
  const isHook = (unit: SourcePart) => hooks.some(({nameAt, from}) => nameAt === unit.nameAt || from === unit.from);
  const applies = (unit: SourcePart) => {
    const group = innermost(file.groups, unit);
    return isHook(unit) ? group === undefined || groups.includes(group) : calls().has(unit.name);
  };
  const choice = file.conditions().find((branch) => contains(branch, part));
  const condition = choice === undefined ? null : conditionOf(choice, part);
  const isElsewhere =
    condition !== null && isForOthers({text: condition.text, runsIf: !condition.runsIf, file: file.text});
  const chosen =
    choice === undefined
      ? []
      : [{mark: "conditional" as const, text: condition?.text ?? "", isElsewhere, part: choice}];
  const ofUnits = units
    .filter((unit) => unit !== part && marks.has(unit) && applies(unit))
    .flatMap((unit) => marks.get(unit) ?? []);
  const aliased = parts("alias").filter(({node}) => part.callee.split(".")[0] === node.text);
  const ofFile = (marks.get(null) ?? []).filter((mark) => {
    const alias = parts("alias").find(
      ({node}) =>
        node.parent !== null && node.parent.startIndex <= mark.part.from && mark.part.to <= node.parent.endIndex,
    );
    return alias === undefined || aliased.includes(alias);
  });
  return [...[part, ...groups].flatMap((one) => marks.get(one) ?? []), ...ofFile, ...ofUnits, ...chosen];
}

function withoutOwner(name: string): string {
  return name.replace(/^(?:self|cls|this)\./, "");
}
