/** Finds a tracked file that the commands of a script overwrite by a copy or a move. */
import {baseName} from "../../shell/program.ts";
import {splitShell} from "../../shell/split.ts";
import {inside, type Project} from "../files/project.ts";
import {enter} from "./shell-values.ts";

/** The path of such a file; null if there is none, or if only a shell knows the folders. */
export function findOverwritten(project: Project, cwd: string, lines: readonly string[]): string | null {
  let folder: string | null = cwd;
  for (const {words} of lines.flatMap((line) => splitShell(line) ?? [])) {
    const [program = "", ...rest] = words;
    const operands = rest.filter((word) => !word.startsWith("-"));
    if (program === "cd") folder = enter(folder, operands[0] ?? "");
    const target = operands.at(-1);
    if (!/^(cp|mv)$/.test(program) || operands.length < 2 || target === undefined) continue;
    const place = enter(folder, target);
    if (place === null) continue;
    if (project.has(place)) return place;
    const names = operands.slice(0, -1).map((source) => inside(place, baseName(source)));
    const files = project.below(place);
    const overwritten = files.find((file) => names.some((name) => matches(name, file)));
    if (overwritten !== undefined) return overwritten;
  }
  return null;
}

/** `*` at the end of a name matches any ending. */
const matches = (name: string, file: string): boolean =>
  name.endsWith("*") ? file.startsWith(name.slice(0, -1)) && !file.slice(name.length).includes("/") : file === name;
