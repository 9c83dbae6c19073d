/** Decides whether a provider's keys can stay with Assay, and which variables the agent gets instead. */
import {randomBytes} from "node:crypto";
import {headersIn} from "../secrets/header-secrets.ts";
import type {Adapter} from "./adapters/adapter.ts";
import type {KeyProxy} from "./key-proxy.ts";

export type KeyVariables = Readonly<Record<string, string | undefined>>;

interface KeyGuard {
  readonly proxy: KeyProxy;
  /** replaces the runner's variables for the agent: stand-ins for the keys, and the address of the proxy */
  readonly variables: Readonly<Record<string, string>>;
}

/** A shorter key could be a word, and masking it would change the model's answers. */
const SHORTEST_KEY = 8;

/** Null if the agent needs the real key: its address cannot be set, or another kind of credential is set too. */
export async function guardKeys(adapter: Adapter, provider: string, variables: KeyVariables): Promise<KeyGuard | null> {
  const {keys: names = [], also = [], proxied} = adapter.providers[provider] ?? {};
  const address = providerAddress(adapter, provider, variables) || proxied?.address || "";
  const values = names.flatMap((name) => {
    const value = variables[name];
    return value ? [{name, value, standIn: standInFor(value)}] : [];
  });
  const isProxied = ({name, value}: {name: string; value: string}) =>
    value.length >= SHORTEST_KEY && proxied?.except?.includes(name) !== true;
  if (proxied === undefined || values.length === 0 || !values.every(isProxied) || !isHttp(address)) return null;
  const {openKeyProxy} = await import("./key-proxy.ts");
  const headers = also.filter((name) => name.endsWith("_HEADERS")).flatMap((name) => headersIn(variables[name] ?? ""));
  const proxy = await openKeyProxy({
    address,
    keys: new Map(values.map(({standIn, value}) => [standIn, value])),
    ownersHeaders: headers.map(([name = ""]) => name.toLowerCase()),
  });
  // A network proxy cannot reach this machine's loopback interface.
  const noProxy = [variables["no_proxy"] || variables["NO_PROXY"] || "", "127.0.0.1"].filter(Boolean).join(",");
  const replaced = [
    ...values.map(({name, standIn}) => [name, standIn]),
    ...(proxied.variables ?? []).map((name) => [name, proxy.url]),
  ];
  return {proxy, variables: {...Object.fromEntries(replaced), no_proxy: noProxy, NO_PROXY: noProxy}};
}

/** The address that the owner set in a variable; empty if none is set. */
export function providerAddress(adapter: Adapter, provider: string, variables: KeyVariables): string {
  const names = adapter.providers[provider]?.proxied?.variables ?? [];
  return names.map((name) => variables[name] ?? "").find((address) => address !== "") ?? "";
}

/** The provider's own address in the variables for it, for an agent that would read them from the checkout's `.env`. */
export function standardAddresses(adapter: Adapter, provider: string): Record<string, string> {
  const {address, variables = []} = adapter.providers[provider]?.proxied ?? {};
  return adapter.readsDotenv && address !== undefined
    ? Object.fromEntries(variables.map((name) => [name, address]))
    : {};
}

/** The agents recognize Anthropic's OAuth tokens by their beginning. */
function standInFor(key: string): string {
  return `${/^sk-ant-oat\d*-/.exec(key)?.[0] ?? "assay-"}${randomBytes(32).toString("hex")}`;
}

const isHttp = (address: string): boolean => ["http:", "https:"].includes(URL.parse(address)?.protocol ?? "");
