/** The commands that must not run as a check, each with its read-only variant if the tool has one. */

export type UnsafeKind = "watch" | "mutates" | "browser" | "service" | "release" | "server" | "download" | "privileged";

export interface ScreenRule {
  /**
   * The command's words in order: its program, then its plain words; `a|b` are alternatives. `-x` must be among its options,
   * `!-x` must not.
   */
  readonly match: string;
  readonly kind: UnsafeKind;
  /** how to make it a check: options to drop, words to replace, options to add */
  readonly drop?: readonly string[];
  readonly swap?: Readonly<Record<string, string>>;
  readonly add?: readonly string[];
}

const MUTATES: readonly Omit<ScreenRule, "kind">[] = [
  {match: "prettier --write|-w", swap: {"--write": "--check", "-w": "--check"}},
  {
    match: "biome check|lint|format|ci --write|--fix|--apply|--unsafe|--apply-unsafe",
    drop: ["--write", "--fix", "--apply", "--unsafe", "--apply-unsafe"],
  },
  {match: "oxfmt !--check !--list-different", add: ["--check"]},
  {match: "dprint fmt", swap: {fmt: "check"}},
  {match: "black !--check !--diff", add: ["--check"]},
  {match: "isort !--check !--check-only !-c !--diff", add: ["--check-only"]},
  {match: "ruff format !--check !--diff", add: ["--check"]},
  {match: "autopep8|yapf|docformatter -i|--in-place", swap: {"-i": "--diff", "--in-place": "--diff"}},
  {match: "autoflake|pyupgrade|docformatter --in-place|-i|--py3-plus"},
  {match: "cargo fmt !--check", add: ["--check"]},
  {match: "rustfmt !--check", add: ["--check"]},
  {match: "cargo fix|update|bump|add|remove"},
  {match: "gofmt|goimports|gofumpt -w", swap: {"-w": "-l"}},
  {match: "go fmt|fix|generate"},
  {match: "golangci-lint fmt !--diff", add: ["--diff"]},
  {match: "dotnet format !--verify-no-changes", add: ["--verify-no-changes"]},
  {match: "mix format !--check-formatted", add: ["--check-formatted"]},
  {match: "terraform|tofu fmt !-check", add: ["-check"]},
  {match: "dart format !--set-exit-if-changed", add: ["--output=none", "--set-exit-if-changed"]},
  {match: "dart fix"},
  {match: "php-cs-fixer fix !--dry-run", add: ["--dry-run"]},
  {match: "pint !--test", add: ["--test"]},
  {match: "phpcbf"},
  {match: "rector process !--dry-run", add: ["--dry-run"]},
  {match: "deno fmt !--check", add: ["--check"]},
  {match: "clang-format -i", drop: ["-i"], add: ["--dry-run", "-Werror"]},
  {match: "shfmt -w", swap: {"-w": "-d"}},
  {match: "stylua !--check", add: ["--check"]},
  {match: "taplo fmt|format !--check", add: ["--check"]},
  {match: "zig fmt !--check", add: ["--check"]},
  {match: "gleam format !--check", add: ["--check"]},
  {match: "buf format -w", swap: {"-w": "-d"}},
  {match: "nixfmt|alejandra !--check !-c", add: ["--check"]},
  {
    match: "rubocop|standardrb -a|-A|-x|--auto-correct|--autocorrect|--auto-correct-all|--autocorrect-all|--fix",
    drop: ["-a", "-A", "-x", "--auto-correct", "--autocorrect", "--auto-correct-all", "--autocorrect-all", "--fix"],
  },
  {match: "swift-format format|-i|--in-place"},
  {match: "swift format !lint -i|--in-place"},
  {match: "swiftformat !--lint", add: ["--lint"]},
  {match: "ktlint -F|--format", drop: ["-F", "--format"]},
  {match: "ormolu|fourmolu -i|--mode=inplace"},
  {match: "sbt scalafmt|scalafmtAll", swap: {scalafmt: "scalafmtCheck", scalafmtAll: "scalafmtCheckAll"}},
  {
    match: "gradle|gradlew spotlessApply|ktlintFormat|format",
    swap: {spotlessApply: "spotlessCheck", ktlintFormat: "ktlintCheck"},
  },
  {match: "sort-package-json !--check", add: ["--check"]},
  {match: "syncpack fix|format|fix-mismatches"},
  {match: "npm audit|pkg|version|init|update|dedupe|shrinkwrap"},
  {match: "doctoc !--dryrun", add: ["--dryrun"]},
  {match: "lint-staged|husky|auto-changelog|conventional-changelog|all-contributors|simple-git-hooks"},
  {match: "git add|rm|mv|checkout|switch|restore|reset|clean|stash|merge|rebase|apply|am|pull|submodule"},
  {match: "sed|perl -i|-pi"},
];

