/** Writes the agent's settings, and resets Assay's own configuration folder before each turn. */
import {join} from "node:path";
import type {Adapter} from "./adapters/adapter.ts";
import {emptyAgentFolder, writeAgentFile} from "./agent-files.ts";
import {secretVariables} from "./environment.ts";
import {guardKeys, type KeyVariables, providerAddress, standardAddresses} from "./guard-keys.ts";
import {writeHideFiles} from "./hide-keys.ts";
import type {KeyProxy} from "./key-proxy.ts";

interface AgentSettings {
  readonly proxy: KeyProxy | null;
  /** the variables that the agent's own are chosen from */
  readonly variables: KeyVariables;
  /**
   * Restores the settings of the first turn. A program or server that the agent adds to them in one turn would start
   * next to the model's key in the next. Only the conversations stay.
   */
  readonly reset: () => Promise<void>;
}

/**
 * Opens the proxy that keeps the provider's key, and decides on the settings. The owner's configuration folder is never
 * changed: it may have its own addresses and keys.
 */
export async function openSettings(
  adapter: Adapter,
  options: {
    readonly provider: string;
    readonly variables: KeyVariables;
    readonly scratch: string;
    readonly configFolder: string;
    readonly isOwners: boolean;
    readonly protectsKey: boolean;
  },
): Promise<AgentSettings> {
  const {provider, variables, scratch, configFolder, isOwners} = options;
  const secrets = secretVariables(adapter, provider);
  const resetHideFiles = () => writeHideFiles(scratch, secrets);
  if (isOwners) return {proxy: null, variables, reset: resetHideFiles};
  const guard = options.protectsKey ? await guardKeys(adapter, provider, variables) : null;
  const ownersAddress = providerAddress(adapter, provider, variables);
  const address = guard?.proxy.url ?? ownersAddress;
  const files = adapter.ownConfig({secrets, provider, address});
  return {
    proxy: guard?.proxy ?? null,
    variables: {
      ...variables,
      ...(ownersAddress === "" && standardAddresses(adapter, provider)),
      ...guard?.variables,
    },
    async reset() {
      await resetHideFiles();
      await removeSettings(adapter, configFolder);
      for (const {file, text} of files) await writeAgentFile(configFolder, join(configFolder, file), text);
    },
  };
}

/** Removes everything except the conversations from Assay's own configuration folder. */
export function removeSettings({conversation}: Adapter, configFolder: string): Promise<void> {
  return emptyAgentFolder(configFolder, conversation.kind === "folder" ? conversation.root : "");
}
