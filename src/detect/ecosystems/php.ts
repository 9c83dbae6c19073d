/** PHP: composer projects, first by their scripts, then by their tools. */
import {COMPOSER_INSTALL} from "../../tools/php.ts";
import {kindOfName} from "../../tools/stage-kind.ts";
import {mapOf, textAt, textsOf, valueAt} from "../files/manifest-values.ts";
import {inside, type Project} from "../files/project.ts";
import {candidatesOf, foldersBelow, originOf} from "../proposals/candidate-stages.ts";
import type {CheckRow, Ecosystem, ProjectFolder, Proposal} from "../proposals/ecosystem.ts";
import {screen} from "../proposals/screen.ts";
import {screenName} from "../proposals/screen-name.ts";

export const php: Ecosystem = {name: "php", title: "PHP", manifests: ["composer.json"], where: "anywhere", detect};

const PHP = {name: "php", hint: "add the step `shivammathur/setup-php` before Assay"};
const COMPOSER = {name: "composer", hint: "add the step `shivammathur/setup-php` before Assay"};
const MAX_SCRIPTS = 200;
/** The events at the end of an install, in order (getcomposer.org/doc/articles/scripts.md). */
const OWN_SCRIPTS = ["pre-autoload-dump", "post-autoload-dump", "post-install-cmd"];
/** A check that runs if one of its packages is a dependency and, if it has config files, one of them exists. */
type PackagedCheck = CheckRow & {readonly packages: readonly string[]};

const PHPUNIT = ["phpunit.xml", "phpunit.xml.dist", "phpunit.dist.xml"];
const TOOLS: readonly PackagedCheck[] = [
  {
    kind: "typecheck",
    command: "phpstan analyse --no-progress --memory-limit=-1",
    packages: ["phpstan/phpstan", "larastan/larastan", "nunomaduro/larastan", "phpstan/phpstan-strict-rules"],
    configs: ["phpstan.neon", "phpstan.neon.dist", "phpstan.dist.neon"],
  },
  {
    kind: "typecheck",
    command: "psalm --no-progress",
    packages: ["vimeo/psalm"],
    configs: ["psalm.xml", "psalm.xml.dist"],
  },
  {kind: "lint", command: "pint --test", packages: ["laravel/pint"]},
  {
    kind: "lint",
    command: "php-cs-fixer fix --dry-run --diff",
    packages: ["friendsofphp/php-cs-fixer", "php-cs-fixer/shim"],
    configs: [".php-cs-fixer.php", ".php-cs-fixer.dist.php"],
  },
  {
    kind: "lint",
    command: "phpcs",
    packages: ["squizlabs/php_codesniffer", "doctrine/coding-standard", "slevomat/coding-standard"],
    configs: ["phpcs.xml", "phpcs.xml.dist", ".phpcs.xml", ".phpcs.xml.dist"],
  },
  {kind: "test", command: "pest", packages: ["pestphp/pest"], slot: "php:test"},
  {kind: "test", command: "phpunit", packages: ["phpunit/phpunit"], configs: PHPUNIT, slot: "php:test"},
  {kind: "test", command: "simple-phpunit", packages: ["symfony/phpunit-bridge"], configs: PHPUNIT, slot: "php:test"},
];

function detect({project, root}: ProjectFolder): Proposal {
  const file = inside(root, "composer.json");
  const manifest = project.json(file);
  if (manifest === undefined) return {};
  const scripts = mapOf(valueAt(manifest, "scripts"));
  const checks = [...scriptChecks(file, scripts), ...toolChecks(file, manifest)];
  const bin = textAt(manifest, "config", "bin-dir") ?? "";
  const origin = originOf(file, "there is no lock file: versions may drift");
  const path = [inside(root, /^[\w./-]+$/.test(bin) ? bin : "vendor/bin")];
  const isLaravel = ["artisan", ".env.example"].every((name) => project.has(inside(root, name)));
  const createKey = {
    command: "cp .env.example .env && php artisan key:generate --force",
    tools: [PHP],
    inputs: [".env.example"],
    origin: originOf(inside(root, ".env.example"), "a Laravel application does not start without a key", "APP_KEY"),
  };
  const stages = candidatesOf({project, root}, {tool: PHP, origin, shared: {path}, checks});
  if (stages.length === 0 && root === ".") return {};
  return {
    origin,
    checks: stages,
    installs: [
      {
        command: COMPOSER_INSTALL,
        inputs: ["composer.json", "composer.lock"],
        provides: ["vendor"],
        tools: [PHP, COMPOSER],
        lock: {file: "composer.lock", key: "packages"},
      },
      ...(isLaravel ? [createKey] : []),
      ...OWN_SCRIPTS.flatMap((event) =>
        bodyOf(scripts, event, new Set()).map((command) => ({
          ...{command, inputs: [], tools: [], ownScript: {path, env: {}}},
          origin: originOf(file, "composer runs it at each install", `scripts.${event}`),
        })),
      ),
    ],
    covers: replacedBy(project, root, mapOf(valueAt(manifest, "replace"))),
  };
}

