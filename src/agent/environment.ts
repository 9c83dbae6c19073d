/** The variables an agent is started with: an allow-list, and of all keys only those of its one model provider. */
import {stageVariables} from "../verify/isolation/stage-variables.ts";
import type {Adapter} from "./adapters/adapter.ts";

/**
 * What a stage may see, plus the key to the model and the agent's own settings. No GitHub token, none of the runner's
 * own variables, and no other provider's key is in it: what is not named is left out. A proxy's address with a password
 * in it is left out too, as the agent's tools would see it.
 */
export function agentEnvironment(o: {
  adapter: Adapter;
  provider: string;
  variables: Readonly<Record<string, string | undefined>>;
  home: string;
  tmp: string;
  configFolder: string;
  toolchains?: {readonly realHome: string; readonly existing: readonly string[]};
}): Record<string, string> {
  const given = secretVariables(o.adapter, o.provider).flatMap((name) => {
    const value = o.variables[name];
    return value ? [[name, value] as const] : [];
  });
  return stageVariables({
    source: o.variables,
    home: o.home,
    tmp: o.tmp,
    pathFirst: [],
    ...(o.toolchains && {toolchains: o.toolchains}),
    extra: {...Object.fromEntries(given), ...o.adapter.environment(o.configFolder)},
  });
}

/** The variables that carry a provider's key and address; empty for a provider that only a config file knows. */
export function secretVariables(adapter: Adapter, provider: string): string[] {
  const known = adapter.providers[provider];
  return known === undefined ? [] : [...known.keys, ...(known.also ?? [])];
}
