/** Which command fixes what a checking command complains about: formatters and linters that have both. */
import {quoteWords} from "../../shell/quote.ts";
import {TOOLS} from "../../tools/all.ts";

const FIXES = TOOLS.flatMap(({fixes = []}) => fixes);

/** What may precede a tool's name: a runner such as `npx`, variables, or a path. Any other prefix makes it another command. */
const CALLED =
  /^(?:test -z "?\$\()?(?:(?:npx|bunx|(?:pnpm|npm|yarn|composer) exec|pnpm|yarn|(?:uv|poetry|pdm|hatch|pipenv) run|bundle exec|python3? -m|--no-install|--|[A-Z_]+=[\w./-]*) )*(?:[\w.-]*\/)*$/;
const SUBSTITUTED = /^test -z "?\$\(/;
const SETTINGS = / --config(?:-path|-file)?[= ][\w./@-]+/g;

/** More paths than this make no command line. */
const MAX_FILES = 300;

/** A package manager's name for a script of package.json; what follows the name is passed on and not looked at. */
const RUNS_SCRIPT = /^(?:(?:npm|pnpm|yarn|bun) (?:run|run-script) (?:-s |--silent )?|(?:pnpm|yarn) )([\w:.-]+)$/;

/** The script of package.json that the command is another name for; null where it is none. */
export function scriptOf(command: string): string | null {
  return RUNS_SCRIPT.exec(command.trim())?.[1] ?? null;
}

/**
 * Takes a checking command and the changed files, relative to its working folder; gives the commands that mend those files,
 * in order. Empty: nothing in the command has a twin, or none for these files.
 */
export function fixCommands(command: string, files: readonly string[]): string[] {
  if (files.length > MAX_FILES) return [];
  return command.split(/\s*(?:&&|;)\s*/).flatMap((part) => {
    for (const {check, fix, files: takes} of FIXES) {
      const checkMatch = check.exec(part);
      const tool = checkMatch?.groups?.["tool"];
      if (checkMatch === null || tool === undefined || !CALLED.test(part.slice(0, checkMatch.index))) continue;
      const fitting = takes === null ? [] : files.filter((file) => takes.test(file));
      if (takes !== null && fitting.length === 0) return [];
      const called = part.slice(0, checkMatch.index).replace(SUBSTITUTED, "");
      const settings = part.match(SETTINGS)?.join("") ?? "";
      const paths = fitting.map((file) => quoteWords(`./${file}`));
      return [[`${called}${tool}`, fix, settings.trim(), ...paths].filter(Boolean).join(" ")];
    }
    return [];
  });
}