/** Packages that this one replaces are its parts, published separately. Its tests cover them. */
function replacedBy(project: Project, root: string, replaced: ReadonlyMap<string, unknown>): string[] {
  if (replaced.size === 0) return [];
  return foldersBelow(project, root, ["composer.json"]).filter((folder) =>
    replaced.has(textAt(project.json(inside(folder, "composer.json")), "name") ?? ""),
  );
}

/** The scripts whose names are those of checks. */
function scriptChecks(file: string, scripts: ReadonlyMap<string, unknown>): CheckRow[] {
  return [...scripts.keys()].flatMap((name): CheckRow[] => {
    const kind = kindOfName(name);
    const runs = bodyOf(scripts, name, new Set());
    const isSafe = [screenName(name), ...runs.map(screen)].every((one) => one.kind === "ok" || one.kind === "unknown");
    if (kind === null || kind === "build" || runs.length === 0 || !isSafe || !/^[\w:.@/-]+$/.test(name)) return [];
    const origin = originOf(file, `the script \`${name}\``, `scripts.${name}`);
    const command = `composer run-script ${name}`;
    return [{kind, command, origin, evidence: "named", tools: [PHP, COMPOSER], slot: `php:${kind}`, runs}];
  });
}

/** The plain command lines of a script; `@name` starts another script. */
function bodyOf(all: ReadonlyMap<string, unknown>, name: string, seen: Set<string>): string[] {
  const body = all.get(name);
  const lines = typeof body === "string" ? [body] : textsOf(body);
  // Each script is read once, because scripts may start each other in a cycle.
  if (seen.has(name) || seen.size > MAX_SCRIPTS) return [];
  seen.add(name);
  return lines.slice(0, 50).flatMap((line) => {
    const reference = /^@(?!php\b|composer\b|putenv\b)([\w:.-]+)/.exec(line)?.[1];
    if (reference !== undefined) return all.has(reference) ? bodyOf(all, reference, seen) : [];
    // These lines are settings, such as the time limit, or calls of PHP functions.
    if (/^@putenv|^Composer\\\\?Config|^[A-Z][\w\\]*::/.test(line)) return [];
    return [
      line
        .replace(/^@php\s+(?=(?:\.\/)?vendor\/bin\/|[\w-]+(?:\s|$))(?!artisan\b)/, "")
        .replace(/^@(php|composer)\b/, "$1"),
    ];
  });
}

function toolChecks(file: string, manifest: unknown): CheckRow[] {
  const declaredPackages = new Map(
    ["require", "require-dev"].flatMap((key) =>
      [...mapOf(valueAt(manifest, key)).keys()].map((name) => [name, key] as const),
    ),
  );
  // A part of a larger project, or a project with tools in another folder, uses the machine's phpunit.
  const hasRunner = TOOLS.some(
    ({kind, packages}) => kind === "test" && packages.some((one) => declaredPackages.has(one)),
  );
  return TOOLS.flatMap(({packages, ...check}): CheckRow[] => {
    const name = packages.find((one) => declaredPackages.has(one));
    if (name === undefined) return !hasRunner && check.command === "phpunit" ? [check] : [];
    if (check.configs !== undefined) return [check];
    const origin = originOf(file, `${name} is a dependency`, `${declaredPackages.get(name)}.${name}`);
    return [{...check, evidence: "tool", origin}];
  });
}
