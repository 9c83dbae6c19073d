/** The commands that must not run as a check, each with its read-only variant if the tool has one. */

import {COMMANDS, programsWith} from "../../tools/all-commands.ts";
import {nameSet} from "../../tools/names.ts";
import type {UnsafeCommand, UnsafeKind} from "../../tools/tool-command.ts";

/** Unsafe commands of tools without a tool file; the tool files have those of their tools. */
const MUTATES: readonly UnsafeCommand[] = [
  {match: "dprint fmt", swap: {fmt: "check"}},
  {match: "autopep8 -i|--in-place", swap: {"-i": "--diff", "--in-place": "--diff"}, add: ["--exit-code"]},
  {match: "yapf -i|--in-place", swap: {"-i": "--diff", "--in-place": "--diff"}},
  {match: "docformatter -i|--in-place", swap: {"-i": "--check", "--in-place": "--check"}},
  {match: "autoflake|pyupgrade|docformatter --in-place|-i|--py3-plus"},
  {match: "rector process !--dry-run", add: ["--dry-run"]},
  {match: "taplo fmt|format !--check", add: ["--check"]},
  {match: "gleam format !--check", add: ["--check"]},
  {match: "buf format -w", swap: {"-w": "-d"}, add: ["--exit-code"]},
  {match: "nixfmt|alejandra !--check !-c", add: ["--check"]},
  {match: "ktlint -F|--format", drop: ["-F", "--format"]},
  {match: "sort-package-json|stylua !--check", add: ["--check"]},
  {match: "syncpack fix|format|fix-mismatches"},
  {match: "npm pkg|version|init|update|dedupe|shrinkwrap"},
  {match: "doctoc !--dryrun", add: ["--dryrun"]},
  {match: "lint-staged|husky|auto-changelog|conventional-changelog|all-contributors|simple-git-hooks"},
  {match: "manage.py|django-admin makemigrations|makemessages|collectstatic !--check !--dry-run"},
  {match: "mix deps.unlock|deps.clean|gettext.extract !--check-unused !--check-up-to-date"},
  {match: "artisan key:generate|storage:link|vendor:publish|optimize|config:cache"},
  {match: "git add|rm|mv|checkout|switch|restore|reset|clean|stash|merge|rebase|apply|am|pull"},
  {match: "sed|perl -i|-pi"},
];

