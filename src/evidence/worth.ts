/** Weighs every line of a log: what it says itself, what stands around it, and where in the log it stands. */
import {isChatter, pointsOf} from "./generic.ts";
import type {Line} from "./lines.ts";
import type {Problem} from "./problems.ts";
import {findSections} from "./sections.ts";

export const W = {"error":12,"block":14,"blockFade":0.995,"warning":5,"warningAlone":10,"itemSeed":0.8,"outside":0.3,"near":8.5,"reach":80,"endNear":6,"endReach":40,"secSlope":0.4,"after":0.94,"afterBlank":0.8,"afterDeeper":0.968,"before":0.62,"beforeBlank":0.4,"slope":0.2,"rare":0.16,"rareFrom":5,"floor":0.26,"sameSum":1,"long":0.25,"blockNext":0.93,"itemNext":0.985,"located":8,"trace":10,"often":0.25,"seedNext":0.985};

/** Traces that belong to no failed test may well be what a passing test prints. */
const TRACES = new Set(["java", "python", "node"]);

export function worthOf(lines: readonly Line[], problems: readonly Problem[]): Float64Array {
  const own = ownPoints(lines);
  const seed = Float64Array.from(own);
  const anyError = problems.some(({diagnostic}) => diagnostic.severity === "error" && diagnostic.tool !== "unknown");
  const counts = new Map<string, number>();
  for (const {diagnostic, from, to, key, isBlock} of problems) {
    const sort = `${diagnostic.tool} ${isBlock} ${diagnostic.severity}`;
    const before = counts.get(sort) ?? 0;
    counts.set(sort, before + 1);
    const full = diagnostic.tool === "unknown" ? W.located : TRACES.has(diagnostic.tool) ? W.trace : diagnostic.severity === "error" ? W.error : anyError ? W.warning : W.warningAlone;
    const base = full * (isBlock ? W.blockNext : W.itemNext) ** before;
    if (isBlock) for (let at = from; at <= to; at++) {own[at] = Math.max(own[at] ?? 0, (base * W.block / W.error) * W.blockFade ** (at - from));seed[at] = 0;}
    for (const at of key) {own[at] = Math.max(base, own[at] ?? 0); seed[at] = base * W.itemSeed;}
  }
  const worth = spread(lines, own, seed);
  place(lines, worth);
  const times = new Map<string, number>();
  for (let at = 0; at < lines.length; at++) if ((worth[at] ?? 0) > 6) {const t = (lines[at]?.text ?? "").trim(); times.set(t, (times.get(t) ?? 0) + 1);}
  for (let at = 0; at < lines.length; at++) {
    if ((worth[at] ?? 0) > 6) worth[at] = (worth[at] ?? 0) * (times.get((lines[at]?.text ?? "").trim()) ?? 1) ** W.often;
    const n = lines[at]?.text.length ?? 0;
    if (n > 160) worth[at] = (worth[at] ?? 0) * (160 / n) ** W.long;
  }
  return worth;
}

function shapeOf(body: string): string {
  return body.replace(/\d+/g, "0").slice(0, 48);
}

function ownPoints(lines: readonly Line[]): Float64Array {
  const seen = new Map<string, number>();
  const points = Float64Array.from(lines, pointsOf);
  const shapes = lines.map((line, at) => {
    if ((points[at] ?? 0) === 0) return "";
    const shape = shapeOf(line.body);
    seen.set(shape, (seen.get(shape) ?? 0) + 1);
    return shape;
  });
  shapes.forEach((shape, at) => {
    const times = seen.get(shape) ?? 0;
    if (shape !== "" && times > W.rareFrom) points[at] = (points[at] ?? 0) * (W.rareFrom / times) ** W.rare;
  });
  return points;
}

const indentOf = (body: string): number => body.length - body.trimStart().length;

function spread(lines: readonly Line[], own: Float64Array, seed: Float64Array): Float64Array {
  const worth = Float64Array.from(own);
  let carry = 0; let depth = 0; let strong = 0;
  for (let at = 0; at < lines.length; at++) {
    const body = lines[at]?.body ?? "";
    const blank = body.trim() === "";
    const fade = carry * (blank ? W.afterBlank : indentOf(body) > depth ? W.afterDeeper : W.after);
    const mine = (seed[at] ?? 0) * W.seedNext ** strong;
    if ((seed[at] ?? 0) >= 8) strong++;
    if (mine >= fade) { carry = mine; depth = indentOf(body); } else carry = fade;
    worth[at] = Math.max(worth[at] ?? 0, carry);
  }
  carry = 0;
  for (let at = lines.length - 1; at >= 0; at--) {
    carry = Math.max(seed[at] ?? 0, carry * (lines[at]?.body.trim() === "" ? W.beforeBlank : W.before));
    worth[at] = Math.max(worth[at] ?? 0, carry);
  }
  return worth;
}

function place(lines: readonly Line[], worth: Float64Array): void {
  const sections = findSections(lines);
  const failed = sections.some((section) => section.failed);
  if (!failed) {
    near({lines, worth, from: 0, to: lines.length - 1, points: W.endNear, reach: W.endReach, slope: W.slope});
    return;
  }
  for (const section of sections) {
    if (section.failed) near({lines, worth, from: section.from, to: section.to, points: W.near, reach: W.reach, slope: W.secSlope});
    else for (let at = section.from; at <= section.to; at++) worth[at] = (worth[at] ?? 0) * W.outside;
  }
}

/** Lines shortly before the end of a failed step matter even when they use no word of failure. */
function near(o: {lines: readonly Line[]; worth: Float64Array; from: number; to: number; points: number; reach: number; slope: number}): void {
  for (let at = o.to; at >= o.from; at--) {
    const line = o.lines[at];
    if (line === undefined) continue;
    const part = (at - o.from) / Math.max(1, o.to - o.from);
    const w = (o.worth[at] ?? 0) * (1 + o.slope * (part - 1));
    const gain = line.body.trim() === "" ? 0 : o.points * Math.exp(-(o.to - at) / o.reach) * (isChatter(line) ? W.floor : 1);
    o.worth[at] = Math.max(w, gain) + W.sameSum * Math.min(w, gain);
  }
}
