/** Makes the set-up of a job's own install lines: with CI's options, and without the scripts of dependencies. */
import {quoteWords} from "../../shell/quote.ts";
import {MIX_TOOLS} from "../../tools/mix.ts";
import {COMPOSER_INSTALL} from "../../tools/php.ts";
import {inside, type Project} from "../files/project.ts";
import {originOf} from "../proposals/candidate-stages.ts";
import type {InstallRow} from "../proposals/ecosystem.ts";
import type {CiCommand} from "../scripts/shell-lines.ts";
import {enter} from "../scripts/shell-values.ts";
import {bodyOf} from "./bodies.ts";
import {aboutOf} from "./moved-command.ts";
import {effectiveCommands} from "./set-up-words.ts";

export const INSTALLED_BY_CI = "CI installs with it";

/** A command of a job whose checks may run here. */
export interface InstallCommand {
  readonly command: CiCommand;
  readonly script: {readonly file: string; readonly key: string};
}

/** An install, with the commands of CI that it is made from. */
interface JobInstall {
  readonly row: InstallRow;
  readonly from: readonly CiCommand[];
}

/** One install into the folder that `provides` names, as CI writes it. */
interface InstallLine {
  readonly from: CiCommand;
  readonly words: readonly string[];
  readonly provides: "node_modules" | "vendor" | "vendor/bundle" | "deps" | ".venv";
  readonly cwd: string;
  readonly script: InstallCommand["script"];
}

/** The options that keep the scripts of dependencies off, and the lock file as it is. */
const WITHOUT_SCRIPTS: Readonly<Record<string, readonly string[]>> = {
  npm: ["--ignore-scripts", "--no-audit", "--no-fund"],
  pnpm: ["--frozen-lockfile", "--ignore-scripts"],
  yarn: ["--frozen-lockfile", "--ignore-scripts", "--non-interactive"],
  berry: ["--immutable", "--mode=skip-build"],
  bun: ["--frozen-lockfile", "--ignore-scripts"],
  composer: COMPOSER_INSTALL.split(" ").slice(2),
};

/** What decides on the scripts of dependencies, which stay off. */
const STARTS_SCRIPTS = /^--(?:(?:no-)?ignore-scripts|mode)(?:=|$)/;

/** The variables with which a manager of Python makes `.venv` in the project. */
const IN_PROJECT: Readonly<Record<string, string>> = {
  poetry: "POETRY_VIRTUALENVS_IN_PROJECT=true ",
  pipenv: "PIPENV_VENV_IN_PROJECT=1 ",
};
/** Installers, and what they install with; none of them is a part of the project. */
const INSTALLER = /^(?:pip|setuptools|wheel|uv|poetry|pdm|pipenv|hatch|pipx|virtualenv|pre-commit)(?:[=<>~!].*)?$/;
/** Options that add packages to an install. The same install with each of them serves several jobs. */
const ADDS = /^(?:--(?:group|extras?|with|all-extras|all-groups|all-packages|package|dev)|-E|-G)(?:=|$)/;
const LEAVES_OUT = /^--(?:(?:only|no)-(?!editable|audit|fund|interaction|progress|frozen)|only|without|omit|prod)/;
/** Options that name a place of the machine instead of the environment. */
const OF_MACHINE = new Set(["--user", "--system", "--break-system-packages"]);

/** The installs of the jobs, one for each folder that an install fills; none where a line depends on CI's values. */
export function installsOfJobs(project: Project, commands: readonly InstallCommand[]): JobInstall[] {
  const byFolder = new Map<string, InstallLine[]>();
  for (const install of commands.flatMap((one) => installsOf(project, one))) {
    const key = `${install.cwd}\0${install.provides}`;
    byFolder.set(key, [...(byFolder.get(key) ?? []), install]);
  }
  return [...byFolder.values()].flatMap((ofFolder): JobInstall[] => {
    const installs = agreeing(ofFolder);
    const [first] = installs;
    const command = first === undefined ? null : commandOf(project, first, installs);
    const isUnknown = ({words, cwd}: InstallLine) =>
      words.some((word) => UNKNOWN.test(word) || enter(cwd, word) === null);
    if (first === undefined || command === null || ofFolder.some(isUnknown)) return [];
    const {script, provides, cwd} = first;
    const inputs = provides === ".venv" ? ["/**"] : INPUTS[provides];
    const origin = originOf(script.file, INSTALLED_BY_CI, script.key);
    const row = {command, cwd, inputs, provides: [provides], tools: [], origin};
    return [{row, from: installs.map(({from}) => from)}];
  });
}