/** The order of the rules: the first rule that matches a command applies. */
const KINDS = ["watch", "release", "server", "browser", "service", "download", "privileged"] as const;
const RULES_BY_KIND: Readonly<Record<Exclude<UnsafeKind, "mutates">, readonly string[]>> = {
  watch: [
    "nodemon|chokidar|tsc-watch|watchexec|entr|ibazel|fswatch|inotifywait|ghcid|rerun|reflex|watchman-make|bacon|cargo-watch|ts-node-dev|tsnd|onchange|guard|ptw|pytest-watch|watch|gow|air|reflex",
    "cargo|dotnet|deno|mix watch|test.watch",
    "lein auto|test-refresh",
  ],
  release: [
    "npm|pnpm|bun|cargo|deno|jsr publish !--dry-run",
    // Yarn 1 ignores `--dry-run`.
    "yarn publish",
    "yarn npm publish !--dry-run",
    "npm|pnpm|yarn|bun|poetry|uv|hatch|flit|pdm|vsce|ovsx|twine|gem|pkg-pr-new upload|push|unpublish|pub|deprecate|dist-tag",
    "poetry|uv|hatch|flit|pdm|vsce|ovsx|pkg-pr-new publish",
    "dart|flutter pub publish !--dry-run !-n",
    "changeset publish|version|tag",
    "semantic-release|release-it|standard-version|np|bumpp|bump2version|bump-my-version|bumpversion|changelogen|gh-pages|surge|commit-and-tag-version|release-please|cargo-release|goreleaser|vercel|netlify|serverless|sls|heroku|flyctl|fly|firebase|cdk|sam|eas|fastlane",
    "wrangler deploy|publish|pages",
    "git push|tag|commit|send-email",
    "gh release|pr|workflow|api",
    "mvn|mvnw deploy|release:prepare|release:perform",
    "gradle|gradlew publish|publishToMavenLocal|closeAndReleaseRepository|uploadArchives",
    "dotnet nuget|publish",
    "rake release",
    "docker push|login",
  ],
  server: [
    "vite !build|optimize|preview",
    "vite preview",
    "next|nuxt|nuxi|astro|remix|gatsby|expo|wrangler|docusaurus|storybook|vitepress|vuepress|tauri|ionic|medusa|strapi|payload|sanity|convex|react-router|waku|rsbuild|rspack|svelte-package|hugo|jekyll|mkdocs|zola|eleventy|wmr|snowpack|parcel|webpack|start-storybook|netlify|vercel|quasar dev|start|serve|server|develop|preview|watch",
    "webpack-dev-server|serve|http-server|live-server|browser-sync|json-server|flask|uvicorn|gunicorn|hypercorn|daphne|puma|unicorn|foreman|overmind|honcho|pm2|forever|concurrently-dev|electron|start-storybook|tauri|jupyter|streamlit",
    "http.server|SimpleHTTPServer",
    "react-scripts|ng|vue-cli-service serve|start",
    "rails|bin/rails s|server|console|c",
    "artisan serve|tinker|queue:work|queue:listen|horizon|octane:start|schedule:work|reverb:start",
    "symfony|console server:start|serve|local:server:start",
    "flutter run",
    "mix phx.server|run",
    "php -S",
    "manage.py|django-admin runserver|shell|dbshell|testserver",
    "mvn|mvnw spring-boot:run|quarkus:dev|jetty:run",
    "gradle|gradlew bootRun|run|quarkusDev",
    "react-native|expo start|run-android|run-ios|run:android|run:ios",
  ],
  browser: [
    "open|xdg-open|sensible-browser|wslview",
    "cypress|wdio|nightwatch|testcafe|web-test-runner|wtr|detox|protractor|testem|airtap|electron-mocha|appium|maestro|storycap|backstop|percy|chromatic|loki|test-storybook|ember|xvfb-run|codeceptjs|lhci|lighthouse|pa11y|zuul|karma",
    "ng e2e|test",
    "wasm-pack test --chrome|--firefox|--safari|--headless",
    "adb|emulator|avdmanager|xcrun|xcodebuild",
  ],
  service: [
    "kubectl|minikube|kind|k3d|vagrant|psql|mysql|mongosh|redis-cli|supabase|systemctl|ssh|scp|rsync|aws|gcloud|az|act|pulumi|ansible|ansible-playbook|start-server-and-test|start-test|localstack|tilt|skaffold|helmfile",
    "helm install|upgrade|uninstall|test",
    "stack --docker",
    "prisma migrate|db|studio",
    "drizzle-kit push|migrate|studio",
    "knex|sequelize|typeorm|alembic|flyway|liquibase|dbmate|atlas migrate:latest|db:migrate|migration:run|upgrade|downgrade|migrate|up",
    "rails|rake db:migrate|db:setup|db:create|db:reset|db:drop|db:seed|db:prepare|db:rollback|db:schema:load|db:structure:load|db:test:prepare|db:test:load|db:migrate:reset|db:purge",
    "diesel|sqlx|goose|migrate|tern|atlas|refinery migration|database|up|down|reset|setup|apply",
    "psql|createdb|dropdb|createuser|dropuser|sqlcmd|mongo|mongorestore|pg_restore|mariadb|clickhouse-client|cqlsh",
    "flyway|liquibase clean|repair|baseline|undo|update|rollback|dropAll|drop-all",
    "phinx migrate|rollback|seed:run",
    "artisan migrate|migrate:fresh|migrate:refresh|migrate:reset|migrate:rollback|migrate:install|db:seed|db:wipe|schema:dump",
    "manage.py|django-admin migrate|flush|loaddata|createsuperuser|sqlflush|clearsessions",
    "console doctrine:schema:drop|doctrine:migrations:migrate|doctrine:database:create|doctrine:database:drop|doctrine:schema:create|doctrine:schema:update|doctrine:fixtures:load",
    "mix ecto.migrate|ecto.reset|ecto.drop|ecto.create|ecto.setup|ecto.rollback|ecto.migrate.reset|ecto.load|ash.setup|ash.migrate",
    "npm|pnpm|yarn|bun|composer|bundle audit",
    "codecov|coveralls|sonar-scanner|snyk|fossa",
    "lychee|linkinator|markdown-link-check|blc|muffet|linkchecker|awesome_bot|html-proofer|htmlproofer !--disable-external",
  ],
  download: [
    "npm|pnpm|yarn|bun install|i|ci|add|link|import|up|upgrade|remove|uninstall|unlink",
    "npm|pnpm|yarn|bun create|init|dlx",
    "pip|pip3|pipx|pipenv|poetry|pdm|uv|rye|conda|mamba install|sync|add|lock|update|create",
    "uv pip|tool|venv",
    "gem|bundle|bundler install|update|add",
    "composer install|update|require|global",
    "dart|flutter pub get|add|upgrade|downgrade|global",
    "lein|lein-modules install|deps",
    "rustup|apt|apt-get|apk|yum|dnf|pacman|brew|choco|winget|snap|nix-env|sdk|asdf|curl|wget|nvm|fnm|volta|bower|jspm",
    "cypress|puppeteer install",
    "uvx|pnpx|pipx",
    "git clone|fetch|lfs|submodule",
  ],
  privileged: ["sudo|doas|su|chown|mount|umount|modprobe|sysctl|launchctl|crontab|shutdown|reboot"],
};

