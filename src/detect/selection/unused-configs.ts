/** Configuration files of check tools that no stage of the plan runs: each is listed with the reason and the fix. */
import type {NotRun} from "../../record/plan.ts";
import type {StageKind} from "../../record/words.ts";
import {folderOf, inside, isBelow, type Project} from "../files/project.ts";
import type {CandidateStage} from "../proposals/ecosystem.ts";
import {PROJECT_SCRIPT} from "./from-ci.ts";
import {finalTools, startedTools} from "./select-stages.ts";

const MAX_LISTED = 50;

interface ConfiguredTool {
  readonly kind: StageKind;
  /** basenames of its own configuration files */
  readonly files: RegExp;
  /** any of these programs reads the file; the first is the one to name */
  readonly programs: readonly string[];
  /** the manifest that has to declare a package for the tool, and the names of such packages */
  readonly declared?: {readonly in: string; readonly packages: readonly string[]};
  /** false for a file that configures nothing to check */
  readonly isInUse?: (project: Project, path: string) => boolean;
}

const npm = (...packages: string[]) => ({in: "package.json", packages});
const composer = (...packages: string[]) => ({in: "composer.json", packages});

const TOOLS: readonly ConfiguredTool[] = [
  {
    kind: "typecheck",
    files: /^tsconfig\.json$/,
    programs: ["tsc", "tsgo", "vue-tsc", "svelte-check", "astro check", "deno check"],
    declared: npm("typescript", "@typescript/native-preview", "vue-tsc"),
    isInUse: namesFiles,
  },
  {
    kind: "lint",
    files: /^(eslint\.config\.[cm]?[jt]s|\.eslintrc(\.(c?js|json|ya?ml))?)$/,
    programs: ["eslint", "xo", "standard", "next lint", "ng lint"],
    declared: npm("eslint"),
  },
  {kind: "lint", files: /^\.?biome\.jsonc?$/, programs: ["biome"], declared: npm("@biomejs/biome")},
  {kind: "lint", files: /^(\.?oxlintrc\.jsonc?|oxlint\.config\..+)$/, programs: ["oxlint"], declared: npm("oxlint")},
  {kind: "test", files: /^vitest\.(config|workspace)\..+$/, programs: ["vitest"], declared: npm("vitest")},
  {kind: "test", files: /^jest\.config\..+$/, programs: ["jest"], declared: npm("jest")},
  {kind: "test", files: /^\.mocharc\..+$/, programs: ["mocha"], declared: npm("mocha")},
  {kind: "test", files: /^playwright\.config\..+$/, programs: ["playwright"], declared: npm("@playwright/test")},
  {kind: "typecheck", files: /^\.?mypy\.ini$/, programs: ["mypy"]},
  {kind: "typecheck", files: /^pyrightconfig\.json$/, programs: ["pyright", "basedpyright"]},
  {kind: "typecheck", files: /^ty\.toml$/, programs: ["ty"]},
  {kind: "lint", files: /^\.?ruff\.toml$/, programs: ["ruff"]},
  {kind: "lint", files: /^\.flake8$/, programs: ["flake8"]},
  {kind: "lint", files: /^\.?pylintrc$/, programs: ["pylint"]},
  {kind: "lint", files: /^\.isort\.cfg$/, programs: ["isort", "ruff"]},
  {kind: "test", files: /^\.?pytest\.ini$/, programs: ["pytest"]},
  {
    kind: "lint",
    files: /^phpstan(\.dist)?\.neon(\.dist)?$/,
    programs: ["phpstan"],
    declared: composer("phpstan/phpstan", "larastan/larastan", "nunomaduro/larastan"),
  },
  {kind: "lint", files: /^psalm\.xml(\.dist)?$/, programs: ["psalm"], declared: composer("vimeo/psalm")},
  {
    kind: "lint",
    files: /^\.php-cs-fixer(\.dist)?\.php$/,
    programs: ["php-cs-fixer"],
    declared: composer("friendsofphp/php-cs-fixer"),
  },
  {
    kind: "lint",
    files: /^\.?phpcs\.xml(\.dist)?$/,
    programs: ["phpcs"],
    declared: composer("squizlabs/php_codesniffer"),
  },
  {kind: "test", files: /^phpunit(\.dist)?\.xml(\.dist)?$/, programs: ["phpunit", "pest", "artisan test"]},
  {kind: "lint", files: /^\.rubocop\.yml$/, programs: ["rubocop", "standardrb"]},
  {kind: "test", files: /^\.rspec$/, programs: ["rspec"]},
  {kind: "lint", files: /^\.?golangci\.(ya?ml|toml|json)$/, programs: ["golangci-lint"]},
  {kind: "lint", files: /^\.credo\.exs$/, programs: ["mix credo"], declared: {in: "mix.exs", packages: [":credo"]}},
  {kind: "lint", files: /^\.swiftlint\.yml$/, programs: ["swiftlint"]},
  {kind: "lint", files: /^\.luacheckrc$/, programs: ["luacheck"]},
  {kind: "lint", files: /^selene\.toml$/, programs: ["selene"]},
  {kind: "test", files: /^\.busted$/, programs: ["busted"]},
  {kind: "lint", files: /^\.hlint\.yaml$/, programs: ["hlint"]},
];

