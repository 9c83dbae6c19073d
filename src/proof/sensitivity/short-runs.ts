/** Variables of tools whose many short runs start faster with other options, such as those of a virtual machine. */
import {SHORT_RUNS} from "../../tools/maven.ts";

/** The variables with these options behind their own ones. */
export function withShortRuns(variables: Readonly<Record<string, string>>): Record<string, string> {
  const {variable, options} = SHORT_RUNS;
  return {...variables, [variable]: `${variables[variable] ?? ""} ${options}`.trim()};
}
