/** What a GFM parser shows of made Markdown stays for the agent, and what it does not show is gone. */
import {expect, test} from "vitest";
import {keepVisibleText} from "../../../src/markdown/visible-text.ts";
import {isSweep} from "../../sweep.ts";
import {seeded} from "../report/foreign.ts";
import {parse} from "../report/gfm.ts";

const BLOCKS = [
  ..."W|W[^a] W|W [^b][^c]|# W [^c]|W\nW[^a]|- W\n- W[^b]|1. W\n\n   W[^c]|> W[^a]\n> W".split("|"),
  ..."[^a]: W|[^b]: W\nW|[^c]: W[^a]|[^d]: W|[^a]: W\n\n    W[^b]\n\n    W|> [^b]: W\n> W|- [^c]: W".split("|"),
  ..."`W [^a]`|`` [^b]: W ``|```\nW [^a]\n[^b]: W\n```|    W [^c]|~~~js\n[^a]\n~~~|W\n[^d]: W\nW".split("|"),
  ..."[W]: https://x.example|W\n[W]: https://x.example|[x]: https://x.example|W [x] [W][x]|[W]: W W W".split("|"),
  ..."<div>W [^a]</div>|<b>W</b> [^b]|W $5 [^c] W 20% $6|$x^2$ W|\\[^a] W|[^a]: # W\nW|[^b]:\n\n    W|---".split("|"),
  "| W | W |\n|---|---|\n| W | W | W |\n| W[^b] |",
  "W | W\n-|-\nW | W | W",
];

interface Tree {
  readonly type: string;
  readonly value?: string | undefined;
  readonly identifier?: string | undefined;
  readonly children?: readonly Tree[] | undefined;
}

/** The words on the page, and all words: a second footnote of a label, and one that no shown text refers to, are not on it. */
function words(markdown: string): {shown: Set<string>; all: Set<string>} {
  const footnotes = new Map<string, Tree>();
  const shown = new Set<string>();
  const pending: string[] = [];
  const find = (node: Tree): void => {
    const label = node.identifier ?? "";
    if (node.type === "footnoteDefinition" && !footnotes.has(label)) footnotes.set(label, node);
    node.children?.forEach(find);
  };
  const walk = (node: Tree): void => {
    if (node.type === "footnoteDefinition" || node.type === "definition") return;
    if (node.type === "footnoteReference") pending.push(node.identifier ?? "");
    for (const word of node.value?.match(/w\d+w/g) ?? []) shown.add(word);
    const [head] = node.children ?? [];
    const columns = node.type === "table" ? head?.children?.length : undefined;
    for (const child of node.children ?? [])
      walk({...child, ...(columns && {children: child.children?.slice(0, columns)})});
  };
  const root: Tree = parse(markdown);
  find(root);
  walk(root);
  const seen = new Set<string>();
  for (let label = pending.pop(); label !== undefined; label = pending.pop()) {
    if (seen.has(label)) continue;
    seen.add(label);
    footnotes.get(label)?.children?.forEach(walk);
  }
  return {shown, all: new Set(markdown.match(/w\d+w/g))};
}

const ROUNDS = isSweep ? 1_500 : 300;

test("shown words stay, others go", () => {
  const random = seeded(11);
  const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)];
  let hidden = 0;
  for (let round = 0; round < ROUNDS; round++) {
    let count = 0;
    const parts = Array.from({length: 1 + Math.floor(random() * 6)}, () => pick(BLOCKS) ?? "");
    const made = parts.join("\n\n").replace(/W/g, () => `w${count++}w`);
    const {shown, all} = words(made);
    const left = new Set(keepVisibleText(made).text.match(/w\d+w/g));
    hidden += all.size - shown.size;
    const lost = [...shown].filter((word) => !left.has(word));
    expect(
      [...left].filter((word) => !shown.has(word)),
      JSON.stringify(made),
    ).toEqual([]);
    // Behind HTML and links' definitions no code is trusted, and what looks hidden in it goes.
    const isTrusted = !/^[^\n`]*<|^\[[^^\n]+\]:/m.test(made);
    if (isTrusted || !/[`~]/.test(made)) expect(lost, JSON.stringify(made)).toEqual([]);
  }
  expect(hidden).toBeGreaterThan(ROUNDS / 3);
}, 60_000);
