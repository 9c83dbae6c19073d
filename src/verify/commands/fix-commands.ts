/** Which command mends what a checking command complains about, as data: the fixing twins of formatters and linters. */
import {quoteWords} from "../../shell/quote.ts";

interface Twin {
  /** the name and what makes it a check, within one part of a command line; `tool` is what stays of it */
  readonly check: RegExp;
  /** what follows the tool's name instead */
  readonly fix: string;
  /** files that it may be given; null where it takes none and works on all */
  readonly files: RegExp | null;
}

const SCRIPT = /\.(?:[cm]?[jt]sx?|vue|svelte|astro)$/;
const PYTHON = /\.pyi?$/;
const RUBY = /(?:\.(?:rb|rake|gemspec)|(?:^|\/)(?:Gemfile|Rakefile))$/;

// From the tools' own manuals. Only what they call safe: rubocop -a and not -A, ruff without --unsafe-fixes.
const TWINS: readonly Twin[] = [
  {check: /(?<tool>prettier)\b.* (?:--check|-c|--list-different|-l)\b/, fix: "--write --ignore-unknown", files: /./},
  {check: /(?<tool>eslint|oxlint|standard|xo)(?!.* --fix)(?: |$)/, fix: "--fix", files: SCRIPT},
  {check: /(?<tool>stylelint)(?!.* --fix)(?: |$)/, fix: "--fix", files: /\.(?:css|s[ac]ss|less)$/},
  {check: /(?<tool>biome) (?:ci|check)(?!.* --write)\b/, fix: "check --write --no-errors-on-unmatched", files: /./},
  {check: /(?<tool>biome) lint(?!.* --write)\b/, fix: "lint --write --no-errors-on-unmatched", files: /./},
  {check: /(?<tool>biome) format(?!.* --write)\b/, fix: "format --write --no-errors-on-unmatched", files: /./},
  {check: /(?<tool>ruff) format\b.* --(?:check|diff)\b/, fix: "format", files: PYTHON},
  {check: /(?<tool>ruff)(?: check)?(?!.* --fix)(?= |$)(?! format)/, fix: "check --fix", files: PYTHON},
  {check: /(?<tool>black)\b.* --(?:check|diff)\b/, fix: "", files: PYTHON},
  {check: /(?<tool>isort)\b.* (?:--check(?:-only)?|-c|--diff)\b/, fix: "", files: PYTHON},
  {check: /(?<tool>cargo) fmt\b.* --check\b/, fix: "fmt --all", files: null},
  {check: /(?<tool>gofmt|gofumpt|goimports) (?:-\w+ )*-[ld]\b/, fix: "-w", files: /\.go$/},
  {check: /(?<tool>golangci-lint) run(?!.* --fix)\b/, fix: "run --fix", files: null},
  {check: /(?<tool>rubocop)(?!.* -[aA]\b)(?: |$)/, fix: "-a", files: RUBY},
  {check: /(?<tool>standardrb)(?!.* --fix)(?: |$)/, fix: "--fix", files: RUBY},
  {check: /(?<tool>mix) format\b.* --check-formatted\b/, fix: "format", files: /\.exs?$/},
  {check: /(?<tool>deno) fmt\b.* --check\b/, fix: "fmt", files: /\.(?:[cm]?[jt]sx?|jsonc?|md)$/},
  {check: /(?<tool>dart) format\b.* --set-exit-if-changed\b/, fix: "format", files: /\.dart$/},
  {check: /(?<tool>dotnet) format\b.* --verify-no-changes\b/, fix: "format --include", files: /\.(?:cs|vb|fs)$/},
  {check: /(?<tool>terraform|tofu) fmt\b.* -check\b/, fix: "fmt", files: /\.(?:tf|tfvars)$/},
  {check: /(?<tool>swiftformat)\b.* --lint\b/, fix: "", files: /\.swift$/},
  {check: /(?<tool>shfmt)\b.* -[dl]\b/, fix: "-w", files: /\.(?:sh|bash)$/},
  {check: /(?<tool>clang-format)\b.* (?:--dry-run|-n)\b/, fix: "-i", files: /\.(?:c|cc|cpp|cxx|h|hh|hpp|m|mm)$/},
  {check: /(?<tool>pint)\b.* --test\b/, fix: "", files: /\.php$/},
];

/** How a tool is called: through these, by a path, or plainly. What else stands before its name makes it another command. */
const CALLED =
  /^(?:test -z "?\$\()?(?:(?:npx|bunx|(?:pnpm|npm|yarn|composer) exec|pnpm|yarn|(?:uv|poetry|pdm|hatch|pipenv) run|bundle exec|python3? -m|--no-install|--|[A-Z_]+=[\w./-]*) )*(?:[\w.-]*\/)*$/;
const SUBSTITUTED = /^test -z "?\$\(/;
const SETTINGS = / --config(?:-path|-file)?[= ][\w./@-]+/g;

/** More paths than this make no command line. */
const MOST_FILES = 300;

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
  if (files.length > MOST_FILES) return [];
  return command.split(/\s*(?:&&|;)\s*/).flatMap((part) => {
    for (const {check, fix, files: takes} of TWINS) {
      const found = check.exec(part);
      const tool = found?.groups?.["tool"];
      if (found === null || tool === undefined || !CALLED.test(part.slice(0, found.index))) continue;
      const fitting = takes === null ? [] : files.filter((file) => takes.test(file));
      if (takes !== null && fitting.length === 0) return [];
      const called = part.slice(0, found.index).replace(SUBSTITUTED, "");
      const settings = part.match(SETTINGS)?.join("") ?? "";
      const paths = fitting.map((file) => quoteWords(`./${file}`));
      return [[`${called}${tool}`, fix, settings.trim(), ...paths].filter(Boolean).join(" ")];
    }
    return [];
  });
}
