/** Builds the agent's environment from an allow-list, with the keys of its one model provider. */
import {stageVariables} from "../engine/isolation/stage-variables.ts";
import type {Adapter, HideFiles} from "./adapters/adapter.ts";

/**
 * The variables of a stage, the model's key and the agent's settings. It contains no GitHub token, none of the runner's
 * variables and no other provider's key. A proxy address with a password is left out too, as the agent's tools would
 * see it.
 */
export function agentEnvironment(options: {
  adapter: Adapter;
  provider: string;
  variables: Readonly<Record<string, string | undefined>>;
  home: string;
  tmp: string;
  configFolder: string;
  hide: HideFiles;
  toolchains?: {readonly realHome: string; readonly existing: readonly string[]};
}): Record<string, string> {
  const {adapter, provider, variables, home, tmp, configFolder, hide, toolchains} = options;
  const secrets = secretVariables(adapter, provider).flatMap((name) => {
    const value = variables[name];
    return value ? [[name, value] as const] : [];
  });
  return stageVariables({
    source: variables,
    home,
    tmp,
    pathFirst: [],
    ...(toolchains && {toolchains}),
    extra: {...Object.fromEntries(secrets), ...adapter.environment(configFolder, hide)},
  });
}

/** The variables for a provider's key and address; empty for a provider that only a config file defines. */
export function secretVariables(adapter: Adapter, provider: string): string[] {
  const {keys = [], also = []} = adapter.providers[provider] ?? {};
  return [...keys, ...also];
}
