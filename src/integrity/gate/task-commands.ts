/** Reads the commands of task runners by the name of their task, as lines of a shell. */
import {mapOf, valueAt} from "../../detect/files/manifest-values.ts";
import {parseYaml} from "../source/yaml.ts";
import {readSettings} from "./settings.ts";

type CommandsByTask = ReadonlyMap<string, string>;

/** The reader for a file; null if the file is read as a whole. */
export function taskReader(path: string): ((text: string) => CommandsByTask) | null {
  if (/(?:^|\/)tox\.ini$/.test(path)) return toxCommands;
  if (/(?:^|\/)noxfile\.py$/.test(path)) return sessionCommands;
  return /(?:^|\/)[Tt]askfile(?:\.dist)?\.ya?ml$/.test(path) ? taskCommands : null;
}

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
