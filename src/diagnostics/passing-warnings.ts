/** Warnings that never make their tool fail: next to an error they explain nothing. */
import type {Diagnostic} from "../record/evidence.ts";
import {TOOLS} from "../tools/all.ts";

const WARNINGS_PASS = new Set(TOOLS.flatMap(({name, output}) => (output?.warningsPass === true ? [name] : [])));

export const isPassingWarning = ({tool, severity}: Pick<Diagnostic, "tool" | "severity">): boolean =>
  severity !== "error" && WARNINGS_PASS.has(tool);