function commandOf(project: Project, first: InstallLine, installs: readonly InstallLine[]): string | null {
  if (first.provides === ".venv") return ofPython(installs);
  if (first.provides !== "vendor/bundle" && first.provides !== "deps") return ofManager(project, installs);
  const {words, cwd} = installs.find((one) => !one.words.some((word) => LEAVES_OUT.test(word))) ?? first;
  const has = (...files: readonly string[]): boolean => files.some((file) => project.has(inside(cwd, file)));
  if (first.provides === "vendor/bundle") {
    const frozen = has("Gemfile.lock", "gems.locked") ? "BUNDLE_FROZEN=true " : "";
    const options = words.slice(2).map(quoteWords).join(" ");
    return CHOOSES_BUNDLE.test(options) ? null : `BUNDLE_PATH=vendor/bundle ${frozen}bundle install ${options}`.trim();
  }
  const isLocked = has("mix.lock");
  const locked = isLocked && !words.includes("--check-locked") ? ["--check-locked"] : [];
  return `${isLocked ? MIX_TOOLS : ""}${[...words, ...locked].map(quoteWords).join(" ")}`;
}

/** Options that name another folder, Gemfile or lock than the project's. */
const CHOOSES_BUNDLE = /--(?:path|system|binstubs|gemfile|standalone|deployment|no-deployment)\b/;

export const INPUTS = {
  node_modules: ["package.json", "package-lock.json", "pnpm-lock.yaml", "yarn.lock", "bun.lock", ".npmrc"],
  vendor: ["composer.json", "composer.lock"],
  "vendor/bundle": ["Gemfile", "Gemfile.lock", "gems.rb", "gems.locked", "*.gemspec"],
  deps: ["mix.exs", "mix.lock", "apps/*/mix.exs"],
} as const;

