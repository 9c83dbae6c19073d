/** Lines of configuration that decide where dependencies come from, or whether downloads are verified. */

interface RegistrySetting {
  /** their names, or a pattern */
  readonly files: readonly string[] | RegExp;
  readonly line: RegExp;
  /** the source that the package manager uses anyway */
  readonly standard?: RegExp;
}

export const REGISTRY_SETTINGS: readonly RegistrySetting[] = [
  {
    files: [".npmrc", ".yarnrc", ".yarnrc.yml", "bunfig.toml", ".pnpmrc", "pnpm-workspace.yaml"],
    line: /^\s*"?(?:@[\w-]+:)?(?:registry|npmRegistryServer|npmScopes|strict-ssl|strictSsl|enableStrictSsl|checksumBehavior|unsafeHttpWhitelist)"?\s*[=: ]/,
  },
  {
    files: /(?:^|\/)(?:pip\.conf|[^/]*requirements[^/]*\.(?:txt|in)|Pipfile|uv\.toml)$/,
    line: /^\s*(?:--?)?(?:i\b|index-url|extra-index-url|find-links|trusted-host|url|index-strategy)\s*[= ]/,
  },
  {
    files: ["pyproject.toml"],
    line: /^\s*\[\[tool\.(?:uv\.index|poetry\.source|pdm\.source)\]\]|^\s*(?:index-url|extra-index-url|index-strategy)\s*=/,
  },
  {
    files: /(?:^|\/)\.cargo\/config(?:\.toml)?$/,
    line: /^\s*(?:replace-with|registry|index|local-registry)\s*=|^\s*\[source\./,
  },
  {
    files: /(?:^|\/)(?:go\.env|\.envrc|\.env[^/]*|Makefile|[^/]+\.sh|\.github\/workflows\/[^/]+\.ya?ml)$/,
    line: /\b(?:GOPROXY|GONOSUMDB|GONOSUMCHECK|GOINSECURE|GOSUMDB|npm_config_registry|PIP_INDEX_URL|PIP_EXTRA_INDEX_URL|UV_INDEX_URL|UV_DEFAULT_INDEX)\s*[=:]/i,
  },
  {files: ["pom.xml", "settings.xml"], line: /<(?:repository|pluginRepository|mirror)>/},
  {
    files: ["build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"],
    line: /\bmaven\s*[({].*\burl|\burl\s*=?\s*(?:uri)?\(?["']https?:/,
  },
  {
    files: ["Gemfile", "gems.rb"],
    line: /^\s*source\s+["']/,
    standard: /^\s*source\s+["']https:\/\/rubygems\.org\/?["']/,
  },
  {files: /(?:^|\/)[Nn]u[Gg]et\.[Cc]onfig$/, line: /<add\s+key=.*\bvalue="https?:/},
];
