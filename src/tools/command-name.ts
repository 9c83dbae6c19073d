/** Finds the program that a plain command finally starts, and names it. */
import {baseName, packageProgramIn} from "../shell/program.ts";
import {TOOLS} from "./all.ts";
import {COMMANDS, programsWith} from "./all-commands.ts";
import {nameSet, namesTest} from "./names.ts";

/**
 * Programs that only start another one, and how many of their words to skip; options after them are skipped too.
 */
const STARTERS: readonly (readonly string[])[] = [
  "env,cross-env,cross-env-shell,dotenv,time,command,exec,nice,corepack,npx,bunx,pnpx,uvx,pipx run,pnpm exec,pnpm dlx,yarn exec",
  "yarn dlx,npm exec,bun x,uv run,poetry run,pdm run,pipenv run,rye run,hatch run,bundle exec,composer exec,python -m,python3 -m",
  "py -m,coverage run -m,c8,nyc,xvfb-run,mise exec,mise x,stdbuf,timeout,xargs,opam exec,devbox run,direnv exec",
  "nohup,setsid --wait,setsid -w,busybox,yarn run --binaries-only,yarn run -B,yarn run --top-level,yarn run -T",
  "vp exec,vpx,sfw,nix develop,nix shell,dotenvx run,doppler run,op run,chronic,ionice,setarch,unbuffer,melos exec",
].flatMap((names) => names.split(",").map((name) => name.split(" ")));

/** A quick check, because most commands begin with none of these. */
const FIRST_OF_STARTERS = new Set(STARTERS.map(([first]) => first));

/** Options of starters that take a value. */
export const VALUED = new Set(
  [
    "--group --extra --with --package -p --python -e --env-file -C --dir --from --filter -k -s",
    "--lines --branches --functions --statements",
  ]
    .join(" ")
    .split(" "),
);

/** Options of task runners whose value does not name a task. */
const SETTING = nameSet("--configuration -c --parallel --base --head --output-style --outputStyle --concurrency");

/** Options of runners of targets whose value names a file or a format. */
const RUNNER_SETTING = /^(-f|--file|--makefile|--taskfile|--justfile|--output\S*)$/;

const MANAGERS = new Set("npm pnpm yarn bun".split(" "));
/** Programs that start a task by its name. */
export const RUNNERS = new Set(
  "make gmake just task rake composer deno mise melos tox nox hatch pdm poe invoke grunt gulp".split(" "),
);
const NEVER_SCRIPTS = programsWith("never a script");
/** Programs that start a script in several packages. */
export const STARTS_SCRIPTS = programsWith("starts package scripts");

const KNOWN_COMMANDS = new Set(COMMANDS.flatMap(({kinds = {}}) => Object.values(kinds).flat()));
/** Programs whose first word belongs to the command. */
const WITH_SUBCOMMANDS = new Set([
  ...programsWith("subcommands"),
  ...[...KNOWN_COMMANDS].filter((command) => /^\S+ \w/.test(command)).map((command) => command.split(" ", 1)[0]),
]);

/** Words of the shell that a command may follow. */
const KEYWORDS = new Set("do then else elif if while until ! {".split(" "));

/** A word that means a check, alone or within a name: `lint`, `check-docs`, `lint:yaml`. */
export const CHECK_WORD =
  /^(lint|linter|check|checks|checker|tests?|unittests?|spec|validate|validator|verify|verifier|analy[sz]e|typecheck)$/;

/** Programs whose rules in other files expect the bare name; their first word is a file, a folder or a script. */
const WITHOUT_SUBCOMMANDS = namesTest(
  "node python python2 python3 python3.* ruby php perl sh bash run-s run-p npm-run-all npm-run-all2 concurrently file du stat",
  "tree nm ldd readelf objdump strip size strings md5sum sha*sum basename dirname realpath rsync dpkg*",
  "apt-*",
);

/** A script that runs the task that it is given. */
const TASK_FILE = /^(\.\/)?(Makefile|make|Jakefile|tasks?)(\.[cm]?[jt]s)?$/;

