/** Writes a shell's completion script from the commands that the command line reads. */
import type {Command, Option} from "commander";
import type {CompletedShell} from "./shells.ts";

interface CommandWords {
  readonly name: string;
  readonly description: string;
  readonly options: readonly OptionWords[];
  /** the values of its argument; empty for files or no argument */
  readonly values: readonly string[];
  readonly takesFiles: boolean;
}

interface OptionWords {
  readonly name: string;
  readonly description: string;
  readonly takesValue: boolean;
  /** the allowed values; empty for any value */
  readonly values: readonly string[];
  readonly takesFile: boolean;
  readonly isRepeatable: boolean;
}

export function completionScript(shell: CompletedShell, program: Command): string {
  const commands = program.commands.map(wordsOf);
  const lines = {bash: bashLines, zsh: zshLines, fish: fishLines}[shell](commands);
  return `${lines.join("\n")}\n`;
}

function wordsOf(command: Command): CommandWords {
  const [argument] = command.registeredArguments;
  const values = argument?.argChoices ?? [];
  return {
    name: command.name(),
    description: command.description(),
    options: [...command.options.map(optionWords), {...HELP, description: `show the options of ${command.name()}`}],
    values,
    takesFiles: argument !== undefined && values.length === 0,
  };
}

function optionWords({long, flags, description, required, argChoices, variadic, defaultValue}: Option): OptionWords {
  return {
    name: long ?? flags,
    description,
    takesValue: required,
    values: argChoices ?? [],
    takesFile: /<(?:file|path)/.test(flags),
    isRepeatable: variadic || Array.isArray(defaultValue),
  };
}

const HELP: OptionWords = {
  ...{name: "--help", description: "", takesValue: false, values: [], takesFile: false, isRepeatable: false},
};

const words = (names: readonly string[]): string => `"${names.join(" ")}"`;

/** An empty list of words means file names (`-o default`). Bash splits `--option=value` at the sign. */
function bashLines(commands: readonly CommandWords[]): string[] {
  const values = commands.flatMap(({name, options}) =>
    options
      .filter(({takesValue}) => takesValue)
      .map((option) => `    "${name} ${option.name}") words=${words(option.values)} ;;`),
  );
  const perCommand = commands.map(({name, options, values: own}) => {
    const names = options.map((option) => option.name);
    return `    "${name} "*) if [[ $current == -* ]]; then words=${words(names)}; else words=${words(own)}; fi ;;`;
  });
  return [
    "_assay() {",
    '  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} words=""',
    '  if [[ $current == "=" ]]; then current=""',
    '  elif [[ $previous == "=" ]]; then previous=${COMP_WORDS[COMP_CWORD-2]}; fi',
    "  case $COMP_CWORD in",
    `  1) words=${words([...commands.map(({name}) => name), "--help", "--version"])} ;;`,
    "  *)",
    '    case "${COMP_WORDS[1]} $previous" in',
    ...values,
    ...perCommand,
    "    esac ;;",
    "  esac",
    '  COMPREPLY=($(compgen -W "$words" -- "$current"))',
    "}",
    "complete -o default -F _assay assay",
  ];
}

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

function zshLines(commands: readonly CommandWords[]): string[] {
  const described = commands.map(({name, description}) => quote(`${name}:${description.replaceAll(":", "\\:")}`));
  const perCommand = commands.map(({name, options, values, takesFiles}) => {
    const argument =
      values.length > 0 ? [quote(`:value:(${values.join(" ")})`)] : takesFiles ? ["'*:path:_files'"] : [];
    return `    ${name}) _arguments ${[...options.map(zshOption), ...argument].join(" ")} ;;`;
  });
  return [
    "#compdef assay",
    "_assay() {",
    "  if (( CURRENT == 2 )); then",
    `    local -a commands=(${described.join(" ")})`,
    "    _describe command commands",
    "    return",
    "  fi",
    "  shift words",
    "  (( CURRENT-- ))",
    "  case $words[1] in",
    ...perCommand,
    "  esac",
    "}",
    // The file may be in $fpath, or be read by `source`.
    'if [[ $funcstack[1] == _assay ]]; then _assay "$@"; else compdef _assay assay; fi',
  ];
}

function zshOption({name, description, takesValue, values, takesFile, isRepeatable}: OptionWords): string {
  const about = `[${description.replace(/[[\]\\]/g, "\\$&")}]`;
  const action = values.length > 0 ? `(${values.join(" ")})` : takesFile ? "_files" : " ";
  return quote(
    `${isRepeatable ? "*" : ""}${name}${takesValue ? "=" : ""}${about}${takesValue ? `:value:${action}` : ""}`,
  );
}

function fishLines(commands: readonly CommandWords[]): string[] {
  const isFirst = "__fish_use_subcommand";
  return [
    `complete -c assay -f -n ${isFirst}`,
    ...commands.flatMap(({name, description, options, values, takesFiles}) => {
      const start = `complete -c assay -n ${quote(`__fish_seen_subcommand_from ${name}`)}`;
      const argument = values.length > 0 ? ` -a ${quote(values.join(" "))}` : "";
      return [
        `complete -c assay -f -n ${isFirst} -a ${name} -d ${fishQuote(description)}`,
        ...(takesFiles ? [] : [`${start} -f${argument}`]),
        ...options.map((option) => `${start} ${fishOption(option)}`),
      ];
    }),
  ];
}

function fishOption({name, description, takesValue, values, takesFile}: OptionWords): string {
  const kind = !takesValue
    ? ""
    : takesFile
      ? " -rF"
      : ` -x${values.length > 0 ? ` -a ${quote(values.join(" "))}` : ""}`;
  return `-l ${name.slice(2)}${kind} -d ${fishQuote(description)}`;
}

/** In fish's quotes a backslash escapes a quote. */
const fishQuote = (text: string): string => `'${text.replace(/['\\]/g, "\\$&")}'`;
