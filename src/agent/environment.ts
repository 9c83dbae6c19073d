/** The variables an agent is started with: an allow-list, and of all keys only those of its one model provider. */
import {stageEnvironment} from "../verify/environment.ts";
import type {Adapter} from "./adapters/adapter.ts";

/** How a runner behind a proxy, or with its own certificates, reaches the model. */
const NETWORK = ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY", "NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE"];

/**
 * What a stage may see, plus the way to the model. No GitHub token, no variable of the runner's own (`GITHUB_*`,
 * `ACTIONS_*`, `RUNNER_*`, `INPUT_*`) and no other provider's key is in it: what is not named here is left out.
 */
export function agentEnvironment(o: {
  adapter: Adapter;
  provider: string;
  variables: Readonly<Record<string, string | undefined>>;
  home: string;
  tmp: string;
  configFolder: string;
}): Record<string, string> {
  const wanted = [...NETWORK, ...NETWORK.map((name) => name.toLowerCase()), ...secretVariables(o.adapter, o.provider)];
  const given = wanted.flatMap((name) => {
    const value = o.variables[name];
    return value ? [[name, value] as const] : [];
  });
  return stageEnvironment({
    source: o.variables,
    home: o.home,
    tmp: o.tmp,
    pathFirst: [],
    extra: {...Object.fromEntries(given), ...o.adapter.environment(o.configFolder)},
  });
}

/** The variables that carry a provider's key and address; empty for a provider that only a config file knows. */
export function secretVariables(adapter: Adapter, provider: string): string[] {
  const known = adapter.providers[provider];
  return known === undefined ? [] : [...known.keys, ...(known.also ?? [])];
}