/** True for a subcommand such as `mago lint` of a program that no tool file knows; `mocha test` names a folder. */
function isCheckCommand(program: string, word: string): boolean {
  const isKnown = KNOWN_COMMANDS.has(program) || TOOLS.some(({name}) => name === program);
  if (isKnown || WITHOUT_SUBCOMMANDS(program) || !/^[a-z][\w:-]*$/.test(word)) return false;
  return word === "format" || word.split(/[:_-]/).some((part) => CHECK_WORD.test(part));
}

/**
 * Removes the starters of a command: `env A=b`, `npx --no-install`, `uv run --group dev`, `python -m`,
 * `node_modules/.bin/`.
 */
export function unwrap(words: readonly string[]): readonly string[] {
  let remainingWords = [...words];
  while (remainingWords.length > 1 && KEYWORDS.has(remainingWords[0] ?? "")) remainingWords = remainingWords.slice(1);
  const measured = remainingWords.findIndex((word) => word.endsWith(".py"));
  // `coverage run manage.py test` is Python with a recorder.
  if (remainingWords[0] === "coverage" && remainingWords[1] === "run" && measured > 1 && !remainingWords.includes("-m"))
    remainingWords = ["python", ...remainingWords.slice(measured)];
  remainingWords =
    goProgram(remainingWords) ?? rubyProgram(remainingWords) ?? pythonModule(remainingWords) ?? remainingWords;
  for (let rounds = 0; rounds < 5; rounds++) {
    const starter = FIRST_OF_STARTERS.has(baseName(remainingWords[0] ?? ""))
      ? STARTERS.find((starts) => starts.every((word, i) => baseName(remainingWords[i] ?? "") === word))
      : undefined;
    // `pnpm vitest` and `yarn eslint` start the tool itself, unless a script has that name.
    const direct = ["pnpm", "yarn"].includes(remainingWords[0] ?? "") && NEVER_SCRIPTS.has(remainingWords[1] ?? "");
    if (starter === undefined && !direct) break;
    if (
      starter?.[0] === "corepack" &&
      ["enable", "disable", "prepare", "use", "install", "up"].includes(remainingWords[1] ?? "")
    )
      break;
    let next = starter?.length ?? 1;
    // `nix develop .#shell -c` names a shell before the command.
    const command =
      starter?.[0] === "nix" ? remainingWords.findIndex((word) => word === "-c" || word === "--command") : -1;
    if (command > 0) next = command;
    while (next < remainingWords.length) {
      const word = remainingWords[next] ?? "";
      const isNumber =
        ["timeout", "melos", "nice", "ionice"].includes(starter?.[0] ?? "") && /^[\d.]+[smhd]?$/.test(word);
      if (VALUED.has(word)) next += 2;
      else if (word.startsWith("-") || /^\+?\w+=/.test(word) || isNumber) next++;
      else break;
    }
    if (next >= remainingWords.length) break;
    remainingWords = remainingWords.slice(next);
  }
  const [first = "", ...others] = remainingWords;
  return [baseName(first), ...others];
}

/** `python -W error -m unittest` without the options of Python; null for another command. */
function pythonModule(words: readonly string[]): string[] | null {
  const at = words.indexOf("-m");
  if (at < 2 || !/^(?:python|pypy)[\d.]*$/.test(baseName(words[0] ?? ""))) return null;
  const isOption = (word: string, i: number) => word.startsWith("-") || ["-W", "-X"].includes(words[i - 1] ?? "");
  return words.slice(1, at).every((word, i) => isOption(word, i + 1)) ? ["python", ...words.slice(at)] : null;
}

/** `ruby -rpg -S rspec spec` without its launcher; null for another command. */
function rubyProgram(words: readonly string[]): string[] | null {
  const index = words.findIndex((word, i) => i > 0 && !word.startsWith("-"));
  return words[0] === "ruby" && words[index - 1] === "-S" ? words.slice(index) : null;
}

