/** Writes the entry of verify.json that makes a stage of a command of CI, unless the command must not run as one. */
import {baseName} from "../../shell/program.ts";
import {splitShell} from "../../shell/split.ts";
import {toolOf, unwrap} from "../../tools/command-name.ts";
import {isInterpreter} from "../ci/check-words.ts";
import type {CiCall} from "../proposals/ecosystem.ts";
import {screen} from "../proposals/screen.ts";
import {screenName} from "../proposals/screen-name.ts";
import {IN_BACKGROUND} from "../scripts/shell-lines.ts";

/** A folder of the machine, as a word or as the value of an option. */
const OF_MACHINE =
  /^(?:-[\w-]*=?|of=)?(?:\/$|\/(?:bin|dev|etc|home|lib|mnt|opt|root|sbin|srv|usr|Users|var)(?:\/(?!null)|$))/;
/** Programs that change files or processes, and check nothing. */
const CHANGES =
  /^(?:rm|rmdir|unlink|mv|cp|ln|dd|shred|truncate|chmod|touch|mkdir|install|tee|kill|pkill|killall|sqlite3|duckdb)$/;
/** Programs of this sort that no line may start. */
const ALWAYS_CHANGES = /^(?:dd|shred|kill|pkill|killall|sqlite3|duckdb)$/;
/** Options after which an interpreter gets code, and what such code does to files, processes or the network. */
const CODE = /^(?:-c|-e|-r|--eval|-[a-z]*e)$/;
const CODE_ACTS =
  /\b(?:rmtree|unlink|rename|system|popen|exec\w*|spawn\w*|subprocess|child_process|shutil|writeFile\w*|remove|rmSync|rm|urllib|requests|fetch|https?|socket|eval)\b|`|open\([^)]*["'][wa]/;

/** The entry of `extraStages`; empty for a command that the owner should not be offered. `names` are those in use. */
export function readyMadeStage(call: CiCall, names: Set<string>): string {
  // No command starts an action.
  const offered = call.text.startsWith("uses: ") ? null : offeredCommand(call);
  if (offered === null) return "";
  const name = freeName(nameFor(call), names);
  // The owner knows the values of CI's variables.
  const command = offered.replace(/\$\{\{.*?\}\}/g, "…");
  const folder = call.cwd === "." ? {} : {cwd: call.cwd};
  return `"extraStages": [${JSON.stringify({name, command, ...folder})}]`;
}

/** The command, or its form that rewrites nothing; null if neither may run as a stage. */
function offeredCommand({text, safeForm, runs, why}: CiCall): string | null {
  if (why === IN_BACKGROUND || changesMachine(text) || !runs.every(mayRun)) return null;
  return [text, safeForm].find(mayRun) ?? null;
}

/** What an owner may have at hand, a browser or the service that a name suggests, does no harm. */
function mayRun(line: string): boolean {
  const screening = screen(line);
  if (["ok", "unknown", "placeholder", "browser"].includes(screening.kind)) return true;
  return screening.kind === "service" && "byName" in screening;
}

/** True for a line that is given a folder of the machine, or starts a script or task whose name says that it changes something. */
function changesMachine(line: string): boolean {
  const commands = splitShell(line) ?? [];
  if (commands.length > 0 && commands.every(({words}) => onlyChanges(unwrap(words)))) return true;
  return commands.some(({words}) => {
    const [program = "", ...others] = unwrap(words);
    const code = isInterpreter(program) ? others.findIndex((word) => CODE.test(word)) : -1;
    if (ALWAYS_CHANGES.test(program) || (code >= 0 && CODE_ACTS.test(others[code + 1] ?? ""))) return true;
    if (/^gradlew?$/.test(baseName(program)) && others.some((task) => screenName(task).kind === "release")) return true;
    const [called = ""] = words;
    const script = called.includes("/") ? baseName(called).replace(/\.\w+$/, "") : "";
    const tasks = others.slice(0, 2).filter((word) => /^[a-z][\w-]*:[\w:-]+(?<!:run)$/.test(word));
    const isHarmful = (name: string): boolean => !["ok", "browser", "unknown"].includes(screenName(name).kind);
    return others.some((word) => OF_MACHINE.test(word)) || [script, ...tasks].some(isHarmful);
  });
}

/** True for a command that changes files or processes, and does nothing else. */
const onlyChanges = ([program = "", ...others]: readonly string[]): boolean =>
  CHANGES.test(program) ||
  (program === "find" &&
    others.some((word, i) => word === "-delete" || (/^-exec/.test(word) && CHANGES.test(others[i + 1] ?? ""))));

/** A name by what CI starts: the target of make, not the compiler that its recipe starts. */
function nameFor({text, key, runs}: CiCall): string {
  const words = splitShell(text)?.[0]?.words ?? (runs[0] ?? text).split(/\s+/);
  const tool = toolOf(words).replace(/^(script|make|just|task|composer|rake|mix|npm|uses:) /, "");
  const slug = baseName(tool)
    .replace(/[^A-Za-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .toLowerCase()
    .slice(0, 40);
  return slug === ""
    ? key
        .replace(/[^A-Za-z0-9]+/g, "-")
        .toLowerCase()
        .slice(0, 40) || "ci"
    : slug;
}

/** Adds the result to `names`, which contains the names in use. */
function freeName(name: string, names: Set<string>): string {
  let free = name;
  for (let n = 2; names.has(free); n++) free = `${name}-${n}`;
  names.add(free);
  return free;
}
