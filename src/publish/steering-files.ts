/** The files of a repository that instruct agents, grant permissions or change what programs do, with their sources. */

interface SteeringFiles {
  /** the program or service that reads them */
  readonly reader: string;
  /** a name in any folder; with a leading slash only at the root, and with a slash at the end a folder */
  readonly files: readonly string[];
  /** the page that says so */
  readonly source: string;
  /** whether a change to them is kept from being published, or published and named */
  readonly level: "blocked" | "flagged";
}

const row = (reader: string, files: string, source: string, level: SteeringFiles["level"] = "blocked") => ({
  ...{reader, level},
  files: files.split(" "),
  source: `https://${source}`,
});

/** On a pull request, the agent gets the default branch's version of each. */
export const STEERING_FILES: readonly SteeringFiles[] = [
  row("agents of several makers", "AGENTS.md .agents/", "agents.md"),
  row("Codex", "AGENTS.override.md .codex/", "developers.openai.com/codex/guides/agents-md"),
  row("Claude Code", "CLAUDE.md CLAUDE.local.md .claude/ .claude.json .mcp.json", "code.claude.com/docs/en/memory"),
  row("Gemini CLI", "GEMINI.md .gemini/", "geminicli.com/docs/cli/gemini-md"),
  row("pi", ".pi/", "github.com/badlogic/pi-mono/tree/main/packages/coding-agent"),
  row("OpenCode", "opencode.json opencode.jsonc .opencode/ AGENTS.local.md", "opencode.ai/docs/rules"),
  // Blocked, it would hold back every change to a page about "context".
  row("OpenCode", "CONTEXT.md", "github.com/anomalyco/opencode/blob/dev/packages/opencode/src/session", "flagged"),
  row(
    "GitHub Copilot",
    "/.github/copilot-instructions.md /.github/instructions/ /.github/agents/ /.github/prompts/ /.github/chatmodes/",
    "docs.github.com/en/copilot/reference/custom-instructions-support",
  ),
  row(
    "GitHub Copilot",
    ".copilot/ /.github/copilot/ /.github/hooks/ /.github/skills/ /.github/mcp.json",
    "docs.github.com/en/copilot/reference/hooks-configuration",
  ),
  row("Aider", ".aider.conf.yml", "aider.chat/docs/config/aider_conf.html"),
  row("Amazon Q", ".amazonq/", "docs.aws.amazon.com/amazonq/latest/qdeveloper-ug/context-project-rules.html"),
  row("Amp", "AGENT.md .amp/", "ampcode.com/manual"),
  row("Augment", ".augment/ .augment-guidelines", "docs.augmentcode.com/setup-augment/guidelines"),
  row("Cline", ".clinerules/", "docs.cline.bot/features/cline-rules"),
  row("Continue", ".continue/ .continuerules", "docs.continue.dev/customize/deep-dives/rules"),
  row("Crush", "CRUSH.md CRUSH.local.md crush.json .crush.json .crush/", "github.com/charmbracelet/crush"),
  row("Cursor", ".cursor/ .cursorrules", "cursor.com/docs/context/rules"),
  row("Factory", ".factory/", "docs.factory.ai/cli/configuration/custom-droids"),
  row("goose", ".goosehints .goose/", "block.github.io/goose/docs/guides/context-engineering/using-goosehints"),
  row("Junie", ".junie/", "www.jetbrains.com/help/junie/customize-guidelines.html"),
  row("Kilo Code", ".kilocode/ .kilocodemodes", "kilo.ai/docs/customize/custom-rules"),
  row("Kiro", ".kiro/", "kiro.dev/docs/steering"),
  row("OpenHands", ".openhands/", "docs.openhands.dev/usage/prompting/repository"),
  row("Qwen Code", "QWEN.md .qwen/", "qwenlm.github.io/qwen-code-docs/en/users/configuration/settings"),
  row("Replit", "replit.md .replit", "docs.replit.com/replitai/replit-dot-md"),
  row("Roo Code", ".roo/ .roorules .roorules-* .roomodes", "docs.roocode.com/features/custom-instructions"),
  row("Tabnine", ".tabnine/", "docs.tabnine.com/main/getting-started/tabnine-agent/guidelines"),
  row("Trae", ".trae/", "docs.trae.ai/ide/rules"),
  row("VS Code", ".vscode/mcp.json", "code.visualstudio.com/docs/copilot/customization/mcp-servers"),
  row("Warp", "WARP.md .warp/", "docs.warp.dev/agent-platform/capabilities/rules"),
  row("Windsurf", ".windsurf/ .windsurfrules", "docs.windsurf.com/windsurf/cascade/memories"),
  row("Zed", ".rules .zed/", "zed.dev/docs/ai/rules"),
  row("GitHub", "CODEOWNERS", "docs.github.com/articles/about-code-owners"),
  row("Settings app", "/.github/settings.yml", "github.com/apps/settings"),
  row("Kodiak", "/.kodiak.toml /.github/.kodiak.toml", "kodiakhq.com/docs/config-reference"),
  row(
    "Mergify",
    "/.mergify.yml /.mergify/config.yml /.github/mergify.yml",
    "docs.mergify.com/configuration/file-format",
  ),
  row("policy-bot", "/.policy.yml", "github.com/palantir/policy-bot"),
  row("Prow", "OWNERS OWNERS_ALIASES", "www.kubernetes.dev/docs/guide/owners"),
  row("git", ".gitmodules .husky/ .githooks/ .git-hooks/", "git-scm.com/docs/gitmodules"),
  row("Git LFS", "/.lfsconfig", "github.com/git-lfs/git-lfs/blob/main/docs/man/git-lfs-config.adoc"),
  // github.com/github/gitignore/blob/main/Node.gitignore keeps only the example: it describes the variables for people.
  row("Bun, Vite, Gemini CLI", ".env .env.!(example)", "bun.com/docs/runtime/environment-variables"),
  row("direnv", ".envrc", "direnv.net"),
  row(
    "mise",
    "mise.toml mise.*.toml .mise.toml .mise.*.toml .mise/ mise/config.toml .config/mise.toml .config/mise/",
    "mise.jdx.dev/configuration.html",
  ),
  row("asdf", ".tool-versions", "asdf-vm.com/manage/configuration.html", "flagged"),
  row(
    "JetBrains IDEs",
    ".idea/runConfigurations/ *.run.xml",
    "www.jetbrains.com/help/idea/run-debug-configuration.html",
  ),
  row("ripgrep", ".ripgreprc", "github.com/BurntSushi/ripgrep/blob/master/GUIDE.md"),
  row("Bun", "bunfig.toml", "bun.com/docs/runtime/bunfig", "flagged"),
  row("npm", ".npmrc", "docs.npmjs.com/cli/configuring-npm/npmrc", "flagged"),
  row("pnpm", ".pnpmfile.cjs .pnpmfile.mjs", "pnpm.io/pnpmfile", "flagged"),
  row("Yarn", ".yarnrc*", "yarnpkg.com/configuration/yarnrc", "flagged"),
];
