/** Reads the commands of task runners by the name of their task, as lines of shells. */
import {parse as parseToml} from "smol-toml";
import {listOf, mapOf, textAt, textsOf, valueAt} from "../../detect/files/manifest-values.ts";
import {isNamed} from "../../git/paths.ts";
import {quoteWords} from "../../shell/quote.ts";
import {readSettings} from "../settings/read-settings.ts";
import {parseYaml} from "../source/yaml.ts";
import type {CommandPlaces, ShellLine} from "./command-fates.ts";

/** The reader for a file; null if the file is read as a whole. */
export function taskReader(path: string): ((text: string) => CommandPlaces) | null {
  if (isNamed(path, "tox.ini")) return toxPlaces;
  if (isNamed(path, "tox.toml", "pyproject.toml")) return toxTablePlaces;
  if (isNamed(path, "noxfile.py")) return sessionPlaces;
  return /(?:^|\/)[Tt]askfile(?:\.dist)?\.ya?ml$/.test(path) ? taskPlaces : null;
}

/** Commands of tox whose failure says nothing about the code. */
const PREPARES = /^(?:rm|mkdir|coverage erase|pip|docker)\b/;
const MAX_REFERENCES = 5;

/** A first `-` ignores the exit code (tox.wiki, "commands"). */
function toxLine(line: string): ShellLine {
  const text = line.replace(/^-\s*/, "");
  return {text, isIgnored: line.startsWith("-") && !PREPARES.test(text)};
}

/** Environments that `tox` runs by default; a version of Python is not one. */
function byDefault(names: readonly string[]): readonly (readonly [string, readonly ShellLine[]])[] {
  const lines = names.filter((name) => !/[{}]|^py|^\d/.test(name)).map((name) => ({text: `tox -e ${name}`}));
  return lines.length === 0 ? [] : [["env_list", lines]];
}

function toxPlaces(text: string): CommandPlaces {
  const settings = readSettings("tox.ini", text);
  const commands = [...settings].filter(([key]) => key.endsWith(" commands"));
  const names = ["tox envlist", "tox env_list"].flatMap((key) => settings.get(key) ?? []);
  return new Map([
    ...commands.map(([key, lines]) => [key.replace(/ commands$/, ""), lines.map(toxLine)] as const),
    ...byDefault(names),
  ]);
}

/** The tables of tox in TOML (tox.wiki, "Configuration"). */
function toxTablePlaces(text: string): CommandPlaces {
  const document = parseToml(text);
  const table = valueAt(document, "tool", "tox") ?? (valueAt(document, "project") === undefined ? document : undefined);
  const legacy = textAt(table, "legacy_tox_ini");
  if (legacy !== null) return toxPlaces(legacy);
  const environments = [["env_run_base", valueAt(table, "env_run_base")] as const, ...mapOf(valueAt(table, "env"))];
  const linesOf = (commands: unknown, depth = 0): ShellLine[] =>
    listOf(commands).flatMap((command) => {
      const other = textsOf(valueAt(command, "of"));
      if (other.length > 0 && depth < MAX_REFERENCES) return linesOf(valueAt(document, ...other), depth + 1);
      // Arguments from the command line stand for their default.
      const words = listOf(command).flatMap((item) =>
        typeof item === "string" ? [item] : textsOf(valueAt(item, "default")),
      );
      const [first = "", ...rest] = words;
      const quoted = [first.replace(/^-/, ""), ...rest].filter((word) => word !== "").map(quoteWords);
      return quoted.length === 0 ? [] : [toxLine(`${first.startsWith("-") ? "- " : ""}${quoted.join(" ")}`)];
    });
  const places = environments.map(([name, environment]) => [name, linesOf(valueAt(environment, "commands"))] as const);
  return new Map([...places, ...byDefault(textsOf(valueAt(table, "env_list")))]);
}

/** `session.run("mypy", "src")` of each function. */
function sessionPlaces(text: string): CommandPlaces {
  const functions = text.split(/^(?:async )?def /m).slice(1);
  return new Map(
    functions.map((body) => {
      const lines = [...body.matchAll(/\bsession\.run\(\s*([^)]*)/g)].map(([, call = ""]) => ({
        text: [...call.replace(/\w+\s*=\s*\S+/g, "").matchAll(/["']([^"']*)["']/g)].map(([, word]) => word).join(" "),
        isIgnored: /\bsuccess_codes\s*=/.test(call),
      }));
      return [/^\w+/.exec(body)?.[0] ?? "", lines];
    }),
  );
}

function taskPlaces(text: string): CommandPlaces {
  return new Map(
    [...mapOf(valueAt(parseYaml(text), "tasks"))].map(([name, task]) => {
      const isConditional = valueAt(task, "status") !== undefined;
      const lines = [
        ...listOf(valueAt(task, "deps")).map((step) => taskLine(step, "task ")),
        ...listOf(valueAt(task, "cmds")).map((step) => taskLine(step, "")),
      ];
      const isIgnored = valueAt(task, "ignore_error") === true;
      return [
        name,
        lines.flatMap((line) =>
          line === null ? [] : [{...line, isConditional, isIgnored: isIgnored || line.isIgnored}],
        ),
      ];
    }),
  );
}

function taskLine(step: unknown, prefix: string): {text: string; isIgnored: boolean} | null {
  const isIgnored = valueAt(step, "ignore_error") === true;
  if (typeof step === "string") return {text: `${prefix}${step}`, isIgnored};
  const [other, command] = [valueAt(step, "task"), valueAt(step, "cmd")];
  if (typeof other === "string") return {text: `task ${other}`, isIgnored};
  return typeof command === "string" ? {text: command, isIgnored} : null;
}
