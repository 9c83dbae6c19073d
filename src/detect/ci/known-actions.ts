/** Actions that are checks themselves, with the commands that they run. */
import {quoteWords} from "../../shell/quote.ts";
import {COMMANDS} from "../../tools/all-commands.ts";
import {kindOf} from "../../tools/stage-kind.ts";
import {textAt, valueAt} from "../files/manifest-values.ts";

/** `owner/name` of each action, in lower case, with its command. */
const KNOWN_ACTIONS = new Map(COMMANDS.flatMap(({actions = {}}) => Object.entries(actions)));

/** Inputs that hold paths or patterns, one in a line, which the tool itself expands. */
const LIST_INPUT = new Set(["globs", "files", "path", "paths", "pattern", "patterns"]);
/** Inputs that hold whole commands, each in a line. */
const COMMAND_INPUT = new Set(["command", "cmd", "run", "task"]);
/** A place in an action's command: an input, with the option that the action gives it to, or the flag that it sets. */
const PLACE = /\{(?:(--?[\w-]+)([:?]))?([\w-]+)(?:=([^}]*))?\}/g;

function listOfPatterns(value: string): string {
  const lines = value.split("\n").map((line) => line.trim());
  const items = lines.length > 1 ? lines.filter((line) => line !== "" && !line.startsWith("#")) : value.split(/\s+/);
  return items.map((item) => (/[$"']/.test(item) ? item : quoteWords(item))).join(" ");
}

/** A `uses` with a container image that is named after its tool: `docker://rhysd/actionlint:1.7`. */
const IMAGE = /^docker:\/\/(?:[\w.-]+\/)*([\w.-]+?)(?:[:@].*)?$/;

/** The command of a container that is a known tool with these arguments; null if it is none. */
function commandOfImage(uses: string, inputs: unknown): string | null {
  const program = IMAGE.exec(uses)?.[1];
  if (program === undefined) return null;
  const command = [program, textAt(inputs, "args") ?? ""].join(" ").trim();
  return kindOf(command) === null ? null : command;
}

/** The command that a `uses` with these inputs runs; null if the action is not a known check. */
export function commandOfAction(uses: string, inputs: unknown): string | null {
  if (uses.startsWith("docker://")) return commandOfImage(uses, inputs);
  const name = uses.toLowerCase().split("@")[0] ?? "";
  const command = KNOWN_ACTIONS.get(name);
  if (command === undefined) return null;
  const filled = command.replace(
    PLACE,
    (_, option: string | undefined, sign: string, input: string, otherwise = "") => {
      const given = valueAt(inputs, input);
      const value = given === true ? "true" : textAt(inputs, input);
      if (value === null || value.trim() === "") return otherwise;
      if (sign === "?") return value === "false" ? "" : (option ?? "");
      if (option !== undefined) return `${option} ${/^[\w@%+=:,./*-]+$/.test(value) ? value : quoteWords(value)}`;
      if (LIST_INPUT.has(input)) return listOfPatterns(value);
      return COMMAND_INPUT.has(input) ? value : value.replace(/\s*\n\s*/g, " ");
    },
  );
  // Actions that download their tool annotate in GitHub's format; Assay reads the tool's own output instead.
  return filled
    .replace(/\s--(out-format|output-format)[= ]\S*github\S*/g, "")
    .replace(/[ \t]+(?= |$)/g, "")
    .trim();
}
