/** Recognizes the lines of CI that prepare its machine: what installs, shows or moves something and checks nothing. */

import {baseName} from "../../shell/program.ts";
import {splitShell} from "../../shell/split.ts";
import {unwrap} from "../../tools/command-name.ts";
import {nameSet} from "../../tools/names.ts";
import {onlyPrepares} from "../../tools/stage-kind.ts";
import {screen} from "../proposals/screen.ts";

/** Commands that print, or change only the shell that runs them. */
const WITHOUT_EFFECT = new Set(
  "echo printf set export umask cd pushd popd exit true false : shift local read unset shopt trap wait sleep return declare break continue ]] then do".split(
    " ",
  ),
);
/** Commands that prepare the machine for others. */
const PREPARES = new Set(
  "buildkite-agent 7z zip dpkg git mkdir cp mv rm ln chmod chown cat ls which tar unzip touch source . test [ [[ env df free uname gh jq sed awk grep find corepack tee date head tail nproc ulimit xargs locale-gen gzip pwd hash type".split(
    " ",
  ),
);
/** Commands that only read files. */
const READS = new Set(
  "cat ls test [ [[ jq sed awk grep egrep find head tail wc sort uniq cut tr file diff cmp".split(" "),
);
/** Commands that say by their exit status what they have found in files (POSIX; manual of jq, "Invoking jq"). */
const DECIDES = /^(?:[ef]?grep|diff|cmp)\b|^jq\b.* (?:-\w*e\w*|--exit-status|empty)(?= |$)|^[gm]?awk\b.*\bexit [1-9]/s;
/** How a program shows its version, or what it has. */
const SHOWS = /^(--?version|-V|-v|version|--help|--list-\w+|doctor|info|env|list)$/;
/** How a program installs what others need. */
const INSTALLS = nameSet(
  "install restore update upgrade fetch download add sync deps.get --install --installdeps self-update",
  "dedupe +update dump-autoload clean",
);
/** How a container is made ready, and looked at; or started for commands that are listed by themselves. */
const CONTAINER =
  /^(?:docker(?:-compose)?|podman|nerdctl) (?:compose )?(?:(?:pull|network|volume|cp|rm|rmi|stop|start|create|login|tag|images|ps|logs|info|up|down|kill)(?: |$)|.*'…'$)/;
/** Programs that install what they are given. */
const INSTALLERS = nameSet("cpanm cpm ghcup sdkman wget curl luarocks opam rosdep vcpkg conan pecl phive pear");
/** Calls of Nix that build or run what the tree defines. */
const IN_STORE = /^nix(?:-build|-shell| (?:build|develop|run|shell|fmt|flake check))(?: |$)/;
const ONLY_SHOWS = /^\S+ (-v|-V|--?version|version)$|^\S+( [a-z]+)* --help$/;

/** A condition of the shell, whose commands are accounted for by themselves. */
const CONDITION =
  /^(?:if|elif|while|until) (?:! )?(?:\[\[?|test)(?: |$)|^\S+ (?:==|!=|=~|-eq|-ne|-lt|-gt) |(?:^|\s)\]\]$/;

export const isCondition = (line: string): boolean => CONDITION.test(line) && !line.includes("$(");

/** The words of each command of a line that does something. */
export const effectiveCommands = (line: string): (readonly string[])[] =>
  (splitShell(line) ?? [])
    .map(({words}) => unwrap(words))
    .filter(([called = ""]) => called !== "" && !WITHOUT_EFFECT.has(called));

/** The program whose exit status says what a line has found in files; null if another one ends it, or if it writes a file. */
export function decidingReader(line: string): string | null {
  const last = splitShell(line)?.at(-1);
  // What it gets from a pipe or a variable is no file.
  if (last === undefined || last.joint === "|" || last.inputLine !== "") return null;
  const words = last.writes.some((path) => path !== "/dev/null") ? [] : unwrap(last.words);
  return DECIDES.test(words.join(" ")) ? (words[0] ?? null) : null;
}

/** Why a line of CI, with the commands that it finally runs, prepares other lines; null if it does something else. */
export function whyPrepares(text: string, runs: readonly string[]): string | null {
  if (CONTAINER.test(text)) return "it prepares the machine of CI";
  if (decidingReader(text) !== null) return null;
  const commands = runs.flatMap(effectiveCommands);
  // A script that only reads prepares nothing: its result is what CI wants (prometheus/client_golang, `make check-crlf`).
  const startsScript = effectiveCommands(text)[0]?.[0] !== commands[0]?.[0];
  if (startsScript && commands.length > 0 && commands.every(([program = ""]) => READS.has(program))) return null;
  if (ONLY_SHOWS.test(text) || (commands.length > 0 && commands.every(([, first = ""]) => SHOWS.test(first))))
    return "it only shows versions or settings";
  const screening = screen(text);
  const isInstall = screening.kind === "download" && !IN_STORE.test(text);
  if (isInstall || screening.kind === "privileged") return screening.why;
  if (commands.length > 0 && commands.every(onlyPrepares)) return "it configures what later steps of CI build";
  const prepares =
    / --(notest|only-dependencies)( |$)/.test(text) || (commands.length > 0 && commands.every(preparesMachine));
  return prepares ? "it prepares the machine of CI" : null;
}

function preparesMachine(started: readonly string[]): boolean {
  const [program = "", first = "", second = ""] = started;
  if (onlyPrepares(started) || SHOWS.test(first)) return true;
  const name = baseName(program.replace(/["']/g, ""));
  const isCompared = name === "git" && ["diff", "status"].includes(first);
  const isInstaller = INSTALLERS.has(name) && !/test|lint|check|make|exec/.test(first);
  return (
    (name === "yarn" && started.length === 1) ||
    (PREPARES.has(name) && !isCompared && !(name === "test" && started.length === 1)) ||
    INSTALLS.has(first) ||
    (["plugin", "tool", "global", "pip", "component", "target"].includes(first) && INSTALLS.has(second)) ||
    isInstaller
  );
}
