/** Adds the effects of order and limits to the settings of a configuration that is a list of blocks. */

import {importedNames} from "../../test-code/text/imported-names.ts";
import {closingBracket, type MaskedSource} from "../../test-code/text/mask.ts";
import {itemsOf} from "./object-literals.ts";

/** Files whose rules may be looser, because they are not product code. */
const BESIDE =
  /\b(?:tests?|specs?|__tests__|scripts?|config|examples?|bench|docs|fixtures|stories|e2e|cypress|d\.ts)\b/;
const OFF = /^\s*\[?\s*(?:["']off["']|0)(?![\w.])/;

interface RuleBlock {
  readonly text: string;
  readonly code: string;
  readonly files: string | null;
}

/**
 * `configs`: the shared configurations. `limited NAME`: true for a rule that applies to some files only, or that a block for
 * product files switches off.
 */
export function withBlocks(settings: Map<string, string[]>, source: MaskedSource): Map<string, string[]> {
  const {code, text} = source;
  const names = [...code.matchAll(/(?<![\w.])[\w.]+\.(?:configs?|recommended)\b[\w.]*(?:\["[^"]*"\])?/g)];
  // The function of a tool whose arguments are the configurations.
  const isWrapper = (from: number, to: number) =>
    /^\s{0,9}\(/.test(code.slice(to, to + 10)) && /(?:\bdefault|=)\s*$/.test(code.slice(Math.max(0, from - 20), from));
  // A configuration after `?` or `&&` applies only under a condition.
  const isConditional = (at: number) => /\?|&&/.test(code.slice(code.lastIndexOf("\n", at) + 1, at));
  const shared = names.flatMap(([name], index) => {
    const at = names[index]?.index ?? 0;
    return isConditional(at) || isWrapper(at, at + name.length) ? [] : [text.slice(at, at + name.length)];
  });
  const computed = [...source.code.matchAll(/\brules\s*:\s*(?![{\s])(?!.*(?:config|rules|recommended))[^\n]+/g)];
  if (computed.length > 0)
    settings.set(
      "computed rules",
      computed.map(([rules]) => rules),
    );
  const computedKeys = [...code.matchAll(/[{,]\s*\[[^\]\n]*\]\s*:/g)].map(({index, 0: key}) =>
    text.slice(index + 1, index + key.length).trim(),
  );
  if (computedKeys.length > 0) settings.set("computed keys", computedKeys);
  const spreads = spreadsIn(source);
  if (spreads.computed.length > 0) settings.set("computed spreads", spreads.computed);
  settings.set("spreads", spreads.shared);
  const reworked = /\]\s*\.\s*(?:map|flatMap|filter|slice)\s*\([^\n]*/.exec(code)?.[0];
  if (reworked !== undefined && /\brules\b/.test(reworked)) settings.set("computed blocks", [reworked]);
  settings.set("configs", [...new Set(shared)]);
  for (const [name, isLimited] of limitedConfigs(source)) settings.set(`limited ${name}`, [String(isLimited)]);
  const ignored = [...code.matchAll(/\bglobalIgnores\(\s*(?=\[)/g)].flatMap(({index, 0: call}) =>
    itemsOf(text, code, index + call.length),
  );
  if (ignored.length > 0) settings.set("ignores", [...(settings.get("ignores") ?? []), ...ignored]);
  const blocks = blocksOf(source);
  const rules = blocks.flatMap((block) => rulesOf(block).map((rule) => ({...rule, files: block.files})));
  const everywhere = new Set(rules.filter(({files, isOff}) => files === null && !isOff).map(({name}) => name));
  const isOffFor = ({name, files, isOff}: (typeof rules)[number]) =>
    isOff && everywhere.has(name) && (files === null || !BESIDE.test(files));
  const off = new Set(rules.filter(isOffFor).map(({name}) => name));
  const isOn = (name: string) => rules.some((rule) => rule.name === name && !rule.isOff);
  const later = rules.filter(({name, files, isOff}) => isOff && isOn(name) && (files === null || !BESIDE.test(files)));
  for (const {name} of rules) settings.set(`off ${name}`, [String(later.some((rule) => rule.name === name))]);
  for (const {name} of rules) settings.set(`limited ${name}`, [String(off.has(name) || !everywhere.has(name))]);
  for (const {name, value} of rules) {
    const limit = /^\s*\[[^,\]]*,\s*(\d+)/.exec(value)?.[1];
    if (limit !== undefined) settings.set(`rules ${name} limit`, [limit]);
  }
  return settings;
}

/** Files of a language, wherever they are. */
const ALL_FILES = /["']\*\*\/\*(?:\.(?:\{[\w,]+\}|[cm]?[jt]sx?))?["']/;

/** The shared configurations and lists of rules, and whether each block with one of them is for some files only. */
function limitedConfigs({code, text}: MaskedSource): Map<string, boolean> {
  const limited = new Map<string, boolean>();
  for (const {1: name = "", index} of code.matchAll(
    /(?:\.\.\.|(?<![\w$.]))([A-Za-z_$][\w$]*(?:\.[\w$]+)+)(?=\s*[,\]})])/g,
  )) {
    const from = openBefore(code, index);
    const block = code[from] === "{" ? code.slice(from, closingBracket(code, from)) : "";
    const at = block.search(/\bfiles\s*:/);
    const files = at < 0 ? "" : text.slice(from + at, from + at + block.slice(at).search(/[\]\n]/));
    limited.set(name, at >= 0 && !ALL_FILES.test(files) && limited.get(name) !== false);
  }
  return limited;
}

/** `computed`: what a function of the file gives, a part of a list, or rules that no text shows; `shared`: whole lists. */
function spreadsIn({code, text}: MaskedSource): {computed: string[]; shared: string[]} {
  const modules = importedNames(text, "");
  const all = [...code.matchAll(/\.\.\.([A-Za-z_$][\w$]*)([\w$.]*)(\()?/g)].map((match) => {
    const [, name = "", rest = "", call] = match;
    const isOwn = new RegExp(String.raw`\b(?:function|const|let)\s+${name.replaceAll("$", "\\$")}\b`).test(code);
    const inRules = /\brules\s*:\s*\{[^{}]*$/.test(code.slice(Math.max(0, match.index - 2000), match.index));
    const isPart = call !== undefined && /\.(?:slice|filter|map|flatMap)$/.test(rest);
    const isKnown = /\b(?:rules|recommended|configs?|all)\b/i.test(rest);
    const isComputed = isPart || (call !== undefined && isOwn && !modules.has(name)) || (inRules && !isKnown);
    return {isComputed, name, rest, module: modules.get(name)};
  });
  const words = [...code.matchAll(/(?<=[[(,]\s{0,99})[A-Za-z_$][\w$]*(?=\s*[,)\]])/g)];
  const items = words
    .filter(([name]) => modules.has(name))
    .slice(0, MAX_ITEMS)
    .flatMap(({0: name, index}) => (isListItem(code, index) ? [modules.get(name) ?? ""] : []));
  return {
    computed: all.flatMap(({isComputed, name, rest}) => (isComputed ? [`${name}${rest}`] : [])),
    shared: [
      ...all.flatMap(({isComputed, module, name, rest}) =>
        isComputed || module === undefined ? [] : [`${module}${rest === "" ? "" : ` ${name}${rest}`}`],
      ),
      ...items,
    ],
  };
}

const MAX_ITEMS = 200;

/** An argument of `defineConfig`, which takes lists and their items alike, or an item of a list of configurations. */
function isListItem(code: string, at: number): boolean {
  let depth = 0;
  for (let index = at - 1; index >= 0; index -= 1) {
    const char = code[index] ?? "";
    if (")]}".includes(char)) depth += 1;
    else if ("([{".includes(char) && depth-- === 0) {
      const head = code.slice(Math.max(0, index - 40), index);
      return char === "("
        ? /\b(?:defineConfig|config)\s*$/.test(head)
        : char === "[" && !/(?<!\bextends)\s*:\s*$/.test(head);
    }
  }
  return false;
}

function rulesOf({text, code}: RuleBlock): {name: string; value: string; isOff: boolean}[] {
  const open = /\brules\s*:\s*\{/.exec(code);
  if (open === null) return [];
  const from = open.index + open[0].length - 1;
  const to = closingBracket(code, from);
  const rules: {name: string; value: string; isOff: boolean}[] = [];
  const entry = /(?:["']([^"'\n]+)["']|([\w-]+))\s*:\s*/g;
  entry.lastIndex = from;
  for (let match = entry.exec(text); match !== null && match.index < to; match = entry.exec(text)) {
    const at = match.index + match[0].length;
    const end = "[{".includes(code[at] ?? " ")
      ? closingBracket(code, at) + 1
      : at + (/[,}\n]/.exec(code.slice(at))?.index ?? 0);
    const value = text.slice(at, end);
    rules.push({name: match[1] ?? match[2] ?? "", value, isOff: OFF.test(value)});
    entry.lastIndex = end;
  }
  return rules;
}

/** The innermost objects that have `rules`, with their `files`. */
function blocksOf({text, code}: MaskedSource): RuleBlock[] {
  return [...code.matchAll(/\brules\s*:\s*\{/g)].map(({index}) => {
    const from = openBefore(code, index);
    const to = closingBracket(code, from);
    const inside = code.slice(from, to);
    const files = /\bfiles\s*:\s*(?=\[|["'])/.exec(inside);
    const start = files === null ? 0 : from + files.index;
    const limit = files === null ? null : text.slice(start, closingBracket(code, code.indexOf("[", start)));
    return {text: text.slice(from, to), code: inside, files: limit};
  });
}

function openBefore(code: string, at: number): number {
  let depth = 0;
  for (let index = at - 1; index >= 0; index -= 1) {
    if (code[index] === "}") depth += 1;
    else if (code[index] === "{" && depth-- === 0) return index;
  }
  return 0;
}
