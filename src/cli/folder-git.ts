/** Runs git as a person would, for commands that read a folder. The verification uses its own, hardened git. */
import type {SimpleGit} from "simple-git";
import {NOWHERE, ownPrograms} from "../process/own-programs.ts";

const GIT_MS = 10_000;
const ENVIRONMENT = {
  LC_ALL: "C",
  GIT_TERMINAL_PROMPT: "0",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_NO_LAZY_FETCH: "1",
};

/**
 * Null without git. No hook, monitor or setting of the machine or its user has an effect: without HOME, git finds no
 * user's settings.
 */
export async function folderGit(folder: string): Promise<SimpleGit | null> {
  const programs = ownPrograms();
  const program = programs.find("git");
  if (!program.ok) return null;
  // Loaded only here: few commands need it.
  const {simpleGit} = await import("simple-git");
  return simpleGit({
    baseDir: folder,
    binary: program.value,
    config: ["core.fsmonitor=false", `core.hooksPath=${NOWHERE}`],
    timeout: {block: GIT_MS},
    // The library refuses settings that can start programs; these two switch such programs off.
    unsafe: {allowUnsafeHooksPath: true, allowUnsafeFsMonitor: true, allowUnsafeCustomBinary: true},
    allowEnvironment: Object.keys(ENVIRONMENT),
  }).env({...ENVIRONMENT, PATH: programs.path});
}
