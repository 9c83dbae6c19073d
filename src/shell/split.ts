/** Lists the simple commands of shell text from its tree, each with what decides whether it runs and what its result does. */
import type {
  Assignment,
  Command,
  CompoundList,
  Elif,
  If,
  Redirection,
  Statement,
  TestExpression,
  Word,
  WordPart,
} from "unbash";
import {memoize} from "./memoize.ts";
import {parseShell} from "./tree.ts";

/** The operator that joins a command to the one before it; `start` for the first. */
type Joint = "start" | "&&" | "||" | ";" | "|" | "&";

/** A construct of the shell around a command. */
export interface Construct {
  readonly kind: "if" | "loop" | "case" | "function" | "group" | "subshell";
  /** the part of it that the command is in */
  readonly part: "condition" | "then" | "else" | "body";
  /** the operator that joins it to the command before it */
  readonly joint: Joint;
  /** its position in the text; the same for each command in it */
  readonly node: {readonly pos: number; readonly end: number};
  /** the name of a function, otherwise empty */
  readonly name: string;
  /** files that its whole output is sent to */
  readonly writes: readonly string[];
  /** the values of a loop: `for name in VALUES` */
  readonly values: readonly string[];
}

export interface SimpleCommand {
  /** the words, quotes removed; `$(…)`, `<(…)`, backticks and `$NAME` stay as written */
  readonly words: readonly string[];
  /** the same words as written, with their quotes */
  readonly raws: readonly string[];
  /** assignments in front of the words */
  readonly env: Readonly<Record<string, string>>;
  readonly joint: Joint;
  /** files that its output is sent to */
  readonly writes: readonly string[];
  /** the text of its here-document or here-string; null if it has none */
  readonly input: string | null;
  /** the redirections of its input as written, or else those of its group: ` < data.txt` */
  readonly inputLine: string;
  /** the here-documents of that input, each after a line end */
  readonly documents: string;
  /** true if a word is only known when the shell runs: `$(…)`, backticks, `$NAME` */
  readonly dynamic: boolean;
  /** true with `!` in front of its pipeline */
  readonly isNegated: boolean;
  /** true if the shell does not wait for it */
  readonly isBackground: boolean;
  /** the constructs around it, the outermost first */
  readonly inside: readonly Construct[];
  /** its position in the text */
  readonly start: number;
  readonly end: number;
  /** the end of the commands that `&&`, `||` and `|` join it to */
  readonly listEnd: number;
}

/**
 * The simple commands of a text, in order; those of functions where they are defined. Null if the text is no complete
 * shell text, or too long: such a text is unknown.
 */
export const splitShell: (text: string) => readonly SimpleCommand[] | null = memoize((text) => {
  const tree = parseShell(text);
  if (tree === null) return null;
  const commands: SimpleCommand[] = [];
  const top = {
    joint: "start",
    inside: [],
    writes: [],
    isNegated: false,
    isBackground: false,
    inputLine: "",
    documents: "",
    listEnd: 0,
  } as const;
  addStatements({...top, commands, source: tree.source, around: [], start: null}, tree.root.commands);
  return commands;
});

/** The commands that `&&`, `||` and `|` join to the one at `i`, with those of their groups. */
export function joinedAfter(commands: readonly SimpleCommand[], i: number): readonly SimpleCommand[] {
  let end = i + 1;
  while ((commands[end]?.start ?? Number.POSITIVE_INFINITY) < (commands[i]?.listEnd ?? 0)) end++;
  return commands.slice(i + 1, end);
}

/** The words of a line that is one simple command without assignments or redirections; null otherwise. */
export function plainWords(line: string): readonly string[] | null {
  const commands = splitShell(line);
  const [only] = commands ?? [];
  if (commands?.length !== 1 || only === undefined || only.dynamic || only.isNegated || only.inside.length > 0)
    return null;
  return only.writes.length > 0 || only.inputLine !== "" || Object.keys(only.env).length > 0 ? null : only.words;
}

/** What the walk knows about a part of the tree. */
interface TreeWalk extends Omit<SimpleCommand, "words" | "raws" | "env" | "input" | "dynamic" | "start" | "end"> {
  readonly commands: SimpleCommand[];
  readonly source: string;
  /** files that the output of the next construct is sent to */
  readonly around: readonly string[];
  /** the start of a pipeline with `!` or `time` in front */
  readonly start: number | null;
}