/** The path of a Go package in another repository; the group is the name of its program. */
const GO_PACKAGE = /^[\w-]+\.[\w.-]+\/(?:\S*\/)?([\w.-]+?)(?:\/v\d+)?(?:@\S+)?$/;

/** `go run honnef.co/go/tools/cmd/staticcheck ./...` without its launcher; null for another command. */
function goProgram(words: readonly string[]): string[] | null {
  if (words[0] !== "go" || words[1] !== "run") return null;
  const index = words.findIndex((word, i) => i > 1 && !word.startsWith("-"));
  const [, program] = GO_PACKAGE.exec(words[index] ?? "") ?? [];
  return program === undefined ? null : [program, ...words.slice(index + 1)];
}

/** A word of sbt that selects the project or the version of Scala for the tasks after it. */
const SELECTS_BUILD = /^(?:\+\+|project\s)/;

/** The tasks that sbt is given, the first known check first. */
function tasksOfSbt(words: readonly string[]): string[] {
  const tasks = words
    .filter((word) => !word.startsWith("-") && !SELECTS_BUILD.test(word))
    // A root project has the others as its parts.
    .map((word) => word.replace(/\s/g, " ").replace(/^root[A-Z]?\w*\/(?=test$)/, ""));
  const isTest = (task: string): boolean => /(?:^|\/)\+?test$/.test(task);
  const known = tasks.find(isTest) ?? tasks.find((task) => KNOWN_COMMANDS.has(`sbt ${task}`));
  return known === undefined ? tasks : [known];
}

/** The words after those that may stand before a subcommand: `cargo --config ci.toml test`, `rebar3 as test ct`. */
function withoutGlobalWords(program: string, rest: readonly string[], words: readonly string[]): readonly string[] {
  if (program === "rebar3" && words[0] === "as") return words.slice(2);
  return program === "cargo" && ["--config", "--color"].includes(rest[0] ?? "") ? words.slice(1) : words;
}

/** Options of a package manager whose value names packages, or their folder. */
const SELECTS_PACKAGE = nameSet("--filter -F --workspace --prefix --cwd --dir -C --include --exclude --from");

/** The script that a package manager starts, or its own command. */
function startedByManager(program: string, rest: readonly string[], words: readonly string[]): string {
  // Names of packages, and the one script that `pnpm -r --filter ./a test` names.
  const namesPackage = (option: string): boolean =>
    SELECTS_PACKAGE.has(option) || (program === "npm" && option === "-w");
  const plainWords = words.filter((word) => !namesPackage(rest[rest.indexOf(word) - 1] ?? ""));
  if (program === "bun" && plainWords[0] === "test") return "bun test";
  if (rest[0] === "t" || rest[0] === "tst") return "script test";
  // A script of that name needs `run`.
  if (program === "npm" && rest[0] === "ci") return "npm install";
  const isInAll = program === "yarn" && plainWords[0] === "workspaces" && plainWords.includes("run");
  const ownWords = isInAll ? plainWords.slice(plainWords.indexOf("run")) : plainWords;
  const name = ["run", "run-script"].includes(ownWords[0] ?? "") ? ownWords[1] : ownWords[0];
  if (program === "bun" && /\.[cm]?[jt]sx?$/.test(name ?? "")) return name ?? program;
  return name === undefined ? `${program} install` : `script ${name}`;
}

/**
 * A name for the program that a command runs, the same for equivalent commands: `npm test` and `pnpm run test` are
 * `script test`, `uv run pytest -q` and `python -m pytest` are `pytest`, `cargo +nightly clippy` is `cargo clippy`.
 */
