/** The shape in which a tool's way of reporting is written down: data that `problems.ts` runs over a log. */
import type {IProblemMatcherJson} from "@rushstack/problem-matcher";
import type {Diagnostic} from "../../record.ts";

/** A failure that a tool prints over several lines, described by how it starts, how it ends and what stands inside. */
export interface Block {
  readonly start: RegExp;
  /** the first line that is no longer part of the block */
  readonly end: RegExp;
  readonly maxLines: number;
  /** tried on every line of the block; a named group fills its field unless an earlier match did */
  readonly inside: readonly RegExp[];
  readonly severity?: Diagnostic["severity"];
}

/** How one tool, or a family that prints alike, reports. */
export interface ToolRules {
  readonly tool: string;
  /** strings of which at least one stands in every output of the tool; none: the rules are always tried */
  readonly signs: readonly string[];
  readonly lines?: readonly Omit<IProblemMatcherJson, "name">[];
  readonly blocks?: readonly Block[];
}