function addStatements(walk: TreeWalk, statements: readonly Statement[]): void {
  let joint = walk.joint;
  for (const {command, background = false, end} of statements) {
    addNode({...walk, joint, isBackground: background || walk.isBackground, listEnd: end}, command);
    joint = background ? "&" : ";";
  }
}

function addNode(walk: TreeWalk, node: Statement["command"]): void {
  switch (node.type) {
    case "AndOr":
      for (const [i, one] of node.commands.entries())
        addNode({...walk, joint: i === 0 ? walk.joint : (node.operators[i - 1] ?? ";")}, one);
      break;
    case "Pipeline": {
      const negations = node.prefixes.filter(({type}) => type === "Negation").length;
      const isNegated = walk.isNegated !== (negations % 2 === 1);
      for (const [i, one] of node.commands.entries())
        addNode({...walk, isNegated, joint: i === 0 ? walk.joint : "|", start: i === 0 ? node.pos : null}, one);
      break;
    }
    case "Redirected":
      addNode({...walk, ...inputTextOf(walk, node.redirects), around: writesOf(node.redirects)}, node.command);
      break;
    case "If":
      addIf(walk, node, node);
      break;
    case "For":
      addBody(into(walk, node, {kind: "loop", values: node.wordlist?.map(({value}) => value) ?? []}), node.body);
      break;
    case "ArithmeticFor":
    case "Select":
      addBody(into(walk, node, {kind: "loop"}), node.body);
      break;
    case "While":
      addBody(into(walk, node, {kind: "loop", part: "condition"}), node.clause);
      addBody(into(walk, node, {kind: "loop", joint: ";"}), node.body);
      break;
    case "Case":
      for (const {body} of node.items) addBody(into(walk, node, {kind: "case"}), body);
      break;
    case "Function":
      addBody(into(walk, node, {kind: "function", name: node.name.value}), node.body);
      break;
    case "Coproc":
      addBody({...walk, isBackground: true}, node.body);
      break;
    case "BraceGroup":
      addBody(into(walk, node, {kind: "group"}), node.body);
      break;
    case "Subshell":
      addBody(into(walk, node, {kind: "subshell"}), node.body);
      break;
    case "Command":
      walk.commands.push(commandOf(walk, node));
      break;
    case "TestCommand":
    case "ArithmeticCommand": {
      const words =
        node.type === "TestCommand" ? ["[[", ...wordsOfTest(node.expression), "]]"] : ["((", node.body.trim(), "))"];
      const dynamic = /[$`]/.test(walk.source.slice(node.pos, node.end));
      walk.commands.push({...emptyCommand(walk, node), words, raws: words, dynamic});
    }
  }
}

function addBody(walk: TreeWalk, body: CompoundList | Statement["command"]): void {
  if (body.type === "CompoundList") addStatements(walk, body.commands);
  else addNode(walk, body);
}

/** `elif` is an `if` within `else`. */
function addIf(walk: TreeWalk, whole: If, branch: If | Elif, later: readonly Elif[] = whole.elif): void {
  const [next, ...others] = later;
  addStatements(into(walk, branch, {kind: "if", part: "condition"}), branch.clause.commands);
  addStatements(into(walk, branch, {kind: "if", part: "then", joint: ";"}), branch.then.commands);
  const otherwise = into(walk, branch, {kind: "if", part: "else", joint: ";"});
  if (next === undefined) addStatements(otherwise, whole.else?.commands ?? []);
  else addIf(otherwise, whole, next, others);
}

/** Goes into a part of a construct; `joint` is that of the first command in it. */
function into(
  walk: TreeWalk,
  node: Construct["node"],
  {kind, part = "body", joint = walk.joint, name = "", values = []}: Pick<Construct, "kind"> & Partial<Construct>,
): TreeWalk {
  const construct: Construct = {kind, part, joint: walk.joint, node, name, values, writes: walk.around};
  const writes = [...walk.writes, ...walk.around];
  return {...walk, joint, start: null, around: [], writes, inside: [...walk.inside, construct]};
}

function commandOf(walk: TreeWalk, node: Command): SimpleCommand {
  const parts = [...(node.name === undefined ? [] : [node.name]), ...node.args];
  const assigned = node.prefix.filter((one) => one.type === "Assignment");
  return {
    ...emptyCommand(walk, node),
    words: parts.map((part) =>
      part.type === "Word" ? part.value : `${nameOf(part)}${assignedValue(part, walk.source)}`,
    ),
    raws: parts.map(({pos, end}) => walk.source.slice(pos, end)),
    env: Object.fromEntries(assigned.map((one) => [one.name, assignedValue(one, walk.source)])),
    writes: [...walk.writes, ...writesOf(node.redirects)],
    input: inputOf(node.redirects),
    ...inputTextOf(walk, node.redirects),
    dynamic: [...parts, ...assigned].some((part) => /[$`]|[<>]\(/.test(part.text) && isDynamic(part)),
  };
}

const emptyCommand = (
  {commands: _, source: _source, around, start, ...context}: TreeWalk,
  {pos, end}: Construct["node"],
): SimpleCommand => ({
  ...context,
  writes: [...context.writes, ...around],
  words: [],
  raws: [],
  env: {},
  input: null,
  dynamic: false,
  start: start ?? pos,
  end,
});

const nameOf = ({name, append}: Assignment): string => `${name}${append === true ? "+" : ""}=`;

/** The value that an assignment gives; what it adds to a value is only known when the shell runs. */
function assignedValue({name, append, value}: Assignment, source: string): string {
  const text = value.type === "Word" ? value.value : source.slice(value.pos, value.end);
  return append === true ? `\${${name}}${text}` : text;
}

const writesOf = (redirects: readonly Redirection[]): string[] =>
  redirects.flatMap((one) =>
    one.type === "Redirect" && one.operator.includes(">") && !/^\d+$|^-$/.test(one.target?.value ?? "0")
      ? [one.target?.value ?? ""]
      : [],
  );

function inputOf(redirects: readonly Redirection[]): string | null {
  const last = redirects.findLast(({type}) => type !== "Redirect");
  return last?.type === "HereDoc" ? last.body.text : last?.type === "HereString" ? (last.target?.value ?? "") : null;
}

function inputTextOf(
  {inputLine, documents, source}: TreeWalk,
  redirects: readonly Redirection[],
): Pick<SimpleCommand, "inputLine" | "documents"> {
  const inputs = redirects.filter(
    (one) => one.operator.startsWith("<") && (one.type === "HereDoc" || one.target?.value !== "/dev/null"),
  );
  if (inputs.length === 0) return {inputLine, documents};
  const bodies = inputs.flatMap((one) =>
    one.type === "HereDoc" ? [source.slice(one.body.pos, one.closing?.end)] : [],
  );
  return {
    inputLine: inputs.map(({pos, end}) => ` ${source.slice(pos, end)}`).join(""),
    documents: bodies.map((body) => `\n${body}`).join(""),
  };
}

const EXPANSIONS = new Set(
  "SimpleExpansion ParameterExpansion CommandExpansion ArithmeticExpansion ProcessSubstitution".split(" "),
);

function isDynamic(word: Word | Assignment): boolean {
  const value = word.type === "Word" ? word : word.value;
  return value.type === "Word" ? hasExpansion(value.parts) : value.elements.some(({parts}) => hasExpansion(parts));
}

const hasExpansion = (parts: readonly WordPart[] = []): boolean =>
  parts.some((part) => EXPANSIONS.has(part.type) || ("parts" in part && hasExpansion(part.parts)));

function wordsOfTest(test: TestExpression): string[] {
  switch (test.type) {
    case "TestUnary":
      return [test.operator, test.operand.value];
    case "TestBinary":
      return [test.left.value, test.operator, test.right.value];
    case "TestLogical":
      return test.operands.flatMap((one, i) => [...(i === 0 ? [] : [test.operator]), ...wordsOfTest(one)]);
    case "TestNot":
      return [...test.negations.map(() => "!"), ...wordsOfTest(test.operand)];
    case "TestGroup":
      return ["(", ...wordsOfTest(test.expression), ")"];
  }
}