/** Options that write files in every tool, except with a value that disables them. */
export const WRITING_OPTION =
  /^--(fix|write|apply|auto-?correct|in-?place|inplace|update-?snapshots?|overwrite|bless|accept|apply-unsafe|fix-all|updateSnapshot)(=(?!false|no|0|off|none).*)?$/;
/** Options that keep a tool running. */
export const WATCHING_OPTION = /^--(watch|watchAll|watch-all|hot|serve|open|ui)(=(?!false|no|0).*)?$/;
/** Options with which a script of the project installs its dependencies. */
export const INSTALLING_OPTION = /^--?install(-deps|-tools)?$/;
/** Tools for which `-w` means watch. */
export const WATCHES_BY_W = programsWith("-w watches");
/** Test runners for which `-u` rewrites snapshots. */
export const UPDATES_BY_U = programsWith("-u updates");

/** Commands whose kind's words would not say what they do. */
const EXPLAINED: readonly UnsafeCommand[] = [
  {
    // `cross` starts a container for each command: https://github.com/cross-rs/cross#dependencies
    match: "docker|docker-compose|podman|nerdctl|buildah|dagger|earthly|cross",
    kind: "service",
    why: "builds or starts containers",
  },
  {match: "dart|nim|dotnet run", kind: "server", why: "starts a program that Assay does not know"},
];

export const SCREEN_RULES: readonly UnsafeCommand[] = [
  ...KINDS.flatMap((kind) => RULES_BY_KIND[kind].map((match) => ({kind, match}))),
  ...EXPLAINED,
  ...COMMANDS.flatMap(({unsafe = []}) => unsafe),
  ...MUTATES,
];

/** Parts of a name that mark a server only if no other part marks a check: `test:run` and `lint:server` are checks. */
export const SERVER_NAME = nameSet("server console shell run demo playground open");

/** Options whose values are the tests that a runner excludes. */
export const EXCLUDING_OPTION = /exclude|ignore|skip|deselect|invert|not-|spec-pattern/i;
/**
 * A config, a project or a folder of tests that needs a browser: `vitest -c vitest.config.e2e.ts`, `jest --project
 * e2e`.
 */
export const BROWSER_TESTS = /(^|[-_./:=])(e2e|playwright|cypress|webdriver)([-_./:]|$)/i;

/** Parts of a script's or target's name that mark it as unsafe, whatever its body is. */
export const UNSAFE_NAMES: readonly (readonly [UnsafeKind, ReadonlySet<string>])[] = [
  [
    "browser",
    nameSet(
      "e2e playwright cypress browser browsers webdriver selenium puppeteer visual storybook chromatic",
      "lighthouse a11y android ios electron simulator emulator chrome firefox safari karma screenshot",
      "screenshots",
    ),
  ],
  [
    "service",
    nameSet(
      "integration acceptance system smoke docker compose database migrate migration seed production",
      "staging live remote load stress soak sandbox cloud aws gcp azure k8s kubernetes external network",
      "links linkcheck lychee deadlink deadlinks activate drop wipe destroy purge",
    ),
  ],
  ["watch", nameSet("watch watcher dev develop tdd repl debug inspect")],
  ["server", nameSet("start serve preview")],
  [
    "mutates",
    nameSet(
      "fix fixes write update updates apply autofix autocorrect format fmt bless generate gen codegen",
      "regenerate clean clobber reset init setup bootstrap install uninstall prepare postinstall upgrade",
      "bump bumps sync snapshot snapshots changelog scaffold",
    ),
  ],
  [
    "release",
    nameSet(
      "release releases publish deploy deployment push upload ship tag version sign signoff notarize",
      "canary nightly prerelease",
    ),
  ],
];
