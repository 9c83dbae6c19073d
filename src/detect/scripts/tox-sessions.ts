/** Reads the commands of tox's environments and of hatch's scripts. */
import {listOf, mapOf, textAt, textsOf, valueAt} from "../files/manifest-values.ts";
import {inside, type Project} from "../files/project.ts";
import {screen} from "../proposals/screen.ts";

const MAX_LINES = 100;
const MAX_NAMES = 20;

/** The commands that a call runs, without installs into its environment; null for another tool, or unknown commands. */
export function toxSessionCommands(project: Project, cwd: string, words: readonly string[]): string[] | null {
  const at = words.indexOf("tox");
  if (at < 0 && words[0] === "hatch" && words[1] === "run") return hatchCommands(project, cwd, words.slice(2));
  // `python -m tox` and `uv run tox` start the same program.
  if (at < 0 || words.slice(0, at).some((word) => !/^(python[\d.]*|-m|uvx?|run|pipx|poetry|hatch)$/.test(word)))
    return null;
  const rest = words.slice(at + 1);
  if (rest.includes("--notest")) return null;
  const commands = environmentsIn(rest)
    .slice(0, MAX_NAMES)
    .map((name) => toxCommands(project, cwd, name));
  const lines = commands.flatMap((one) => one ?? []).filter((line) => screen(line).kind !== "download");
  return commands.length === 0 || commands.includes(null) || lines.length === 0 ? null : lines.slice(0, MAX_LINES);
}

/** The commands of a script of hatch; its name has its environment in front, unless that is the default one. */
function hatchCommands(project: Project, cwd: string, rest: readonly string[]): string[] | null {
  const name = rest.find((word) => /^[a-z]/.test(word)) ?? "";
  const [script = "", environment = "default"] = name.split(":").toReversed();
  const manifest = valueAt(project.toml(inside(cwd, "pyproject.toml")), "tool", "hatch");
  const bodies = [project.toml(inside(cwd, "hatch.toml")), manifest].map((table) =>
    valueAt(table, "envs", environment, "scripts", script),
  );
  const lines = bodies.flatMap((body) => (typeof body === "string" ? [body] : textsOf(body)));
  return lines.length === 0 ? null : lines.map((line) => line.replace(/\s*\{args(?::([^{}]*))?\}/g, " $1").trim());
}

/** The values of `-e` and its long form, separated by commas. */
function environmentsIn(rest: readonly string[]): string[] {
  const at = rest.findIndex((word) => word === "-e" || word === "--env" || word.startsWith("--env="));
  const value = rest[at]?.startsWith("--env=") ? rest[at].slice("--env=".length) : rest[at + 1];
  return at < 0 ? [] : (value ?? "").split(",").filter((name) => /^[\w.-]+$/.test(name));
}

function toxCommands(project: Project, cwd: string, name: string): string[] | null {
  const manifest = project.toml(inside(cwd, "pyproject.toml"));
  const tables = [project.toml(inside(cwd, "tox.toml")), valueAt(manifest, "tool", "tox")];
  const table = tables.find((one) => mapOf(one).size > 0 && textAt(one, "legacy_tox_ini") === null);
  const ini = [
    project.text(inside(cwd, "tox.ini")),
    textAt(manifest, "tool", "tox", "legacy_tox_ini"),
    project.text(inside(cwd, "setup.cfg")),
  ].find((text) => text?.includes("testenv"));
  if (typeof ini === "string") return commandsInIni(ini, name);
  const commands = valueAt(table, "env", name, "commands") ?? valueAt(table, "env_run_base", "commands");
  const lines = listOf(commands).map((words) => wordsOf(words).join(" "));
  return lines.length === 0 ? null : lines;
}

/** The words of a command; `{replace = "posargs"}` stands for its default. */
const wordsOf = (words: unknown): string[] =>
  listOf(words).flatMap((word) => {
    const text = typeof word === "string" ? word : null;
    return text === null ? textsOf(valueAt(word, "default")) : [withoutPlaces(text)];
  });

/** The commands of the section of an environment, or of the section for all. */
function commandsInIni(text: string, name: string): string[] | null {
  const factors = new Set(name.split("-"));
  const sections = text.split(/^(?=\[)/m);
  const sectionNames = (section: string): string[] => {
    const head = /^\[testenv:([^\]]+)\]/.exec(section)?.[1];
    return head === undefined ? [] : expandBraces(head);
  };
  const own = sections.find((section) => sectionNames(section).includes(name) && /^commands[ \t]*=/m.test(section));
  const section = own ?? sections.find((one) => one.startsWith("[testenv]"));
  const list = /^commands[ \t]*=(.*(?:\n[ \t]+.*|\n[ \t]*$|\n#.*)*)/m.exec(section ?? "")?.[1];
  if (list === undefined) return null;
  const lines = list
    .replace(/\\\n\s*/g, " ")
    .split("\n")
    .flatMap((line) => {
      const [, condition, command = ""] = /^\s*(?:([\w!,.{}-]+):\s+)?-?\s*(.*)$/.exec(line) ?? [];
      const isMet =
        condition === undefined ||
        condition
          .split(",")
          .some((one) =>
            one.split("-").every((part) => (part.startsWith("!") ? !factors.has(part.slice(1)) : factors.has(part))),
          );
      return isMet && command !== "" && !command.startsWith("#") ? [withoutPlaces(command)] : [];
    });
  return lines.length === 0 ? null : lines;
}

/** `py{310,311}-{a,b}, lint` is a list of five names. */
function expandBraces(text: string): string[] {
  const parts = text.match(/(?:\{[^}]*\}|[^,{}])+/g) ?? [];
  return parts.flatMap((part) => {
    let names = [""];
    for (const piece of part.trim().match(/\{[^}]*\}|[^{}]+/g) ?? []) {
      const choices = piece.startsWith("{") ? piece.slice(1, -1).split(",") : [piece];
      names = names.flatMap((name) => choices.map((choice) => name + choice.trim())).slice(0, 200);
    }
    return names;
  });
}

/** Fills in what tox replaces: the folder of the project is the working folder, and arguments have a default. */
const withoutPlaces = (text: string): string =>
  text
    .replace(/\{posargs(?::([^{}]*))?\}|\[\]/g, (_, otherwise = "") => otherwise)
    .replace(/\{(?:toxinidir|tox_root)\}(?:\{\/\}|\/)?/g, "")
    .replace(/\{(?:envpython|env_python)\}/g, "python")
    .replace(/\{(?:envbindir|env_bin_dir)\}(?:\{\/\}|\/)/g, "")
    .replaceAll("{/}", "/")
    .replace(/[ \t]+/g, " ")
    .trim();
