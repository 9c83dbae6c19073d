/** Asks the judge's model through the coding agent: in the agent's sandbox, and with a copy of its configuration. */
import {cpSync, existsSync, lstatSync} from "node:fs";
import {mkdir} from "node:fs/promises";
import {join} from "node:path";
import type {AskModel} from "../judge/ask-model.ts";
import {NO_USAGE} from "../record/usage.ts";
import {askAgent} from "./ask-agent.ts";
import {confineAgent} from "./confine-agent.ts";
import type {PreparedRun} from "./prepare-run.ts";

/**
 * Copies `agent-config` at once: the agent may write to that folder in its turns, and a configuration can name commands
 * that the judge's agent would run. So call this before the agent's first turn.
 */
export function askThroughAgent(run: PreparedRun, timeoutMs: () => number): AskModel {
  const {inputs, variables, signal, realHome} = run.context;
  const {model} = run.config.judge;
  // In the folder of the record, which the agent of this run cannot see.
  const folder = join(run.folder, "judge");
  const config = copyConfig(inputs["agent-config"], join(folder, "config"));
  const unavailable = (detail: string) =>
    ({kind: "failed", why: "unavailable", detail, usage: NO_USAGE, durationMs: 0}) as const;
  const open = async (): Promise<AskModel> => {
    const empty = join(folder, "empty");
    await mkdir(empty, {recursive: true});
    const fence = await confineAgent(run, {checkout: empty, home: join(folder, "home")});
    // Nothing of the repository runs in the job `judge`, and its workflow installs no sandbox.
    if (!fence.ok && inputs.job !== "judge") {
      const {failure} = fence;
      return async () => unavailable("message" in failure ? failure.message : failure.kind);
    }
    const {confinement, isolation = "degraded"} = fence.ok ? fence.value : {};
    return askAgent({
      agent: inputs.agent,
      provider: model.includes("/") ? "" : inputs.provider,
      model: model === "" ? inputs.model : model,
      thinking: inputs.thinking,
      variables,
      folder,
      empty,
      // A confined agent sees its home at the path of the real one.
      home: confinement ? realHome : join(folder, "home"),
      ...(config.folder !== null && {configFolder: config.folder}),
      protectsKey: inputs["protect-key"],
      timeoutMs,
      // A process namespace would hide the judge's folder too.
      isolation: confinement ? isolation : "degraded",
      ...(confinement && {confinement}),
      signal,
    });
  };
  let ask: Promise<AskModel> | null = null;
  return async (prompt) => {
    if (config.problem !== "") return unavailable(config.problem);
    ask ??= open();
    return (await ask)(prompt);
  };
}

/**
 * The copy; null without a configuration. Links are followed, because the agent may be able to write to their targets.
 */
export function copyConfig(source: string, folder: string): {folder: string | null; problem: string} {
  if (source === "") return {folder: null, problem: ""};
  try {
    const isCopied = (path: string) => {
      const stat = lstatSync(path);
      return stat.isFile() || stat.isDirectory() || (stat.isSymbolicLink() && existsSync(path));
    };
    if (existsSync(source)) cpSync(source, folder, {recursive: true, dereference: true, filter: isCopied});
    return {folder, problem: ""};
  } catch (error) {
    const {code = "unknown error"} = error as NodeJS.ErrnoException;
    return {folder: null, problem: `the folder of \`agent-config\` could not be copied (${code})`};
  }
}
