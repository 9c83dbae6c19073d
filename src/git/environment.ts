/** Defines what git gets from this machine: an allow-list of variables, and settings that override all files. */
import {NOWHERE, type OwnPrograms} from "../process/own-programs.ts";

/**
 * Variables of the runner that git needs to reach the network. Everything else is left out, including `GIT_EXEC_PATH`.
 */
const PASSED_ON = [
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "NO_PROXY",
  "ALL_PROXY",
  "http_proxy",
  "https_proxy",
  "no_proxy",
  "all_proxy",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
  "GIT_SSL_CAINFO",
];

/** In command scope, which overrides the repository's own configuration. */
const SETTINGS: readonly (readonly [string, string])[] = [
  ["core.hooksPath", NOWHERE],
  ["core.fsmonitor", "false"],
  ["core.untrackedCache", "false"],
  ["core.attributesFile", NOWHERE],
  ["core.excludesFile", NOWHERE],
  ["core.protectHFS", "true"],
  ["core.protectNTFS", "true"],
  ["core.safecrlf", "false"],
  ["core.quotePath", "false"],
  ["core.sshCommand", "false"],
  ["core.gitProxy", ""],
  // git runs this program at each fetch, to list the refs of a repository that `objects/info/alternates` names
  ["core.alternateRefsCommand", "true"],
  ["credential.helper", ""],
  ["submodule.recurse", "false"],
  ["fetch.recurseSubmodules", "false"],
  ["push.recurseSubmodules", "no"],
  ["fetch.fsckObjects", "false"],
  ["fetch.unpackLimit", "1"],
  ["push.gpgSign", "false"],
  ["commit.gpgSign", "false"],
  ["gc.auto", "0"],
  ["maintenance.auto", "false"],
  ["advice.detachedHead", "false"],
  ["safe.directory", "*"],
  ["http.lowSpeedLimit", "1000"],
  ["http.lowSpeedTime", "60"],
];

const BOT: Author = {name: "assay[bot]", email: "assay[bot]@users.noreply.github.com"};

/** Where one call of git works, and what it may access. */
export interface GitCall {
  /** the repository; without it git looks for the one that `cwd` is in */
  readonly gitDir?: string;
  readonly workTree?: string;
  readonly index?: string;
  readonly cwd?: string;
  /** read by git from stdin */
  readonly input?: string;
  /** transports that may be used; none by default */
  readonly protocols?: readonly ("https" | "http" | "file")[];
  /** true if the call gets the remote's token */
  readonly authorised?: boolean;
  /** object stores to read in addition */
  readonly alternates?: string;
  /** reads the settings of the machine and its user, too; only for calls that start no program */
  readonly readsUserSettings?: true;
  readonly timeoutMs?: number;
  /** ends a call whose result a cancelled run does not need */
  readonly signal?: AbortSignal;
  /** decodes stdout as one character for each byte, for content that may not be text; otherwise as UTF-8 */
  readonly isBytes?: true;
  /** a call with more output is refused */
  readonly maxBytes?: number;
}

/** The options that all calls to one repository share. */
export interface GitSurroundings {
  /** the runner's variables; git gets an allow-list of them */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** the default of `gitDir` and `cwd` */
  readonly folder: string;
  /** the server for `authorised` calls, with its token, which is only in the environment */
  readonly remote?: {readonly url: string; readonly token: string};
  /** the author of new commits; by default Assay itself */
  readonly author?: Author;
  /** the location of git; by default this process's own */
  readonly programs?: OwnPrograms;
}

export interface Author {
  readonly name: string;
  readonly email: string;
}

/** The whole environment of one call. */
export function gitEnvironment(
  options: GitSurroundings & {readonly path: string},
  call: GitCall,
): Record<string, string> {
  const passedOn = PASSED_ON.flatMap((name) => {
    const value = options.variables[name];
    return value ? [[name, value] as const] : [];
  });
  const author = options.author ?? BOT;
  const env: Record<string, string> = {
    ...Object.fromEntries(passedOn),
    PATH: options.path,
    HOME: NOWHERE, // git refuses settings with `~/` without it
    LANG: "C",
    LC_ALL: "C",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: NOWHERE,
    GIT_ATTR_NOSYSTEM: "1",
    GIT_TERMINAL_PROMPT: "0",
    GIT_ASKPASS: "",
    GIT_TEMPLATE_DIR: "",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_NO_LAZY_FETCH: "1",
    GIT_ALLOW_PROTOCOL: call.protocols?.join(":") ?? "none",
    GIT_AUTHOR_NAME: author.name,
    GIT_AUTHOR_EMAIL: author.email,
    GIT_COMMITTER_NAME: author.name,
    GIT_COMMITTER_EMAIL: author.email,
  };
  const gitDir = call.gitDir ?? (call.cwd === undefined ? options.folder : undefined);
  if (call.readsUserSettings) {
    for (const name of ["GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_GLOBAL"]) delete env[name];
    for (const name of ["HOME", "XDG_CONFIG_HOME", "GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"])
      if (options.variables[name] !== undefined) env[name] = options.variables[name];
  }
  if (gitDir !== undefined) env["GIT_DIR"] = gitDir;
  if (call.workTree !== undefined) env["GIT_WORK_TREE"] = call.workTree;
  if (call.index !== undefined) env["GIT_INDEX_FILE"] = call.index;
  if (call.alternates !== undefined) env["GIT_ALTERNATE_OBJECT_DIRECTORIES"] = call.alternates;
  const {remote} = options;
  const header: [string, string][] = [];
  if (call.authorised && remote !== undefined && remote.token !== "") {
    const pair = Buffer.from(`x-access-token:${remote.token}`).toString("base64");
    header.push([`http.${new URL(remote.url).origin}/.extraheader`, `AUTHORIZATION: basic ${pair}`]);
  }
  const usersOwn = call.readsUserSettings ? ["core.excludesFile", "core.attributesFile"] : [];
  const settings = [...SETTINGS.filter(([key]) => !usersOwn.includes(key)), ...header];
  env["GIT_CONFIG_COUNT"] = String(settings.length);
  for (const [at, [key, value]] of settings.entries()) {
    env[`GIT_CONFIG_KEY_${at}`] = key;
    env[`GIT_CONFIG_VALUE_${at}`] = value;
  }
  return env;
}
