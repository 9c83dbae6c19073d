/** PHP: composer projects, by their scripts first and their tools second. */
import type {Note, Origin} from "../../record/plan.ts";
import type {StageKind} from "../../record/words.ts";
import {plainWords} from "../../shell/split.ts";
import {kindOfName, kindOfWords} from "../../shell/stage-kind.ts";
import {mapOf, textAt, textsOf, valueAt} from "../files/manifest-values.ts";
import {inside, type Project} from "../files/project.ts";
import {findFirst, foldersBelow, stageFactory} from "../proposals/candidate-stages.ts";
import {type CandidateStage, type Ecosystem, EMPTY_PROPOSAL} from "../proposals/ecosystem.ts";
import {screen, screenName} from "../proposals/screen.ts";

const PHP = {name: "php", hint: "add the step `shivammathur/setup-php` before Assay"};
const COMPOSER = {name: "composer", hint: "add the step `shivammathur/setup-php` before Assay"};
const MAX_SCRIPTS = 200;
/** Names that only PHP projects give their checks. */
const NAMED: readonly (readonly [RegExp, StageKind])[] = [
  [/^(phpstan|psalm|stan|analy[sz]e|static-analysis|static|sa|types|test:types|larastan)$/, "typecheck"],
  [/^(cs|cs[:-]?check|check[:-]cs|phpcs|pint|pint:test|test:lint|code-style|sniff|ecs|lint:check|style)$/, "lint"],
  [/^(phpunit|pest|test:unit|unit|tests?)$/, "test"],
];

interface Tool {
  readonly kind: StageKind;
  readonly command: string;
  readonly packages: readonly string[];
  /** one must be there; none: the package is enough */
  readonly configs: readonly string[];
  readonly slot?: string;
}

const TOOLS: readonly Tool[] = [
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
  {kind: "lint", command: "pint --test", packages: ["laravel/pint"], configs: []},
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
  {kind: "test", command: "pest", packages: ["pestphp/pest"], configs: [], slot: "php:test"},
  {
    kind: "test",
    command: "phpunit",
    packages: ["phpunit/phpunit"],
    configs: ["phpunit.xml", "phpunit.xml.dist", "phpunit.dist.xml"],
    slot: "php:test",
  },
  {
    kind: "test",
    command: "simple-phpunit",
    packages: ["symfony/phpunit-bridge"],
    configs: ["phpunit.xml", "phpunit.xml.dist", "phpunit.dist.xml"],
    slot: "php:test",
  },
];

export const php: Ecosystem = {
  name: "php",
  title: "PHP",
  manifests: ["composer.json"],
  where: "anywhere",
  detect({project, root}) {
    const file = inside(root, "composer.json");
    const manifest = project.json(file);
    if (manifest === undefined) return EMPTY_PROPOSAL;
    const notes: Note[] = [];
    const bin = valueAt(manifest, "config", "bin-dir");
    const path = [inside(root, typeof bin === "string" && /^[\w./-]+$/.test(bin) ? bin : "vendor/bin")];
    const draft = stageFactory({cwd: root, tool: PHP, path});
    const found = [...scripts({file, manifest, draft, notes}), ...fromTools({project, root, file, manifest, draft})];
    const stages = [...new Map(found.map((one) => [`${one.kind} ${one.command}`, one])).values()];
    if (stages.length === 0) return {...EMPTY_PROPOSAL, notes};
    const lock = inside(root, "composer.lock");
    const env = inside(root, ".env.example");
    const isLaravel = project.has(inside(root, "artisan")) && project.has(env);
    return {
      stages,
      setup: [
        {
          command: "composer install --no-interaction --no-progress --prefer-dist --no-scripts",
          cwd: root,
          inputs: [file, lock],
          provides: [inside(root, "vendor")],
          tools: [PHP, COMPOSER],
          origin: project.has(lock)
            ? {file: lock, key: "packages", why: "installed from the lock file"}
            : {file, key: "composer.json", why: "there is no lock file: versions may drift"},
        },
        ...(isLaravel
          ? [
              {
                command: "cp .env.example .env && php artisan key:generate --force",
                cwd: root,
                inputs: [env],
                provides: [],
                tools: [PHP],
                origin: {file: env, key: "APP_KEY", why: "a Laravel application does not start without a key"},
              },
            ]
          : []),
      ],
      notes,
      covers: replacedBy({project, root, manifest}),
    };
  },
};

/** Packages that this one replaces are its own parts, split off for those who want one alone; its tests are theirs. */
function replacedBy({project, root, manifest}: {project: Project; root: string; manifest: unknown}): string[] {
  const replaced = mapOf(valueAt(manifest, "replace"));
  if (replaced.size === 0) return [];
  return foldersBelow(project, root, ["composer.json"]).filter((folder) =>
    replaced.has(textAt(project.json(inside(folder, "composer.json")), "name") ?? ""),
  );
}

interface Look {
  readonly file: string;
  readonly manifest: unknown;
  readonly draft: ReturnType<typeof stageFactory>;
}

