/** Weighs every line of a log: what it says itself, what stands around it, and where in the log it stands. */
import {pointsOf} from "./generic.ts";
import type {Line} from "./lines.ts";
import type {Problem} from "./problems.ts";

export function worthOf(lines: readonly Line[], problems: readonly Problem[]): Float64Array {
  const own = Float64Array.from(lines, pointsOf);
  for (const {diagnostic, from, to, key} of problems) {
    const base = diagnostic.severity === "error" ? 12 : 5;
    for (let at = from; at <= to; at++) own[at] = Math.max(own[at] ?? 0, base * 0.6);
    for (const at of key) own[at] = base;
  }
  return spread(lines, own);
}

function spread(lines: readonly Line[], own: Float64Array): Float64Array {
  const worth = Float64Array.from(own);
  let carry = 0;
  for (let at = 0; at < lines.length; at++) {
    carry = Math.max(own[at] ?? 0, carry * (lines[at]?.body.trim() === "" ? 0.75 : 0.88));
    worth[at] = Math.max(worth[at] ?? 0, carry);
  }
  carry = 0;
  for (let at = lines.length - 1; at >= 0; at--) {
    carry = Math.max(own[at] ?? 0, carry * 0.7);
    worth[at] = Math.max(worth[at] ?? 0, carry);
  }
  return worth.map((value, at) => value + (2 * at) / lines.length);
}
