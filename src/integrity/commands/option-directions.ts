/** Says which direction of a command's option checks less. The options of no row are read as settings of the same name. */
import {OPTION_ROWS, type OptionRow} from "../../tools/weaker-options.ts";
import {type Direction, directionOf, wordsIn} from "../settings/directions.ts";

const rowOf = (tool: string, name: string): OptionRow | undefined => {
  const joined = name.length > 1 ? wordsIn(name).join("") : name;
  return OPTION_ROWS.find(
    ({of, names}) =>
      (of === null || tool.split(" ").some((word) => of.has(word))) && (names.has(joined) || names.has(name)),
  );
};

/** True for an option that belongs to few programs, and means the same in all of their commands. */
export const isOwnOption = (tool: string, name: string): boolean => rowOf(tool, name)?.of != null;

/** The direction of an option; null if nothing is known of it. */
export function optionDirection(tool: string, name: string): Direction | null {
  const known = rowOf(tool, name)?.weaker ?? null;
  return known === null && name.length > 1 ? (directionOf(name.replaceAll(".", " "))?.weaker ?? null) : known;
}
