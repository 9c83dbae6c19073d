/** Searches the programs that Assay runs for itself where the terminal does. */
import {choosePrograms} from "../process/own-programs.ts";

/**
 * A person's own git is the one that the terminal finds. Each bundle has its own copy of the choice, so that each entry
 * of the command line calls this first.
 */
export function useTerminalPrograms(): void {
  choosePrograms({first: process.env["PATH"] ?? ""});
}
