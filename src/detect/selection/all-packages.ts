/** Recognizes commands that start one script in every package of a workspace. */
import {COMMANDS} from "../../tools/all-commands.ts";
import {toolOf} from "../../tools/command-name.ts";
import type {CandidateStage} from "../proposals/ecosystem.ts";

const STARTS_IN_ALL = COMMANDS.flatMap(({startsInAll = []}) => startsInAll);
/** What selects some of the packages. */
const SELECTS_PACKAGES = / (?:--filter|-F|--scope|--ignore|--exclude|--projects|-p|--from|--since)[= ]/;
/** The option of a package manager for all packages, next to the script that it starts in them. */
const IN_ALL = /^(?:npm|pnpm|yarn|bun)(?= ).* (?:-r|--recursive|-ws|--workspaces|foreach)(?= |$)/;

/** The script that a line starts in every package that has it; null for another line. */
export function scriptInAll(line: string): string | null {
  if (SELECTS_PACKAGES.test(line) || /[|;&]| -- /.test(line)) return null;
  if (IN_ALL.test(line)) return scriptOf(line);
  return STARTS_IN_ALL.map((pattern) => pattern.exec(line)?.[1]).find((name) => name !== undefined) ?? null;
}

/** The script that a package manager starts; null for another line. */
export const scriptOf = (line: string): string | null => /^script (\S+)$/.exec(toolOf(line.split(" ")))?.[1] ?? null;

/** True if another candidate starts the same script in every package, such as `turbo run test` next to `pnpm -r test`. */
export function startsSameInAll({command}: CandidateStage, others: readonly CandidateStage[]): boolean {
  const script = scriptInAll(command);
  const lines = others.flatMap((other) => [other.command, ...(other.runs ?? [])]);
  return script !== null && lines.some((line) => scriptInAll(line) === script);
}
