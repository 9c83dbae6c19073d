/** Derives the command that fixes the problems of a checking command, for formatters and linters that have both. */
import {isOfKind} from "../../git/paths.ts";
import {quoteWords} from "../../shell/quote.ts";
import {TOOLS} from "../../tools/all.ts";
import {isOptionIn} from "../../tools/names.ts";
import type {FixRule} from "../../tools/tool.ts";

const FIXES = TOOLS.flatMap(({fixes = []}) => fixes);

/**
 * The possible text before a tool's name: a runner such as `npx`, variables, or a path. Any other prefix makes it
 * another command.
 */
const CALL_PREFIX =
  /^(?:test -z "?\$\()?(?:(?:npx|bunx|(?:pnpm|npm|yarn|composer) exec|pnpm|yarn|(?:uv|poetry|pdm|hatch|pipenv) run|bundle exec|python3? -m|--no-install|--|[A-Z_]+=[\w./-]*) )*(?:[\w.-]*\/)*$/;
const SUBSTITUTED = /^test -z "?\$\(/;
const SETTINGS = / --config(?:-path|-file)?[= ][\w./@-]+/g;

/** More paths do not fit into a command line. */
const MAX_FILES = 300;

/** A package manager's call of a package.json script. The words after the script's name are passed on unread. */
const RUNS_SCRIPT = /^(?:(?:npm|pnpm|yarn|bun) (?:run|run-script) (?:-s |--silent )?|(?:pnpm|yarn) )([\w:.-]+)$/;

/** The name of the package.json script that the command runs; null if it runs none. */
export function scriptOf(command: string): string | null {
  return RUNS_SCRIPT.exec(command.trim())?.[1] ?? null;
}

/**
 * The commands that fix the changed `files`, in order. The files are relative to the command's working folder. Empty if
 * the checking command has no fix command, or none for these files.
 */
export function fixCommands(command: string, files: readonly string[]): string[] {
  if (files.length > MAX_FILES) return [];
  return command.split(/\s*(?:&&|;)\s*/).flatMap((part) => {
    for (const {fix, files: takes, ...check} of FIXES) {
      const call = startOf(part, check);
      if (call === null) continue;
      const acceptedFiles = takes === null ? [] : files.filter((file) => isOfKind(file, takes));
      if (takes !== null && acceptedFiles.length === 0) return [];
      const settings = part.match(SETTINGS)?.join("") ?? "";
      const paths = acceptedFiles.map((file) => quoteWords(`./${file}`));
      return [[call.replace(SUBSTITUTED, ""), fix, settings.trim(), ...paths].filter(Boolean).join(" ")];
    }
    return [];
  });
}

/** The text up to the program's name, if this part of a line calls the check. */
function startOf(part: string, check: Pick<FixRule, "commands" | "with" | "without">): string | null {
  // `npx prettier@3` calls prettier.
  const words = part.split(/\s+/).map((word) => word.split("@")[0] ?? "");
  const has = (options: readonly string[]) => words.some((word) => isOptionIn(options, word));
  if ((check.with !== undefined && !has(check.with)) || (check.without !== undefined && has(check.without)))
    return null;
  for (const [program = "", subcommand] of check.commands.map((command) => command.split(" "))) {
    const at = words.findIndex((word) => word.endsWith(program));
    const start = words.slice(0, at + 1).join(" ");
    if (at < 0 || !CALL_PREFIX.test(start.slice(0, -program.length))) continue;
    if (subcommand === undefined || words[at + 1] === subcommand) return start;
  }
  return null;
}