const RULES_BY_KIND: readonly (readonly [Exclude<UnsafeKind, "mutates">, readonly string[]])[] = [
  [
    "watch",
    [
      "nodemon|chokidar|tsc-watch|watchexec|entr|ts-node-dev|tsnd|onchange|guard|ptw|pytest-watch|watch|gow|air|reflex",
      "cargo watch",
      "turbo|nx|vitest watch",
      "mix test.watch",
    ],
  ],
  [
    "release",
    [
      "npm|pnpm|yarn|bun|cargo|poetry|uv|hatch|flit|pdm|lerna|nx|vsce|ovsx|twine|gem|dart|flutter publish|upload|push|unpublish|pub|deprecate|dist-tag",
      "changeset publish|version|tag",
      "lerna version",
      "semantic-release|release-it|standard-version|np|bumpp|bump2version|bump-my-version|bumpversion|changelogen|gh-pages|surge|commit-and-tag-version|release-please|cargo-release|goreleaser|vercel|netlify|serverless|sls|heroku|flyctl|fly|firebase|cdk|sam|eas|fastlane|twine",
      "wrangler deploy|publish|pages",
      "git push|tag|commit|send-email",
      "gh release|pr|workflow|api",
      "mvn|mvnw deploy|release:prepare|release:perform",
      "gradle|gradlew publish|publishToMavenLocal|closeAndReleaseRepository|uploadArchives",
      "mix hex.publish",
      "dotnet nuget|publish",
      "rake release",
      "sbt publish|publishSigned|publishLocal",
      "docker push|login",
    ],
  ],
  [
    "server",
    [
      "vite !build|optimize|preview",
      "vite preview",
      "next|nuxt|nuxi|astro|remix|gatsby|expo|wrangler|docusaurus|storybook|vitepress|vuepress|tauri|ionic|medusa|strapi|payload|sanity|convex|react-router|waku|rsbuild|rspack|svelte-package|hugo|jekyll|mkdocs|zola|eleventy|wmr|snowpack|parcel|webpack|start-storybook|netlify|vercel|quasar dev|start|serve|server|develop|preview|watch",
      "webpack-dev-server|serve|http-server|live-server|browser-sync|json-server|flask|uvicorn|gunicorn|hypercorn|daphne|puma|unicorn|foreman|overmind|honcho|pm2|forever|concurrently-dev|electron|start-storybook|tauri|jupyter|streamlit",
      "react-scripts|ng|vue-cli-service serve|start",
      "rails|bin/rails s|server|console|c",
      "artisan serve|tinker|queue:work",
      "php -S",
      "manage.py runserver|shell|migrate|makemigrations|createsuperuser",
      "mvn|mvnw spring-boot:run|quarkus:dev|jetty:run",
      "gradle|gradlew bootRun|run|quarkusDev",
      "dotnet watch",
      "mix phx.server",
      "deno serve|run --watch",
      "flutter run|drive|install|attach",
      "react-native|expo start|run-android|run-ios|run:android|run:ios",
    ],
  ],
  [
    "browser",
    [
      "playwright|cypress|wdio|nightwatch|testcafe|karma|web-test-runner|wtr|detox|protractor|testem|airtap|electron-mocha|appium|maestro|storycap|backstop|percy|chromatic|loki|test-storybook|ember|xvfb-run|codeceptjs|lhci|lighthouse|pa11y|zuul",
      "ng e2e|test",
      "vitest --browser",
      "wasm-pack test --chrome|--firefox|--safari|--headless",
      "adb|emulator|avdmanager|xcrun|xcodebuild",
    ],
  ],
  [
    "service",
    [
      "docker|docker-compose|podman|nerdctl|kubectl|minikube|kind|k3d|vagrant|psql|mysql|mongosh|redis-cli|supabase|systemctl|ssh|scp|rsync|aws|gcloud|az|act|pulumi|ansible|ansible-playbook|start-server-and-test|start-test|localstack|tilt|skaffold|helmfile|dagger|earthly",
      "helm install|upgrade|uninstall|test",
      "terraform|tofu apply|plan|destroy|import|refresh",
      "prisma migrate|db|studio",
      "drizzle-kit push|migrate|studio",
      "knex|sequelize|typeorm|alembic|flyway|liquibase|dbmate|atlas migrate:latest|db:migrate|migration:run|upgrade|downgrade|migrate|up",
      "rails|rake db:migrate|db:setup|db:create|db:reset|db:drop|db:seed",
      "artisan migrate|db:seed|migrate:fresh",
      "codecov|coveralls|sonar-scanner|snyk|fossa",
    ],
  ],
  [
    "download",
    [
      "npm|pnpm|yarn|bun install|i|ci|add|link|import|up|upgrade",
      "npm|pnpm|yarn|bun create|init|dlx",
      "pip|pip3|pipx|pipenv|poetry|pdm|uv|rye|conda|mamba install|sync|add|lock|update|create",
      "uv pip|tool|venv",
      "gem|bundle|bundler install|update|add",
      "composer install|update|require|global",
      "go get|install|mod",
      "cargo install|binstall|fetch",
      "rustup|apt|apt-get|apk|yum|dnf|pacman|brew|choco|winget|snap|nix-env|sdk|asdf|curl|wget|nvm|fnm|volta|bower|jspm",
      "mix deps.get|deps.update|local.hex|local.rebar|archive.install",
      "dotnet tool|restore|workload",
      "flutter|dart pub",
      "playwright|cypress|puppeteer install",
      "uvx|pnpx|pipx",
      "git clone|fetch|lfs",
    ],
  ],
  ["privileged", ["sudo|doas|su|chown|mount|umount|modprobe|sysctl|launchctl|crontab|shutdown|reboot"]],
];