/** Runners that start tools by their own configuration, so that nobody can tell here which ones they leave out. */
const RUNNERS = /^(pre-commit|prek|lefthook|tox|nox|hatch|invoke|trunk|bazel|ant|gradle|mvn|sbt|fledge)\b/;

/** Lists the configured tools of these folders that none of the drafts runs. */
export function listUnusedConfigs(o: {
  project: Project;
  folders: Iterable<string>;
  drafts: readonly CandidateStage[];
}): NotRun[] {
  const {project, drafts} = o;
  const listed = [...new Set(o.folders)].flatMap((folder) =>
    project.inFolder(folder).flatMap((path): NotRun[] => {
      const basename = path.slice(path.lastIndexOf("/") + 1);
      const tool = TOOLS.find(({files}) => files.test(basename));
      if (tool === undefined || tool.isInUse?.(project, path) === false) return [];
      const above = drafts.filter(({cwd}) => isBelow(folder, cwd));
      return above.some((draft) => mayRun(draft, tool)) ? [] : [entryFor({project, path, tool})];
    }),
  );
  return listed.slice(0, MAX_LISTED);
}

/** True if the draft runs the tool, or may do so behind a runner or target whose body is unknown. */
function mayRun(draft: CandidateStage, {programs, kind}: ConfiguredTool): boolean {
  if ([...startedTools(draft)].some((tool) => programs.some((program) => isProgram(tool, program)))) return true;
  const isOfKind = draft.kind === kind || draft.kind === "check";
  return isOfKind && [...finalTools(draft)].every((tool) => PROJECT_SCRIPT.test(`${tool} `) || RUNNERS.test(tool));
}

/** Tools are known with their sub-command, such as `biome check`. */
const isProgram = (tool: string, program: string): boolean => tool === program || tool.startsWith(`${program} `);

function entryFor(o: {project: Project; path: string; tool: ConfiguredTool}): NotRun {
  const {project, path, tool} = o;
  const program = tool.programs[0] ?? "";
  const stage = `add a stage that runs \`${program}\` to \`stages\` in verify.json`;
  const none = {about: path, why: `no stage runs \`${program}\`, which it configures`, fix: stage};
  if (tool.declared === undefined) return none;
  const manifest = inside(folderOf(path), tool.declared.in);
  const [name = program] = tool.declared.packages;
  const text = project.has(manifest) ? (project.text(manifest) ?? "") : "";
  const isJson = manifest.endsWith(".json");
  if (tool.declared.packages.some((one) => text.includes(isJson ? `"${one}"` : one))) return none;
  const why =
    text === "" ? `there is no ${manifest} that declares \`${name}\`` : `${manifest} does not declare \`${name}\``;
  return {about: path, why, fix: `declare \`${name}\` in ${manifest}, or ${stage}`};
}

/** False for a `tsconfig.json` that only gathers others, or that cannot be read, which a note says. */
function namesFiles(project: Project, path: string): boolean {
  const config = project.jsonc(path);
  if (typeof config !== "object" || config === null) return false;
  const isEmpty = "files" in config && Array.isArray(config.files) && config.files.length === 0;
  return !isEmpty || "include" in config || "references" in config;
}
