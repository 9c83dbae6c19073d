/** Variables of tools whose many short runs start faster with other options, such as those of a virtual machine. */
import {TOOLS} from "../../tools/all.ts";

const SHORT_RUNS = TOOLS.flatMap(({shortRuns}) => shortRuns ?? []);

/** The variables with these options behind their own ones. */
export function withShortRuns(variables: Readonly<Record<string, string>>): Record<string, string> {
  const added = SHORT_RUNS.map(({variable, options}) => [variable, `${variables[variable] ?? ""} ${options}`.trim()]);
  return {...variables, ...Object.fromEntries(added)};
}
