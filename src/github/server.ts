/** Recognizes GitHub servers other than github.com, which lack what separate jobs need. */

/**
 * The host of a server other than github.com and ghe.com; null for these two, for this machine and for an address
 * without a host. Takes a URL, or an address as git writes it (`git@host:owner/name`).
 */
export function otherServer(address: string): string | null {
  const host = hostOf(address);
  // a name without a dot is an alias in the configuration of ssh
  if (host === null || !host.includes(".") || host.startsWith("127.")) return null;
  return /(?:^|\.)(?:github\.com|ghe\.com)$/.test(host) ? null : host;
}

function hostOf(address: string): string | null {
  if (/^[a-z][\w+.-]*:\/\//i.test(address))
    return URL.canParse(address) ? new URL(address).hostname.toLowerCase() : null;
  return /^(?:[^@/\s]+@)?([^:/\s]+):(?!\\)/.exec(address)?.[1]?.toLowerCase() ?? null;
}

/** `https://host/owner/name` of an address as git writes it; null for other forms, such as a folder. */
export function repositoryAddress(address: string): string | null {
  const host = hostOf(address);
  const path = URL.canParse(address) ? new URL(address).pathname : address.slice(address.indexOf(":") + 1);
  const [owner = "", name = "", ...rest] = path
    .replace(/\.git\/?$/, "")
    .split("/")
    .filter(Boolean);
  const isPlain = rest.length === 0 && [owner, name].every((part) => /^[\w.-]+$/.test(part));
  return host?.includes(".") && isPlain ? `https://${host}/${owner}/${name}` : null;
}

/** Why separate jobs are refused on such a server; without a full stop. */
export const NO_ARTIFACTS =
  "separate jobs hand over their work as artifacts of version 4, which GitHub Enterprise Server does not have";