export function toolOf(words: readonly string[]): string {
  const [started = "", ...rest] = unwrap(words);
  const program = started.replace(/\.phar$/, "");
  const plainWords = rest.filter((word) => !word.startsWith("-") && !word.startsWith("+") && !/^\w+=/.test(word));
  if (MANAGERS.has(program)) return startedByManager(program, rest, plainWords);
  if (program === "vpr" || (program === "vp" && plainWords[0] === "run"))
    return `script ${plainWords[program === "vp" ? 1 : 0] ?? ""}`;
  if (program === "node" && rest[0] === "--run") return `script ${rest[1] ?? ""}`;
  if (["node", "tsx"].includes(program) && rest.includes("--test")) return "node --test";
  const packagedProgram = packageProgramIn([program, ...rest]);
  if (packagedProgram !== null) return packagedProgram;
  if (["mvn", "mvnw"].includes(program)) return `mvn ${plainWords.join(" ")}`;
  if (["gradle", "gradlew"].includes(program)) return `gradle ${plainWords.join(" ")}`;
  // Each step of a build file is a different build.
  if (program === "zig" && plainWords[0] === "build")
    return plainWords.includes("test") ? "zig build test" : ["zig", ...plainWords.slice(0, 2)].join(" ");
  if (STARTS_SCRIPTS.has(program)) {
    const namedWords = plainWords.filter((word) => !SETTING.has(rest[rest.indexOf(word) - 1] ?? ""));
    // Without a base, everything is affected.
    const line = namedWords.join(" ").replace(/^affected\b/, "run-many");
    const targets = rest.flatMap((word) => /^(?:-t=?|--targets?=)(\w.*)/.exec(word)?.[1] ?? []);
    return [program, line, ...targets].filter((part) => part !== "").join(" ");
  }
  if (RUNNERS.has(program)) {
    const namedWords = plainWords.filter((word) => !RUNNER_SETTING.test(rest[rest.indexOf(word) - 1] ?? ""));
    // After the command of hatch come its arguments.
    // `tox run -e type` is `tox -e type`.
    if (program === "tox" && ["run", "r", "run-parallel", "p"].includes(namedWords[0] ?? "")) namedWords.shift();
    if (program === "hatch") return `hatch ${namedWords[0] ?? ""}`.trim();
    return `${program === "gmake" ? "make" : program} ${namedWords.join(" ")}`.trim();
  }
  if (WITH_SUBCOMMANDS.has(program)) {
    const name = program === "bazelisk" ? "bazel" : program;
    // sbt's `+` runs a task for each version of Scala, and `cabal v2-build` is the old name of `cabal build`.
    const operands = program === "sbt" ? tasksOfSbt(rest) : withoutGlobalWords(program, rest, plainWords);
    const aliases = program === "dune" ? rest.filter((word) => word.startsWith("@")).join(" ") : "";
    const subcommand = /@(\S*\/)?(run)?test/.test(aliases)
      ? "runtest"
      : (operands[0] ?? "").replace(/^((v2|new)-|\+)/, "");
    const twoWords = `${name} ${operands.slice(0, 2).join(" ")}`;
    return KNOWN_COMMANDS.has(twoWords) ? twoWords : `${name} ${subcommand}`.trim();
  }
  if (program === "php" && plainWords[0] === "artisan") return `artisan ${plainWords[1] ?? ""}`;
  // `php -d memory_limit=-1 vendor/bin/pest` and `ruby bin/rspec` are named after the script, not the interpreter.
  if ((program === "php" || program === "ruby") && /\/[\w-]+(\.phar)?$/.test(plainWords[0] ?? ""))
    return baseName(plainWords[0] ?? "").replace(/\.phar$/, "");
  if (isCheckCommand(program, plainWords[0] ?? "")) return `${program} ${plainWords[0]}`;
  // A script with the name of a task runner is one: `node Makefile.js lint`.
  if (program === "node" && TASK_FILE.test(plainWords[0] ?? "")) return plainWords.slice(0, 2).join(" ");
  if (program === "Rscript" && /\.[rR]$/.test(plainWords[0] ?? "")) return plainWords[0] ?? program;
  if (["sh", "bash", "node", "ruby", "perl", "php"].includes(program) || /^python\d?/.test(program))
    return plainWords[0] ?? program;
  return program;
}
