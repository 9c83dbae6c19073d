/** Builds the variables of a stage from an allow-list, so that unknown variables are left out. */

/** Copied unchanged, unless they look like a secret. `*` matches any suffix. */
const ALLOWED = [
  // user and locale
  ...["LC_*", "TZ", "SHELL", "USER", "LOGNAME"],
  // folders of toolchains, from setup actions
  ...["JAVA_HOME*", "GRADLE_HOME", "MAVEN_HOME", "M2_HOME", "SDKMAN_DIR", "ANDROID_HOME", "ANDROID_SDK_ROOT"],
  ...["GOROOT", "GOPATH", "GOMODCACHE", "GOTOOLCHAIN", "CARGO_HOME", "RUSTUP_HOME", "RUSTUP_TOOLCHAIN"],
  ...["PYENV_ROOT", "pythonLocation", "Python_ROOT_DIR", "Python2_ROOT_DIR", "Python3_ROOT_DIR", "CONDA"],
  ...["RBENV_ROOT", "GEM_HOME", "GEM_PATH", "PHPENV_ROOT", "DOTNET_ROOT*", "ASDF_DATA_DIR", "MISE_DATA_DIR"],
  ...["NVM_DIR", "VOLTA_HOME", "PNPM_HOME", "BUN_INSTALL", "DENO_INSTALL", "COREPACK_HOME"],
  ...["RUNNER_TOOL_CACHE", "AGENT_TOOLSDIRECTORY", "LD_LIBRARY_PATH", "PKG_CONFIG_PATH"],
  // access to registries
  ...["npm_config_registry", "NPM_CONFIG_REGISTRY", "npm_config_cafile", "NPM_CONFIG_CAFILE"],
  ...["YARN_NPM_REGISTRY_SERVER", "COREPACK_NPM_REGISTRY", "PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "PIP_FIND_LINKS"],
  ...["PIP_CERT", "PIP_DEFAULT_TIMEOUT", "PIP_DISABLE_PIP_VERSION_CHECK", "UV_INDEX_URL", "UV_DEFAULT_INDEX"],
  ...["UV_FIND_LINKS", "GOPROXY", "GOSUMDB", "GONOSUMDB", "GONOPROXY", "GOPRIVATE", "CARGO_HTTP_CAINFO"],
  ...["RUSTUP_DIST_SERVER", "RUSTUP_UPDATE_ROOT", "RUSTUP_AUTO_INSTALL"],
  ...["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "GIT_SSL_CAINFO"],
  ...["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "no_proxy", "all_proxy"],
];
const ALLOWED_NAMES = new Set(ALLOWED.filter((name) => !name.endsWith("*")));
const ALLOWED_BEGINNINGS = ALLOWED.filter((name) => name.endsWith("*")).map((name) => name.slice(0, -1));

/**
 * Toolchains that are in the home folder by default: the folder in it → the variable for another path. A stage has
 * another home, so it gets variables for those that exist in the real home.
 */
export const TOOLCHAIN_FOLDERS: Readonly<Record<string, string>> = {
  ".cargo": "CARGO_HOME",
  ".rustup": "RUSTUP_HOME",
  go: "GOPATH",
  ".pyenv": "PYENV_ROOT",
  ".rbenv": "RBENV_ROOT",
  ".nvm": "NVM_DIR",
  ".volta": "VOLTA_HOME",
  ".sdkman": "SDKMAN_DIR",
  ".bun": "BUN_INSTALL",
  ".mix": "MIX_HOME",
  ".asdf": "ASDF_DATA_DIR",
  ".local/share/pnpm": "PNPM_HOME",
  ".local/share/mise": "MISE_DATA_DIR",
};

const DEFAULT_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
const SECRET_NAME = /TOKEN|KEY|SECRET|PASS(?:WORD|WD|PHRASE)|CREDENTIAL|AUTH/i;
/** The same names in a query, such as `?token=`. */
const SECRET_QUERY = /[?&][^=&]*(?:token|key|secret|pass|auth|sig)[^=&]*=/i;
/**
 * `user:password@`, with or without a scheme, and a lone `token@` before a host. Bounded, so that time stays linear.
 */
const USER_INFO = /[^\s:@/]{1,512}:[^\s@/]{1,512}@|:\/\/[^\s/@]{1,512}@/;
/** Tokens with a known format: GitHub's, GitLab's, npm's, Slack's, AWS's, model providers', JWT, PEM. */
const SECRET_VALUE =
  /\b(?:gh[a-z]_|github_pat_|glpat-|npm_|xox[a-z]-|sk-)[\w-]{16}|\b(?:AKIA|ASIA)[A-Z0-9]{16}|\beyJ[\w-]{8,}\.|-----BEGIN /;

/** Returns the variables of a stage for a home. The temporary folder is next to that home. */
export type StageVariables = (options: {
  home: string;
  pathFirst: readonly string[];
  extra: Readonly<Record<string, string>>;
}) => Record<string, string>;

/** True for a variable that a stage must not see, by its name or the format of its value. */
export function looksLikeSecret(name: string, value: string): boolean {
  return SECRET_NAME.test(name) || carriesCredentials(value);
}

function carriesCredentials(value: string): boolean {
  return USER_INFO.test(value) || SECRET_QUERY.test(value) || SECRET_VALUE.test(value);
}

/**
 * All variables of a stage: from `source` only those on the list that do not look like a secret, and none of the
 * runner's own (`GITHUB_*`, `ACTIONS_*`, `INPUT_*`, `RUNNER_*` except the tool cache). `home` and `tmp` are folders for
 * the stage. `pathFirst` are absolute folders at the start of PATH. `extra` comes from verify.json and overrides.
 * `toolchains`: the real home, and which keys of `TOOLCHAIN_FOLDERS` exist in it.
 */
export function stageVariables(options: {
  readonly source: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly tmp: string;
  readonly pathFirst: readonly string[];
  readonly extra: Readonly<Record<string, string>>;
  readonly toolchains?: {readonly realHome: string; readonly existing: readonly string[]};
}): Record<string, string> {
  const copiedVariables = Object.entries(options.source).flatMap(([name, value]) =>
    value !== undefined && isPassedOn(name, value) ? [[name, value] as const] : [],
  );
  const toolchains = (options.toolchains?.existing ?? []).flatMap((folder) => {
    const name = TOOLCHAIN_FOLDERS[folder];
    return name === undefined ? [] : [[name, `${options.toolchains?.realHome}/${folder}`] as const];
  });
  return {
    ...Object.fromEntries(toolchains),
    ...Object.fromEntries(copiedVariables),
    PATH: searchPath(options.pathFirst, options.source["PATH"] ?? DEFAULT_PATH),
    LANG: options.source["LANG"] || "C.UTF-8",
    HOME: options.home,
    TMPDIR: options.tmp,
    TERM: "dumb",
    CI: "true",
    ...options.extra,
  };
}

/** True for a variable of the machine that a stage gets unchanged. */
export function isPassedOn(name: string, value: string): boolean {
  return isAllowed(name) && !looksLikeSecret(name, value);
}

function isAllowed(name: string): boolean {
  return ALLOWED_NAMES.has(name) || ALLOWED_BEGINNINGS.some((beginning) => name.startsWith(beginning));
}

/**
 * Removes empty and relative entries: they mean the working folder, where a change could put its own `git` or `node`.
 */
function searchPath(first: readonly string[], path: string): string {
  return [...first, ...path.split(":")].filter((folder) => folder.startsWith("/")).join(":");
}
