/** Determines which CI steps Assay can read as plain shell commands, even if another interpreter runs them. */
import {splitShell} from "../../shell/split.ts";
import {textAt} from "../files/manifest-values.ts";

const OTHER_INTERPRETERS =
  /^(pwsh|powershell|cmd|python|node|Rscript|perl|ruby|php|julia|elixir|nu|lua|deno|bun|ocaml)/;
/** Characters and words that have another meaning in PowerShell than in a shell. */
const ONLY_POWERSHELL = /[$`{}()@|<>;&']|^\s*(if|foreach|function|param|try|throw|Write-|[A-Z][a-z]+-[A-Z])/m;

/** The shell of steps that do not name one: the job's, or else the workflow's; empty for the machine's default. */
export function defaultShell(...holders: readonly unknown[]): string {
  const shells = holders.map((holder) => textAt(holder, "defaults", "run", "shell"));
  return shells.find((shell) => shell !== null) ?? "";
}

/** The interpreter that has to run this text; null if a shell runs it in the same way. */
export function interpreterOf(shell: string, text: string): string | null {
  const [program = ""] = shell.split(" ", 1);
  if (!OTHER_INTERPRETERS.test(shell)) return null;
  const isPlain = ["pwsh", "powershell"].includes(program) && !ONLY_POWERSHELL.test(text) && splitShell(text) !== null;
  return isPlain && !/\.ps1\b/.test(text) ? null : program;
}
