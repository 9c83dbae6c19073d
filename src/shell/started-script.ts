/** Finds the script of package.json that a command starts. */

/** The scripts of a package.json by their names. */
export type PackageScripts = Readonly<Record<string, string>>;

const MANAGER = /^(npm|pnpm|yarn|bun(?= run )|node --run) (?:run |run-script )?(?:-s |--silent )?([\w:.-]+)(?: |$)/;

export interface StartedScript {
  readonly name: string;
  readonly body: string;
  /** the arguments for the script, and the separator that further arguments need */
  readonly handedOn: readonly string[];
  readonly separator: "" | " --";
}

/**
 * The script that this command starts through a package manager; null if there is none, or if no arguments can be
 * added.
 */
export function startedScript(words: readonly string[], scripts: PackageScripts): StartedScript | null {
  const [all = "", manager = "", named = ""] = MANAGER.exec(words.join(" ")) ?? [];
  const name = ["tt", "tst"].includes(named) ? "test" : named;
  const body = scripts[name];
  const scriptArguments = words.slice(all.trim().split(" ").length);
  const separates = manager === "npm" || manager === "node --run";
  if (body === undefined || (separates && scriptArguments.length > 0 && scriptArguments[0] !== "--")) return null;
  return {name, body, handedOn: scriptArguments, separator: separates && scriptArguments.length === 0 ? " --" : ""};
}