/** Options that write files in every tool, except with a value that disables them. */
export const WRITING_OPTION =
  /^--(fix|write|apply|auto-?correct|in-?place|inplace|update-?snapshots?|overwrite|bless|accept|apply-unsafe|fix-all|updateSnapshot)(=(?!false|no|0|off|none).*)?$/;
/** Options that keep a tool running. */
export const WATCHING_OPTION = /^--(watch|watchAll|watch-all|hot|serve|open|ui)(=(?!false|no|0).*)?$/;
/** Options with which a script of the project installs its dependencies. */
export const INSTALLING_OPTION = /^--?install(-deps|-tools)?$/;
/** Tools for which `-w` means watch. */
export const WATCHES_BY_W =
  /^(tsc|tsgo|vue-tsc|rollup|mocha|babel|webpack|rspack|swc|tsup|tsdown|esbuild|sass|postcss|tailwindcss|rsbuild|ava)$/;
/** Test runners for which `-u` rewrites snapshots. */
export const UPDATES_BY_U = /^(vitest|jest|ava)$/;

export const SCREEN_RULES: readonly ScreenRule[] = [
  ...RULES_BY_KIND.flatMap(([kind, matches]) => matches.map((match) => ({kind, match}))),
  ...MUTATES.map((rule) => ({...rule, kind: "mutates" as const})),
];

/** Parts of a name that mark a server only if no other part marks a check: `test:run` and `lint:server` are checks. */
export const SERVER_NAME = /^(server|console|shell|run|demo|playground|open)$/;

/** Options whose values are the tests that a runner excludes. */
export const EXCLUDING_OPTION = /exclude|ignore|skip|deselect|invert|not-|spec-pattern/i;
/** A config, a project or a folder of tests that needs a browser: `vitest -c vitest.config.e2e.ts`, `jest --project e2e`. */
export const BROWSER_TESTS = /(^|[-_./:=])(e2e|playwright|cypress|webdriver)([-_./:]|$)/i;

/** Parts of a script's or target's name that mark it as unsafe, whatever its body is. */
export const UNSAFE_NAMES: readonly (readonly [UnsafeKind, RegExp])[] = [
  [
    "browser",
    /^(e2e|playwright|cypress|browsers?|webdriver|selenium|puppeteer|visual|storybook|chromatic|lighthouse|a11y|android|ios|electron|simulator|emulator|chrome|firefox|safari|karma|screenshots?)$/,
  ],
  [
    "service",
    /^(integration|acceptance|system|smoke|docker|compose|database|migrate|migration|seed|production|staging|live|remote|load|stress|soak|sandbox|cloud|aws|gcp|azure|k8s|kubernetes|external|network)$/,
  ],
  ["watch", /^(watch|watcher|dev|develop|tdd|repl|debug|inspect)$/],
  ["server", /^(start|serve|preview)$/],
  [
    "mutates",
    /^(fix|fixes|write|update|updates|apply|autofix|autocorrect|format|fmt|bless|generate|gen|codegen|regenerate|clean|clobber|reset|init|setup|bootstrap|install|uninstall|prepare|postinstall|upgrade|bump|bumps|sync|snapshot|snapshots|changelog|scaffold)$/,
  ],
  [
    "release",
    /^(release|releases|publish|deploy|deployment|push|upload|ship|tag|version|sign|signoff|notarize|canary|nightly|prerelease)$/,
  ],
];
