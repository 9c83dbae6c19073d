/** Lists the rules that need a witness from outside: what Assay can say about a change or a plan, and the rows of its tables of rules. */
import {parseAst} from "vitest/node";
import {ECOSYSTEMS} from "../../src/detect/ecosystems/index.ts";
import {SUPPRESSIONS} from "../../src/integrity/checks/suppressions.ts";
import {TRICKS} from "../../src/integrity/checks/tricks.ts";
import {DIRECTIONS} from "../../src/integrity/settings/directions.ts";
import {OWN_SETTINGS} from "../../src/integrity/settings/own-settings.ts";
import {TOOLS} from "../../src/tools/all.ts";
import {OPTION_ROWS} from "../../src/tools/weaker-options.ts";
import {readSources} from "./source-graph.ts";

/** The id of a rule changes with its words, so that a further word is a further rule. */
interface Rule {
  readonly id: string;
}

/** A rule that decides if a text of a finding or of a plan fits. */
interface Sentence extends Rule {
  readonly says: RegExp;
}

/** A rule that decides if the findings are others while a part of its row is `none`. */
interface Row extends Rule {
  readonly row: object;
  readonly part: "key" | "names" | "rules";
  readonly none: unknown;
}

interface Rules {
  readonly findings: readonly Sentence[];
  readonly settings: readonly Row[];
  readonly tricks: readonly Row[];
  readonly suppressions: readonly (Rule & {readonly name: string})[];
  readonly tools: readonly Rule[];
  readonly ecosystems: readonly Rule[];
  readonly reasons: readonly Sentence[];
}

/** Their sentences are about the machine, the run or verify.json, name a part of a command, belong to a trick, or are lists of names. */
const NO_RULES =
  /^src\/integrity\/(?:[^/]+$|advisories\/|checks\/tricks|settings\/)|\/(?:tool-versions|unpack-command|affected-projects|account-for-ci|other-ci)\.ts$/;

/** Each kind of rule with its rules. */
export function listRules(): Rules {
  const found = sentencesIn("src/integrity", "src/test-code").map(({text}) => text);
  const planned = Map.groupBy(
    sentencesIn("src/detect/ci", "src/detect/proposals", "src/detect/selection"),
    ({file}) => file,
  );
  return {
    findings: [...new Set(found)].map((id) => ({id, says: patternOf(id)})),
    settings: [
      ...DIRECTIONS.map((row) => ({
        ...{id: `${row.weaker}: ${[...row.names][0]}`, row},
        ...{part: "names" as const, none: new Set()},
      })),
      ...OPTION_ROWS.map((row) => ({
        ...{id: `option, ${row.weaker}: ${[...row.names][0]}`, row},
        ...{part: "names" as const, none: new Set()},
      })),
      ...OWN_SETTINGS.map((row) => ({
        id: `verify.json: ${wordsOf(row.key, 6)}`,
        row,
        part: "key" as const,
        none: NEVER,
      })),
    ],
    tricks: TRICKS.map((row) => ({
      id: `${row.what}: ${row.words[0]} (${row.languages[0]})`,
      ...{row, part: "rules" as const, none: []},
    })),
    suppressions: SUPPRESSIONS.map(({name, isWide}) => ({id: isWide === true ? `${name}, wide` : name, name})),
    tools: TOOLS.map(({name}) => ({id: name})),
    ecosystems: ECOSYSTEMS.map(({name}) => ({id: name})),
    reasons: [...planned].map(([id, all]) => ({id, says: anyOf(all.map(({text}) => patternOf(text)))})),
  };
}

const NEVER = /(?!)/;

/** The first words of a pattern, and how many more it has. */
function wordsOf({source}: RegExp, most: number): string {
  const words = [...new Set(source.replace(/\\[a-zA-Z]/g, " ").match(/[\w$][\w-]{2,}/g) ?? [source])];
  const more = words.length > most ? ` +${words.length - most}` : "";
  return `${words.slice(0, most).join(" ")}${more}`;
}

/** `${}` stands for any value. */
const patternOf = (sentence: string): RegExp =>
  new RegExp(
    sentence
      .replace(/^(?:\$\{\})+|(?:\$\{\})+$/g, "")
      .split("${}")
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
      .join("[^]{0,300}?"),
  );

const anyOf = (patterns: readonly RegExp[]): RegExp => new RegExp(patterns.map(({source}) => source).join("|"));

const sentencesIn = (...folders: string[]): {file: string; text: string}[] =>
  readSources(...folders)
    .filter(({path}) => !NO_RULES.test(path))
    .flatMap(({path, text}) =>
      textsIn(parseAst(text, {lang: "ts"}))
        .filter(isSentence)
        .map((sentence) => ({file: path, text: sentence})),
    );

/** All texts, except lists of words and rows with facts about a pattern, which nothing says. */
function textsIn(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(textsIn);
  if (!isNode(node) || /^(?:ImportDeclaration|ThrowStatement|TSLiteralType)$/.test(node.type)) return [];
  const elements = node.type === "ArrayExpression" && Array.isArray(node["elements"]) ? node["elements"] : [];
  if (elements.some((one) => isNode(one) && (one["regex"] !== undefined || one.type === "NewExpression"))) return [];
  if (node.type === "MemberExpression" && isNode(node["property"]) && node["property"]["name"] === "split") return [];
  if (node.type === "CallExpression" && isNode(node["callee"]) && isListOfNames(node["callee"])) return [];
  return [...ownText(node), ...Object.values(node).flatMap(textsIn)];
}

const isListOfNames = ({name}: SyntaxNode): boolean => /^(?:nameSet|namesIn|namesTest)$/.test(String(name));

function ownText(node: SyntaxNode): string[] {
  if (node.type === "Literal") return typeof node["value"] === "string" ? [node["value"]] : [];
  if (node.type !== "TemplateLiteral" || !Array.isArray(node["quasis"])) return [];
  return [node["quasis"].map(({value}: {value: {cooked: string}}) => value.cooked).join("${}")];
}

interface SyntaxNode {
  readonly type: string;
  readonly [key: string]: unknown;
}

const isNode = (node: unknown): node is SyntaxNode => typeof node === "object" && node !== null && "type" in node;

/** At least three words, without the marks of code. */
const isSentence = (text: string): boolean =>
  /^[A-Za-z`$]/.test(text) &&
  /[A-Za-z`}]\S*\s\S+\s\S*[A-Za-z]/.test(text) &&
  !/[;{]\s|\{$|\n/.test(text) &&
  /[a-z]{3}/.test(text);
