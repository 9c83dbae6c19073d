/** Weighs every line of a log: what it says itself, what stands around it, and where in the log it stands. */
import {isChatter, pointsOf} from "./generic.ts";
import type {Line} from "./lines.ts";
import type {Problem} from "./problems.ts";
import {findSections} from "./sections.ts";

export const W = {
  error: 12,
  block: 8,
  warning: 5,
  warningAlone: 10,
  outside: 0.3,
  near: 8,
  reach: 40,
  endNear: 6,
  endReach: 40,
  after: 0.94,
  afterBlank: 0.8,
  before: 0.7,
  beforeBlank: 0.4,
  slope: 0,
  rare: 0.5,
  rareFrom: 3,
  floor: 0.3,
};

export function worthOf(lines: readonly Line[], problems: readonly Problem[]): Float64Array {
  const own = ownPoints(lines);
  const anyError = problems.some(({diagnostic}) => diagnostic.severity === "error");
  for (const {diagnostic, from, to, key, isBlock} of problems) {
    const base = diagnostic.severity === "error" ? W.error : anyError ? W.warning : W.warningAlone;
    if (isBlock) for (let at = from; at <= to; at++) own[at] = Math.max(own[at] ?? 0, (base * W.block) / W.error);
    for (const at of key) own[at] = base;
  }
  const worth = spread(lines, own);
  place(lines, worth);
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

function spread(lines: readonly Line[], own: Float64Array): Float64Array {
  const worth = Float64Array.from(own);
  let carry = 0;
  for (let at = 0; at < lines.length; at++) {
    carry = Math.max(own[at] ?? 0, carry * (lines[at]?.body.trim() === "" ? W.afterBlank : W.after));
    worth[at] = Math.max(worth[at] ?? 0, carry);
  }
  carry = 0;
  for (let at = lines.length - 1; at >= 0; at--) {
    carry = Math.max(own[at] ?? 0, carry * (lines[at]?.body.trim() === "" ? W.beforeBlank : W.before));
    worth[at] = Math.max(worth[at] ?? 0, carry);
  }
  return worth;
}

function place(lines: readonly Line[], worth: Float64Array): void {
  const sections = findSections(lines);
  const failed = sections.some((section) => section.failed);
  if (!failed) {
    near({lines, worth, from: 0, to: lines.length - 1, points: W.endNear, reach: W.endReach});
    return;
  }
  for (const section of sections) {
    if (section.failed) near({lines, worth, from: section.from, to: section.to, points: W.near, reach: W.reach});
    else for (let at = section.from; at <= section.to; at++) worth[at] = (worth[at] ?? 0) * W.outside;
  }
}

/** Lines shortly before the end of a failed step matter even when they use no word of failure. */
function near(o: {
  lines: readonly Line[];
  worth: Float64Array;
  from: number;
  to: number;
  points: number;
  reach: number;
}): void {
  for (let at = o.to; at >= o.from; at--) {
    const line = o.lines[at];
    if (line === undefined || line.body.trim() === "") continue;
    const gain = o.points * Math.exp(-(o.to - at) / o.reach) * (isChatter(line) ? W.floor : 1);
    o.worth[at] = (o.worth[at] ?? 0) + gain;
  }
}
