/** Who is who in the rig's GitHub, and what each of them may do there. */

export interface Person {
  readonly login: string;
  readonly type: "User" | "Bot";
  readonly token: string;
  readonly role: "admin" | "maintain" | "write" | "triage" | "read" | "none";
}

/** The account whose token a workflow gets: https://docs.github.com/en/actions/concepts/security/github_token */
export const BOT = "github-actions[bot]";
export const OWNER = "ada";

/** Tokens have the form of real ones, as redaction looks for that; made up, and different in every world. */
export function makePeople(): Person[] {
  const token = (prefix: string) => {
    const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    const one = () => letters[Math.floor(Math.random() * letters.length)] ?? "x";
    return `${prefix}_${Array.from({length: 36}, one).join("")}`;
  };
  return [
    {login: OWNER, type: "User", token: token("ghp"), role: "admin"},
    {login: "mary", type: "User", token: token("ghp"), role: "maintain"},
    {login: "will", type: "User", token: token("ghp"), role: "write"},
    {login: "tracy", type: "User", token: token("ghp"), role: "triage"},
    {login: "otto", type: "User", token: token("ghp"), role: "read"},
    {login: BOT, type: "Bot", token: token("ghs"), role: "write"},
    {login: "renovate[bot]", type: "Bot", token: token("ghs"), role: "write"},
  ];
}

/** GitHub's two words for a role: https://docs.github.com/en/rest/collaborators/collaborators */
export function permissionOf(role: Person["role"]): {permission: string; role_name: string} {
  const base = {admin: "admin", maintain: "write", write: "write", triage: "read", read: "read", none: "none"} as const;
  return {permission: base[role], role_name: role};
}

export function associationOf(person: Person): string {
  if (person.login === OWNER) return "OWNER";
  return ["admin", "maintain", "write", "triage"].includes(person.role) ? "COLLABORATOR" : "NONE";
}

/** Scopes of which one is needed for a request, by the path behind the repository; the first that fits counts. */
const SCOPES: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^\/pulls/, ["pull-requests"]],
  [/^\/issues/, ["issues", "pull-requests"]],
  [/^\/(?:check-runs|commits\/[^/]+\/check)/, ["checks"]],
  [/^\/statuses/, ["statuses"]],
  [/^\/attestations/, ["attestations"]],
  [/^\/actions/, ["actions"]],
  [/^\/(?:git|contents|branches|commits|activity)/, ["contents"]],
];

/** What a job's token may do: https://docs.github.com/en/rest/authentication/permissions-required-for-github-apps */
export function isAllowed(options: {
  method: string;
  path: string;
  body: string;
  permissions: Readonly<Record<string, string>>;
}): boolean {
  const rest = options.path.replace(/^\/repos\/[^/]+\/[^/]+/, "");
  if (rest === "/graphql") return !options.body.includes("mutation") || options.permissions["contents"] === "write";
  const scopes = SCOPES.find(([form]) => form.test(rest))?.[1];
  if (scopes === undefined) return options.method === "GET";
  const levels = options.method === "GET" ? ["read", "write"] : ["write"];
  return scopes.some((scope) => levels.includes(options.permissions[scope] ?? "none"));
}
