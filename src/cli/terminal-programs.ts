/** Finds the programs that Assay runs for itself in the terminal's PATH. */
import {choosePrograms} from "../process/own-programs.ts";

/**
 * The git that a person uses is the one in the terminal's PATH. Each bundle has its own copy of this setting, so every
 * entry point of the command line calls this first.
 */
export function useTerminalPrograms(): void {
  choosePrograms({first: process.env["PATH"] ?? ""});
}