function scripts(look: Look & {notes: Note[]}): CandidateStage[] {
  const all = mapOf(valueAt(look.manifest, "scripts"));
  return [...all.keys()].flatMap((name): CandidateStage[] => {
    const kind = NAMED.find(([pattern]) => pattern.test(name))?.[1] ?? kindOfName(name);
    if (kind === null || kind === "build" || !/^[\w:.@/-]+$/.test(name)) return [];
    const runs = bodyOf(all, name, new Set());
    const about = `${look.file} scripts.${name}`;
    if (runs.length === 0) return [];
    const unsafe = [screenName(name), ...runs.map(screen)].find((one) => one.kind !== "ok" && one.kind !== "unknown");
    const [line = ""] = runs;
    const direct = runs.length === 1 && plainWords(line) !== null;
    const twin = unsafe !== undefined && "instead" in unsafe && direct ? unsafe.instead : undefined;
    if (unsafe !== undefined && twin === undefined) {
      look.notes.push({about, text: `passed over: ${"why" in unsafe ? unsafe.why : "it checks nothing"}`});
      return [];
    }
    const kindOfRun = (run: string): StageKind | null => kindOfWords(plainWords(run) ?? []);
    const kinds = new Set(runs.map(kindOfRun).filter((one) => one !== null));
    const told = kinds.size === 1 ? ([...kinds][0] ?? kind) : kind;
    const origin: Origin = {file: look.file, key: `scripts.${name}`, why: `the script \`${name}\``};
    if (kinds.size > 1 && runs.every((run) => kindOfRun(run) !== null))
      return runs.map((run) => {
        const part = kindOfRun(run) ?? told;
        const why = `${origin.why}, taken apart`;
        return look.draft(part, run, {...origin, why}, {evidence: "named", slot: `php:script:${part}:${baseOf(run)}`});
      });
    // Composer ends its scripts after 300 s, so one that is a plain command is started directly.
    return [
      direct
        ? look.draft(told, twin ?? line, origin, {evidence: "named", slot: `php:script:${told}:${baseOf(line)}`})
        : look.draft(told, `composer run-script ${name}`, origin, {
            evidence: "named",
            tools: [PHP, COMPOSER],
            slot: `php:script:${told}`,
            runs,
          }),
    ];
  });
}

const baseOf = (line: string): string => /^(?:php )?(?:\S*\/)?([\w.-]+)/.exec(line)?.[1] ?? line;

/** The plain lines that a script comes down to; `@name` starts another script. */
function bodyOf(all: ReadonlyMap<string, unknown>, name: string, seen: Set<string>): string[] {
  const body = all.get(name);
  const lines = typeof body === "string" ? [body] : textsOf(body);
  // Each script is read once: those that start each other would be read without end, or as good as.
  if (seen.has(name) || seen.size > MAX_SCRIPTS) return [];
  seen.add(name);
  return lines.slice(0, 50).flatMap((line) => {
    const reference = /^@(?!php\b|composer\b|putenv\b)([\w:.-]+)/.exec(line)?.[1];
    if (reference !== undefined) return all.has(reference) ? bodyOf(all, reference, seen) : [];
    // What is left are settings, such as its time limit, and calls of PHP functions.
    if (/^@putenv|^Composer\\\\?Config|^[A-Z][\w\\]*::/.test(line)) return [];
    return [
      line
        .replace(/^@php\s+(?=(?:\.\/)?vendor\/bin\/|[\w-]+(?:\s|$))(?!artisan\b)/, "")
        .replace(/^@(php|composer)\b/, "$1"),
    ];
  });
}

function fromTools({project, root, file, manifest, draft}: Look & {project: Project; root: string}): CandidateStage[] {
  const declared = new Map(
    ["require", "require-dev"].flatMap((key) =>
      [...mapOf(valueAt(manifest, key)).keys()].map((name) => [name, key] as const),
    ),
  );
  // A part of a larger project, and one that has its tools elsewhere, is tested by a phpunit of the machine.
  const untold = !TOOLS.some((tool) => tool.kind === "test" && tool.packages.some((one) => declared.has(one)));
  return TOOLS.flatMap((tool): CandidateStage[] => {
    const config = findFirst(project, root, tool.configs);
    const name =
      tool.packages.find((one) => declared.has(one)) ??
      (untold && tool.command === "phpunit" && config !== null ? tool.command : undefined);
    if (name === undefined || (tool.configs.length > 0 && config === null)) return [];
    const origin =
      config === null
        ? {file, key: `${declared.get(name)}.${name}`, why: `${name} is a dependency`}
        : {
            file: config,
            key: config.slice(config.lastIndexOf("/") + 1),
            why: `${tool.command.split(" ")[0]} is configured`,
          };
    const slot = tool.slot === undefined ? {} : {slot: tool.slot};
    return [draft(tool.kind, tool.command, origin, {evidence: "tool", ...slot})];
  });
}
