/** Labels a setup that runs again: a changed manifest is installed on the base, and then on the candidate. */
import type {StageResult} from "../../record/evidence.ts";

/** Setup steps have no unique name. */
export const stageKey = ({name, command, cwd}: StageResult): string => JSON.stringify([name, command, cwd]);

export const repeatedName = (name: string): string => `${name} (change)`;

/** The function that names each setup after the first as the change's own. */
export function labelRepeats(): (result: StageResult) => StageResult {
  const seen = new Set<string>();
  return (result) => {
    const key = stageKey(result);
    if (seen.has(key)) return {...result, name: repeatedName(result.name)};
    seen.add(key);
    return result;
  };
}
