/** Reads the commands of task runners by the name of their task, as lines of a shell. */
import {parse as parseToml} from "smol-toml";
import {listOf, mapOf, textAt, textsOf, valueAt} from "../../detect/files/manifest-values.ts";
import {quoteWords} from "../../shell/quote.ts";
import {readSettings} from "../settings/read-settings.ts";
import {parseYaml} from "../source/yaml.ts";

type CommandsByTask = ReadonlyMap<string, string>;

/** The reader for a file; null if the file is read as a whole. */
export function taskReader(path: string): ((text: string) => CommandsByTask) | null {
  if (/(?:^|\/)tox\.ini$/.test(path)) return toxCommands;
  if (TOX_TABLES.test(path)) return toxTableCommands;
  if (/(?:^|\/)noxfile\.py$/.test(path)) return sessionCommands;
  return /(?:^|\/)[Tt]askfile(?:\.dist)?\.ya?ml$/.test(path) ? taskCommands : null;
}

/** Files with the settings of tox in TOML. */
export const TOX_TABLES = /(?:^|\/)(?:tox|pyproject)\.toml$/;

/** The table of tox in such a file (tox.wiki, "Configuration"). */
export const toxTable = (document: unknown): unknown =>
  valueAt(document, "tool", "tox") ?? (valueAt(document, "project") === undefined ? document : undefined);

function toxTableCommands(text: string): CommandsByTask {
  const document = parseToml(text);
  const table = toxTable(document);
  const legacy = textAt(table, "legacy_tox_ini");
  if (legacy !== null) return toxCommands(legacy);
  const environments = [["env_run_base", valueAt(table, "env_run_base")] as const, ...mapOf(valueAt(table, "env"))];
  const linesOf = (commands: unknown, depth = 0): string[] =>
    listOf(commands).flatMap((command) => {
      const other = textsOf(valueAt(command, "of"));
      if (other.length > 0 && depth < MAX_REFERENCES) return linesOf(valueAt(document, ...other), depth + 1);
      const line = commandLine(listOf(command));
      return line === "" ? [] : [line];
    });
  return new Map(
    environments.flatMap(([name, environment]) => {
      const commands = valueAt(environment, "commands");
      return commands === undefined ? [] : [[name, linesOf(commands).join("\n")] as const];
    }),
  );
}

const MAX_REFERENCES = 5;

/** A first word `-` ignores the exit code. Arguments from the command line stand for their default. */
function commandLine(items: readonly unknown[]): string {
  const words = items.flatMap((item) => (typeof item === "string" ? [item] : textsOf(valueAt(item, "default"))));
  const [first = "", ...others] = words;
  const isIgnored = first.startsWith("-");
  const command = [...(isIgnored ? [first.slice(1)] : [first]), ...others].filter((word) => word !== "");
  const line = command.map(quoteWords).join(" ");
  return isIgnored && !PREPARES.test(line) ? `${line} || true` : line;
}

/** Commands of tox whose failure says nothing about the code. */
export const PREPARES = /^(?:rm|mkdir|coverage erase|pip|docker)\b/;

function toxCommands(text: string): CommandsByTask {
  const commands = [...readSettings("tox.ini", text)].filter(([key]) => / commands$/.test(key));
  return new Map(commands.map(([key, lines]) => [key.replace(/ commands$/, ""), lines.join("\n")]));
}

/** `session.run("mypy", "src")` of each function. */
function sessionCommands(text: string): CommandsByTask {
  const functions = text.split(/^(?:async )?def /m).slice(1);
  return new Map(
    functions.map((body) => {
      const runs = [...body.matchAll(/\bsession\.run\(\s*([^)]*)/g)].map(([, words = ""]) =>
        [...words.matchAll(/["']([^"']*)["']/g)].map(([, word]) => word).join(" "),
      );
      return [/^\w+/.exec(body)?.[0] ?? "", runs.join("\n")];
    }),
  );
}

function taskCommands(text: string): CommandsByTask {
  const tasks = [...mapOf(valueAt(parseYaml(text), "tasks"))];
  return new Map(tasks.map(([name, task]) => [name, ["deps", "cmds"].flatMap((key) => stepsOf(task, key)).join("\n")]));
}

function stepsOf(task: unknown, key: string): string[] {
  const list = valueAt(task, key);
  return (Array.isArray(list) ? list : []).flatMap((step: unknown) => {
    if (typeof step === "string") return [key === "deps" ? `task ${step}` : step];
    const [other, command] = [valueAt(step, "task"), valueAt(step, "cmd")];
    return typeof other === "string" ? [`task ${other}`] : typeof command === "string" ? [command] : [];
  });
}