/** A value of CI, an account in a URL, and an option that installs into another folder. */
const UNKNOWN =
  /[$`*]|:\/\/[^/]*@|^(?:--(?:target|prefix|root|directory|project|dir|cwd|global-dir)|-C|-t)(?:=|$)|=(?:~|\/|\.\.\/)/;
const UPDATES = new Set(["u", "update", "upgrade"]);
const PINNED = /^([a-z][\w.-]*)(?:\[.*\])?[=<>!~].+$/i;

/** The installs that one environment can hold: what locks wins over updates, and the first of two versions of a package. */
function agreeing(installs: readonly InstallLine[]): readonly InstallLine[] {
  const locked = installs.filter(({words}) => !UPDATES.has(words[1] ?? ""));
  const pins = new Map<string, string>();
  return (locked.length > 0 ? locked : installs).filter(({words}) => {
    const own = words.flatMap((word) => (PINNED.test(word) ? [[word.replace(PINNED, "$1").toLowerCase(), word]] : []));
    if (own.some(([name = "", pin]) => pins.has(name) && pins.get(name) !== pin)) return false;
    for (const [name = "", pin = ""] of own) pins.set(name, pin);
    return true;
  });
}

/** The installs of a command, or of a script that does nothing else. */
function installsOf(project: Project, {command, script}: InstallCommand): InstallLine[] {
  const {cwd, words} = aboutOf(project, command);
  const lines = bodyOf({project, cwd, words})?.flatMap(effectiveCommands) ?? [words];
  const installs = lines.flatMap((line): InstallLine[] => {
    const provides = providedBy(line);
    return provides === null ? [] : [{words: line, provides, cwd, script, from: command}];
  });
  return installs.length === lines.length ? installs : [];
}

/** The folder that a line fills with packages of the project; null for another line. */
export function providedBy(words: readonly string[]): InstallLine["provides"] | null {
  const line = words.filter((word) => !word.startsWith("-")).join(" ");
  if (/^(?:npm (?:ci|i|install|clean-install)|(?:pnpm|bun) (?:i|install|ci)|yarn(?: install)?)$/.test(line))
    return words.some((word) => ["-g", "--global"].includes(word)) ? null : "node_modules";
  if (["composer i", "composer install", "composer update", "composer u"].includes(line)) return "vendor";
  // junegunn/fzf and sinatra/sinatra; elixir-plug/plug and livebook-dev/livebook
  if (/^bundle install\b/.test(line)) return "vendor/bundle";
  if (/^mix deps\.get\b/.test(line)) return "deps";
  return /^(?:uv sync|poetry (?:install|sync)|pdm (?:install|sync)|pipenv (?:install|sync))\b/.test(line) ||
    packagesOfPip(words) !== null
    ? ".venv"
    : null;
}

/** The words that `pip install` gets; null for another command. */
function packagesOfPip(words: readonly string[]): string[] | null {
  const at = words.indexOf("install");
  if (!/^(?:(?:python[\d.]*|py) -m pip|uv pip|pip[\d.]*) install$/.test(words.slice(0, at + 1).join(" "))) return null;
  const given = words.slice(at + 1).filter((word) => !OF_MACHINE.has(word));
  const packages = given.filter((word) => !word.startsWith("-"));
  return packages.length === 0 || packages.every((word) => INSTALLER.test(word)) ? null : given;
}

/** An install of Node's or PHP's packages, which leaves out what all of the jobs leave out. */
function ofManager(project: Project, installs: readonly InstallLine[]): string {
  const {words = [], cwd = "."} = installs[0] ?? {};
  const [name = "", verb = "install"] = words;
  const isOfAll = (option: string): boolean => installs.every((one) => one.words.includes(option));
  const options = words
    .slice(1)
    .filter((word) => word.startsWith("-") && !STARTS_SCRIPTS.test(word) && (!LEAVES_OUT.test(word) || isOfAll(word)));
  const isBerry = name === "yarn" && (project.has(".yarnrc.yml") || options.includes("--immutable"));
  const has = (file: string): boolean => project.has(inside(cwd, file));
  const isInstall = name === "npm" && !["ci", "clean-install"].includes(verb);
  // `npm install` may go on where the lock file is out of date; it need not write one.
  const unsaved = isInstall ? [has("package-lock.json") ? "--no-save" : "--no-package-lock"] : [];
  const isUnlocked = ["pnpm-lock.yaml", "yarn.lock", "bun.lock", "bun.lockb"].every((file) => !has(file));
  const added = [...unsaved, ...(WITHOUT_SCRIPTS[isBerry ? "berry" : name] ?? [])].filter(
    (option) =>
      !options.includes(option) &&
      !options.includes(option.replace(/^--/, "--no-")) &&
      !(isUnlocked && ["--frozen-lockfile", "--immutable"].includes(option)),
  );
  const started =
    name === "npm" ? ["npm", isInstall ? "install" : "ci"] : [name, verb.startsWith("-") ? "install" : verb];
  return [...started, ...options, ...added].map(quoteWords).join(" ");
}

/** The installs into one environment, in CI's order; null if none of them installs the project. */
function ofPython(installs: readonly InstallLine[]): string | null {
  const distinct = [...new Map(installs.map(({words}) => [words.join(" "), words])).values()];
  const ofManagers = distinct.filter((words) => packagesOfPip(words) === null);
  const ofPip = distinct.flatMap((words) => packagesOfPip(words)?.map(quoteWords).join(" ") ?? []);
  const isProject = (words: string): boolean => /(?:^| )(?:-e|-r|--group|--editable|'?\.)/.test(words);
  const [first] = ofManagers;
  if (first === undefined) {
    if (!ofPip.some(isProject)) return null;
    const pip = (words: string): string => `.venv/bin/python -m pip install -q ${words}`;
    return ["python3 -m venv .venv", ...[...new Set(ofPip)].map(pip)].join(" && ");
  }
  const same = ofManagers.filter(([name, verb]) => name === first[0] && verb === first[1]);
  const line = `${IN_PROJECT[first[0] ?? ""] ?? ""}${joinOptions(same).map(quoteWords).join(" ")}`;
  const withPip = (words: string): string =>
    first[0] === "uv" ? `uv pip install ${words}` : `.venv/bin/python -m pip install -q ${words}`;
  return [line, ...new Set(ofPip.map(withPip))].join(" && ");
}

/** One install with what each of several installs by the same command adds. An option keeps its value. */
function joinOptions(lines: readonly (readonly string[])[]): string[] {
  const [start, ...others] = lines.map((words) => optionsOf(words));
  if (others.length === 0) return start?.flat() ?? [];
  const kept = (start ?? []).filter(([option = ""]) => !LEAVES_OUT.test(option));
  const added = others.flat().filter(([option = ""]) => ADDS.test(option));
  return [...new Map([...kept, ...added].map((option) => [option.join(" "), option])).values()].flat();
}

function optionsOf(words: readonly string[]): string[][] {
  const options: string[][] = [];
  for (const [i, word] of words.entries()) {
    const previous = options.at(-1);
    const isValue = i > 2 && !word.startsWith("-") && previous?.length === 1 && previous[0]?.startsWith("-") === true;
    // What one job installs alone, the others install with the rest.
    if (isValue) previous.push(word);
    else options.push([word.replace(/^--only-(group|dev)$/, "--$1")]);
  }
  return options;
}
