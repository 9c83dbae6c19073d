/** The files through which a step and the runner talk: GITHUB_OUTPUT, GITHUB_STATE and their like. */
import {mkdir, readFile, writeFile} from "node:fs/promises";
import {join} from "node:path";

const KINDS = ["OUTPUT", "STATE", "ENV", "PATH", "STEP_SUMMARY"] as const;

export interface StepFiles {
  /** the variables that tell a step where they are */
  readonly variables: Record<string, string>;
  outputs(): Promise<Record<string, string>>;
  state(): Promise<Record<string, string>>;
  summary(): Promise<string>;
}

/** Makes the empty files that each step gets anew. */
export async function makeStepFiles(folder: string): Promise<StepFiles> {
  await mkdir(folder, {recursive: true});
  const path = (kind: (typeof KINDS)[number]) => join(folder, kind.toLowerCase());
  for (const kind of KINDS) await writeFile(path(kind), "");
  const pairs = async (kind: "OUTPUT" | "STATE") => readPairs(await readFile(path(kind), "utf8"));
  return {
    variables: Object.fromEntries(KINDS.map((kind) => [`GITHUB_${kind}`, path(kind)])),
    outputs: () => pairs("OUTPUT"),
    state: () => pairs("STATE"),
    summary: () => readFile(path("STEP_SUMMARY"), "utf8"),
  };
}

/**
 * `name=value` and `name<<DELIMITER … DELIMITER`, as the runner reads them; anything else it refuses, and so do we:
 * https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
 */
export function readPairs(text: string): Record<string, string> {
  const found: Record<string, string> = {};
  const lines = text.split("\n");
  for (let at = 0; at < lines.length; at += 1) {
    const line = (lines[at] ?? "").replace(/\r$/, "");
    if (line === "") continue;
    const [, name, delimiter] = /^([^=]+?)<<(.+)$/.exec(line) ?? [];
    if (name !== undefined && delimiter !== undefined) {
      const end = lines.indexOf(delimiter, at + 1);
      if (end === -1) throw new Error(`the value of ${name} has no end`);
      found[name] = lines.slice(at + 1, end).join("\n");
      at = end;
      continue;
    }
    const equals = line.indexOf("=");
    if (equals < 1) throw new Error(`the runner cannot read this line: ${line}`);
    found[line.slice(0, equals)] = line.slice(equals + 1);
  }
  return found;
}
