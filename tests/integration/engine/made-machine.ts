/** A made machine with programs, settings and a runner's folders, and a bot that confines commands on it, at each level. */
import {execFile} from "node:child_process";
import {chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync} from "node:fs";
import {dirname, join} from "node:path";
import {promisify} from "node:util";
import {onTestFinished} from "vitest";
import {probeSandbox, probeView} from "../../../src/process/probes.ts";
import {isAble} from "../../rig/levels.ts";

const BOT = join(import.meta.dirname, "writing-bot.ts");
/** What the bot holds; a command knows only how it starts. */
const CANARY_START = `canary-of-${process.pid}`;
const CANARY = `${CANARY_START}-kept`;
/** `nobody`, who is on every machine */
const ORDINARY = 65_534;
const NO_BUBBLEWRAP = {folders: "/no/such/folder"};

const hasSandbox = (await probeSandbox({network: true})).ok;
const hasView = (await probeView()) === null;
export const LEVELS = [
  {name: "bubblewrap", isolation: "sandbox", machine: {}, user: null, isThere: hasSandbox, needs: "bubblewrap"},
  {
    name: "namespaces",
    isolation: "pid-namespace",
    machine: NO_BUBBLEWRAP,
    user: null,
    isThere: hasView,
    needs: "namespaces",
  },
  {
    name: "bubblewrap, an ordinary user",
    isolation: "sandbox",
    machine: {},
    user: ORDINARY,
    isThere: hasSandbox && isAble,
    needs: "bubblewrap, and root",
  },
  {
    name: "namespaces, an ordinary user",
    isolation: "pid-namespace",
    machine: NO_BUBBLEWRAP,
    user: ORDINARY,
    isThere: hasView && isAble,
    needs: "namespaces, and root",
  },
].map((level) => ({...level, name: `${level.name}${level.isThere ? "" : ` (needs ${level.needs})`}`}));
/** What a later step, or Assay itself, would read or run. */
export const PROGRAMS = ["tools/bin/git", "tools/bin/node", "tool-cache/node/24/x64/bin/node", "home/.cargo/bin/cargo"];
export const RUNNERS = ["runner/externals/node24/bin/node", "runner/bin/Runner.Worker"];
export const SETTINGS = [
  ...["home/.cargo/config.toml", "home/.gitconfig", "home/.npmrc", "home/.bashrc", "home/.profile", "home/.ssh/config"],
  ...["home/.docker/config.json", "home/.m2/settings.xml", "home/.config/git/config", "home/.config/pip/pip.conf"],
  ...["home/.pyenv/shims/python", "home/go/bin/gopls", "home/.gradle/init.gradle"],
];
export const CACHED = "home/.cargo/registry/src/crate/lib.rs";

/** With the canary in the event, where no command may read it. */
export function machine(user: number | null) {
  const folder = mkdtempSync(join(realpathSync(join(import.meta.dirname, "../../../node_modules")), ".assay-ro-"));
  onTestFinished(() => rmSync(folder, {recursive: true, force: true}));
  const at = (path: string): string => join(folder, path);
  for (const path of [...PROGRAMS, ...RUNNERS, ...SETTINGS, CACHED, "temp/_github_workflow/event.json", "checkout/a"]) {
    mkdirSync(dirname(at(path)), {recursive: true});
    const text = path.endsWith("event.json") ? CANARY : "";
    writeFileSync(at(path), path.endsWith(".xml") ? "<settings/>" : text);
    chmodSync(at(path), 0o755);
  }
  for (const path of ["temp/own", "probes"]) mkdirSync(at(path), {recursive: true});
  return {folder, at, user};
}

interface Confined {
  readonly place: ReturnType<typeof machine>;
  readonly machine: object;
  readonly pins: string;
  readonly line: string;
  /** the bot is broken: it forgets the fence, or hands on what it holds */
  readonly breaks?: "no fence" | "hands on";
}

/** Runs the line as a stage or the agent is run, by a bot in a process of its own. */
export async function runConfined(confined: Confined) {
  const {at, folder, user} = confined.place;
  const options = {
    ...confined,
    realHome: at("home"),
    home: at("temp/own/home"),
    checkout: at("checkout"),
    private: [at("temp")],
    alsoWritable: confined.pins === "settings" ? [at("temp/own/agent")] : [],
    probes: at("probes"),
    extra: {CANARY_START},
    variables: {
      PATH: `${at("tools/bin")}:${at("home/.cargo/bin")}:/usr/bin:/bin`,
      RUNNER_TOOL_CACHE: at("tool-cache"),
      GOPATH: at("home/go"),
      PYENV_ROOT: at("home/.pyenv"),
    },
  };
  mkdirSync(at("temp/own/agent"), {recursive: true});
  const as = ["--reuid", `${user}`, "--regid", `${user}`, "--clear-groups", "--"];
  const argv = [process.execPath, BOT, JSON.stringify(options)];
  const [program = "", ...rest] = user === null ? argv : ["setpriv", ...as, ...argv];
  if (user !== null) await promisify(execFile)("chown", ["-R", `${user}:${user}`, folder]);
  const bot = await promisify(execFile)(program, rest, {
    env: {PATH: process.env["PATH"] ?? "", GITHUB_TOKEN: CANARY},
  });
  return JSON.parse(bot.stdout);
}
