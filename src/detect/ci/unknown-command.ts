/** Decides whether a command of CI that no tool file knows is tried as an optional stage, and why not. */

import {plainPath} from "../../git/paths.ts";
import {UNKNOWN_CHECK} from "../../record/words.ts";
import {baseName} from "../../shell/program.ts";
import {splitShell} from "../../shell/split.ts";
import {toolOf, unwrap} from "../../tools/command-name.ts";
import {nameSet, namesTest} from "../../tools/names.ts";
import {inside, isBelow, type Project} from "../files/project.ts";
import {screen} from "../proposals/screen.ts";
import {scriptPath} from "../scripts/shell-file.ts";
import type {CiCommand} from "../scripts/shell-lines.ts";
import {BUILD_WRAPPERS, bodyOf} from "./bodies.ts";
import {isInterpreter} from "./check-words.ts";
import {COMPARES_FILES} from "./classify-command.ts";
import type {CiScript} from "./jobs.ts";
import {decidingReader} from "./set-up-words.ts";

/** Programs whose arguments are files, hosts or packages, and programs that install, move or publish something. */
const NOT_A_CHECKER = namesTest(
  "file du stat nm ldd strip dpkg* git gh glab docker* podman buildah kubectl kind minikube helmfile",
  "curl wget tar unzip zip cp mv rm mkdir cat sed awk grep egrep fgrep rg find ls test [ [[ cd echo",
  "printf sudo apt* brew choco dnf yum apk pip pip2 pip3 pipx uv gem cpanm opam ghcup rustup aws az",
  "gcloud ssh scp rsync codecov sleep kill pkill touch chmod ln tee head tail sort diff cmp wc date",
  "timeout act vault ansible-galaxy wait-on snyk trivy grype cosign twine dagger earthly mysql* psql",
  "pg_isready redis-cli mongosh adb systemctl service gpg openssl jq yq perl xargs",
);
/** Parts of a program's name, or of a subcommand, that may show another purpose than a check: it waits for a proof. */
const OTHER_PURPOSE = namesTest(
  "deploy* publish* public* upload* push log login logout logs auth* serve server serves service",
  "daemon* migrat* watch* releas* install* uninstall* dep deps setup set init* bootstrap prepare*",
  "configure config generat* *gen codemod* updat* upgrade fix* write clean* start* stop dev develop",
  "eval shell console repl add remove delete destroy rm creat* new apply send notify comment report*",
  "cov* *cov coverall* badge bench* profile stat stats summary download* fetch get pull clone sync*",
  "restore save cache export import dump backup seed reset drop print show list ls info status env",
  "version help doctor self use enable disable register activate tag sign* bump changelog commit open",
  "connect tunnel proxy listen up down plan tree outdated snapshot snapshots cert archive tarball",
  "installer dist",
);
/** Options that write, send or stay. */
const OTHER_OPTION = nameSet(
  "o w i u d out output write save export dest deploy publish upload push token password passwd user",
  "username daemon detach background port host listen serve watch install update fix overwrite inplace",
  "force record server url remote registry delete clean apply version help list init",
);
/** A place outside of the tree, or on the network. */
const OUTSIDE = /^[/~]|(^|[=/])\.\.(\/|$)|:\/\/|@[\w-]+\.[a-z]|=[/~]/;
/** What a file would contain that uses the network, an account or git, or that keeps running. */
const FILE_ACTS =
  /https?:\/\/|\bsockets?\b|\brequests\b|\bfetch\(|urllib|\bgit (push|commit|tag|clone|fetch|checkout)|publish|deploy|upload|docker|\btoken\b|password|\bsecret|\blisten\(|server|rm -rf|rmtree|unlink|sudo/i;

const AFTER_DOWNLOAD = "CI downloads an artifact of another job before it";

/** Why a command that names a file of an artifact cannot run here (pytest-dev/pluggy: `--installpkg dist/*.whl`). */
export function whyDownloaded({downloaded = "."}: CiScript, words: readonly string[]): string | null {
  const folder = plainPath(downloaded);
  const isInside = (word: string): boolean => word.split(/[=:]/).some((part) => isBelow(plainPath(part), folder));
  return folder !== "." && words.some(isInside) ? AFTER_DOWNLOAD : null;
}

/** Why an unknown command is not tried; null if it is plain, and neither its words nor its file show another purpose. */
export function whyNotTried(
  project: Project,
  command: CiCommand,
  {script, isCompared}: {script: CiScript; isCompared: boolean},
): string | null {
  const reader = decidingReader(command.text);
  if (reader !== null) return `\`${reader}\` only reads files, which earlier steps of CI may have made`;
  if (COMPARES_FILES.test(command.text)) return "it compares what earlier steps of CI write";
  const {words, cwd, text} = command;
  const started = unwrap(words);
  const [program = "", ...rest] = started;
  const screening = screen(text);
  if ("why" in screening && screening.kind !== "placeholder" && screening.kind !== "unknown") return screening.why;
  const body = bodyOf({project, cwd, words});
  const unsafe = (body ?? [])
    .map((line) => screen(line))
    .find((one) => "why" in one && !["placeholder", "unknown", "mutates"].includes(one.kind));
  if (unsafe !== undefined && "why" in unsafe) return unsafe.why;
  if (script.downloaded !== undefined) return AFTER_DOWNLOAD;
  if (script.hasAccess === true)
    return "its job has an account, a secret or a right to write, and no tool file knows the command";
  if ((splitShell(text) ?? []).some(({writes}) => writes.some((file) => !/^(&\d|\/dev\/null)$/.test(file))))
    return "its output goes to a file";
  const outside = words.find((word) => OUTSIDE.test(word));
  if (outside !== undefined) return `it uses \`${outside.slice(0, 100)}\`, which is not in the tree`;
  const path = scriptPath(project, cwd, words);
  if (path === null && NOT_A_CHECKER(program)) return `\`${program}\` is no check by itself`;
  const option = rest.find((word) => isOtherOption(word));
  if (["-version", "-help", "-list", "--version", "--help", "--list"].includes(option ?? ""))
    return `its option \`${option}\` shows something`;
  if (option !== undefined) return `its option \`${option}\` may write, send or keep something`;
  const names = started.filter((word, i) => !word.startsWith("-") && (i === 0 || !word.includes("/")));
  const isChecking = rest.some((word) => /^--(check|verify)(-[a-z]+)*$/.test(word));
  if (/^(make|script)( |$)/.test(toolOf(words)) && path === null && body === null)
    return "no file of the tree shows what it runs";
  if (isCompared) return "CI compares files after it, so it may rewrite them";
  const operand = rest.find((word) => !word.startsWith("-")) ?? "";
  const file = isInterpreter(program) ? inside(cwd, plainPath(operand)) : path;
  const source = file === null ? null : project.text(file);
  const act = source === null || BUILD_WRAPPERS.test(baseName(file ?? "")) ? null : FILE_ACTS.exec(source)?.[0];
  if (act) return `its file contains \`${act}\`, so it may do more than check`;
  return !isChecking && names.some(hasOtherPurpose) ? UNKNOWN_CHECK : null;
}

/** By the first part of its name: `--output-file`. */
function isOtherOption(word: string): boolean {
  const [name = ""] = word.replace(/^--?/, "").replace("in-place", "inplace").split(/[=-]/);
  return word.startsWith("-") && OTHER_OPTION.has(name);
}

/** `check-version` reads what `version` would write. */
const CHECKS_FIRST = new Set(["check", "verify", "validate", "lint", "assert", "compare", "test"]);

function hasOtherPurpose(word: string): boolean {
  const parts = word
    .replace(/([a-z])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((part) => part !== "");
  return !CHECKS_FIRST.has(parts[0] ?? "") && parts.some((part) => OTHER_PURPOSE(part));
}
