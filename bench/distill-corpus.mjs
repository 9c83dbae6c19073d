/**
 * How much of what a reader needs is in the excerpts? `npm run bench -- distill --corpus FOLDER [--split NAME] [--verbose]` reads the folder's
 * `index.jsonl`, one JSON object a line: {file, source, split, repo?, kind?, truth: {error: [[first line, last line], …]}}.
 */
import {readFileSync} from "node:fs";
import {join} from "node:path";
import {gunzipSync} from "node:zlib";
import {distill} from "../src/diagnostics/distill.ts";

const SIZES = [1_000, 2_000, 4_000];
const FULL = 4_000;
const FOLDS = 5;
/** Shorter lines are not counted: brackets and rules are in every excerpt. */
const SHORTEST_LINE = 4;

/** Escape sequences, the time stamps of CI services, and the width of blanks say nothing. */
const squeeze = (text) =>
  text
    .replace(/\u001b\[[0-9;?]*[ -/]*[@-~]|\u001b\][^\u0007]*\u0007|\u001b[=>()][AB0]?/g, "")
    .replace(/^\uFEFF?\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z ?/gm, "")
    .replace(/\s+/g, " ")
    .trim();

/** The logs of a corpus, with the lines that a person marked. */
export function readCorpus(folder, split) {
  const rows = readFileSync(join(folder, "index.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  return rows
    .filter((row) => split === undefined || row.split === split)
    .map((row) => {
      const bytes = readFileSync(join(folder, row.file));
      const log = (row.file.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
      const lines = log.split(/\r\n|\r|\n/);
      const ranges = row.truth?.error ?? [];
      const marked = ranges
        .flatMap(([from, to]) => lines.slice(from - 1, to))
        .map(squeeze)
        .filter((line) => line.length >= SHORTEST_LINE);
      return {name: row.id ?? row.file, log, marked, source: row.source, repo: row.repo ?? repoOf(row), kind: row.kind};
    });
}

/** Logs of one project are named after it. */
const repoOf = (row) => row.file.replace(/^.*\//, "").replace(/(?:_run|__|_)\d+\.log.*$/, "");

/**
 * The share of the marked lines that the best choice of whole lines could show: a knapsack, filled with the truth in hand. Equal lines
 * are shown once. Marks of left-out lines take no room here, so no choice reaches more.
 */
export function boundOf(marked, maxChars) {
  if (marked.length === 0) return 1;
  const times = new Map();
  for (const line of marked) times.set(line, (times.get(line) ?? 0) + 1);
  const best = new Float64Array(maxChars + 2);
  for (const [line, count] of times) {
    const cost = line.length + 1;
    // One more than the room: the last line needs no line break.
    for (let room = maxChars + 1; room >= cost; room--) best[room] = Math.max(best[room], best[room - cost] + count);
  }
  return best[maxChars + 1] / marked.length;
}

function scoreOf(entry, maxChars) {
  const {excerpt, kind} = distill({log: entry.log, maxChars});
  const flat = squeeze(excerpt);
  const shown = entry.marked.filter((line) => flat.includes(line));
  const chars = [...new Set(shown)].reduce((sum, line) => sum + line.length + 1, 0);
  return {
    kind,
    recall: entry.marked.length === 0 ? 1 : shown.length / entry.marked.length,
    density: Math.min(1, chars / Math.max(1, excerpt.length)),
    bound: boundOf(entry.marked, maxChars),
    chars: excerpt.length,
  };
}

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
const shareOf = (scores) => mean(scores.map((s) => s.recall)) / mean(scores.map((s) => s.bound));
const percent = (value) => `${(100 * value).toFixed(1)} %`;

/**
 * Each repository's logs are in one fold, largest repositories first, so that the folds are about equal.
 * @param {any[]} entries
 */
function foldsOf(entries) {
  const byRepo = Map.groupBy(entries, ({repo}) => repo);
  const folds = Array.from({length: FOLDS}, () => /** @type {any[]} */ ([]));
  for (const [, logs] of [...byRepo].sort((a, b) => b[1].length - a[1].length || (a[0] < b[0] ? -1 : 1)))
    folds.reduce((least, fold) => (fold.length < least.length ? fold : least)).push(...logs);
  return folds;
}

/** Scores every log of a corpus at each size, and prints the logs whose excerpts miss most. */
export function measureCorpus({folder, split, verbose}) {
  const entries = readCorpus(folder, split);
  const sources = [];
  for (const [source, logs] of Map.groupBy(
    entries.filter(({marked}) => marked.length > 0),
    (entry) => entry.source,
  )) {
    const sizes = SIZES.map((size) => {
      const scores = new Map(logs.map((entry) => [entry, scoreOf(entry, size)]));
      const all = [...scores.values()];
      if (verbose && size === FULL)
        for (const [{name}, {recall, bound}] of scores)
          if (recall < bound - 0.005) console.log(`${name}: ${percent(recall)} of ${percent(bound)}`);
      const folds = foldsOf(logs).map((fold) => shareOf(fold.map((entry) => scores.get(entry))));
      return {
        size,
        recall: mean(all.map((s) => s.recall)),
        whole: mean(all.map((s) => (s.recall === 1 ? 1 : 0))),
        bound: mean(all.map((s) => s.bound)),
        share: shareOf(all),
        density: mean(all.map((s) => s.density)),
        chars: mean(all.map((s) => s.chars)),
        worstFold: Math.min(...folds),
      };
    });
    for (const s of sizes)
      console.log(
        `${source} ${logs.length} logs, ${s.size} characters: recall ${percent(s.recall)}, whole ${percent(s.whole)}, ` +
          `${s.share.toFixed(3)} of the bound ${percent(s.bound)}, worst fold ${s.worstFold.toFixed(3)}, ` +
          `density ${percent(s.density)}, ${Math.round(s.chars)} characters used`,
      );
    sources.push({source, logs: logs.length, sizes});
  }
  const kinds = entries.filter(({kind}) => kind !== undefined);
  const wrongKinds = kinds.flatMap((entry) => {
    const {kind} = distill({log: entry.log, maxChars: FULL});
    return kind === entry.kind ? [] : [`${entry.name}: ${kind}, not ${entry.kind}`];
  });
  if (kinds.length > 0) console.log(`kinds: ${kinds.length - wrongKinds.length} of ${kinds.length} right`);
  for (const wrong of wrongKinds) console.log(`kind of ${wrong}`);
  return {sources, kinds: kinds.length, wrongKinds};
}

/** What must hold for each source, as the amounts that are missing. */
export function corpusBounds({sources, wrongKinds}) {
  const missing = sources.flatMap(({source, sizes}) => {
    const [, half, full] = sizes;
    return [
      {what: `${source}: missing of the bound`, value: 1 - full.share, bound: 0.03, unit: ""},
      {what: `${source}: missing of the bound, worst fold`, value: 1 - full.worstFold, bound: 0.05, unit: ""},
      {what: `${source}: missing of the bound of 2,000 characters`, value: 1 - half.share, bound: 0.12, unit: ""},
    ];
  });
  return [...missing, {what: "wrong kinds", value: wrongKinds.length, bound: 0, unit: ""}];
}
