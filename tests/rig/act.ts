/** Runs a workflow file with `act`, a runner that others wrote, on this machine and against this world's servers. */
import {execFile, spawn} from "node:child_process";
import {existsSync, readFileSync} from "node:fs";
import {cp, mkdir, mkdtemp, symlink, writeFile} from "node:fs/promises";
import {basename, delimiter, join} from "node:path";
import {promisify} from "node:util";
import {
  ASSAY,
  CACHE_RESTORE,
  CHECKOUT,
  DOWNLOAD,
  REUSABLE,
  TOOLCHAINS,
  UPLOAD,
} from "../../src/onboarding/init/action-pins.ts";
import {quoteWords} from "../../src/shell/quote.ts";
import {missing, TOOLS_PATH} from "../ecosystems/tools.ts";
import {INSTALLED_AGENT} from "./agent.ts";
import {startArtifactServer} from "./artifact-server.ts";
import {git} from "./git.ts";
import {BOT} from "./github/people.ts";
import {at} from "./json.ts";
import {PRODUCT} from "./runner.ts";
import type {Rig, WorldEvent} from "./world.ts";

/** A folder with `cache`, `checkout`, `setup-node`, `upload-artifact` and `download-artifact`, each as it is in its repository at our pin. */
const ACTIONS = process.env["ASSAY_ACTIONS_DIR"] ?? "";

/** Why act cannot run here; empty when it can. */
export const ACT_IS_MISSING = [
  ...missing(["act"]).map(() => "there is no program `act`"),
  ...(ACTIONS === "" ? ["ASSAY_ACTIONS_DIR names no folder"] : []),
].join(", ");

export interface ActRun {
  /** Waits until the runner has printed this. Rejects when it ends without. */
  saw(pattern: RegExp): Promise<void>;
  /** as Ctrl-C */
  cancel(): void;
  readonly ended: Promise<{readonly exitCode: number | null; readonly log: string}>;
}

/** Keys that GitHub knows and act does not: they stand on lines of their own. docs/act.md removes them from the workflow of one job. */
const withoutNewKeys = (text: string): string => text.replaceAll(/^ *(?:queue: max|deployment: false)\n/gm, "");

/** A script of docs/act.md, as a reader copies it. */
function documented(name: "act-files" | "act-run"): string {
  const page = readFileSync(join(PRODUCT, "docs/act.md"), "utf8");
  const [, script] = new RegExp(`<!-- ${name} -->\\n +\`\`\`sh\\n([\\s\\S]*?)\\n +\`\`\`\\n`).exec(page) ?? [];
  if (script === undefined) throw new Error(`docs/act.md has no script ${name}`);
  return script;
}

const SETUP_NODE = `actions/setup-node@${TOOLCHAINS["actions/setup-node"]}`;

/** Starts the run of one event. `text` is the workflow file; what it calls is this product. `setsUpNode`: it uses `setup-node`. */
export async function startAct(options: {
  rig: Rig;
  event: WorldEvent;
  text: string;
  setsUpNode?: boolean;
}): Promise<ActRun> {
  const {rig, event} = options;
  const folder = await mkdtemp(join(rig.folder, "act-"));
  const {OPENAI_API_KEY: key = ""} = await rig.model.configure(join(folder, "agent-config"));
  // The model is this world's; an owner's own would need no such file.
  const withModel = (text: string) =>
    text.replaceAll(/^( +)(model: .*)\n/gm, `$1$2\n$1agent-config: ${join(folder, "agent-config")}\n`);
  const repository = join(folder, "repository");
  await mkdir(repository);
  await git(repository, ["init", "-q", "-b", "main"]);
  await git(repository, ["remote", "add", "origin", rig.git.remote(rig.origin.name)]);
  await git(repository, ["fetch", "-q", "origin", "main"]);
  await git(repository, ["reset", "-q", "--hard", "origin/main"]);
  const product = join(folder, "assay");
  for (const part of ["action.yml", "package.json", "dist", "setup"]) {
    await cp(join(PRODUCT, part), join(product, part), {recursive: true});
  }
  await mkdir(join(product, ".github/workflows"), {recursive: true});
  const called = readFileSync(join(PRODUCT, ".github/workflows/separated.yml"), "utf8");
  await writeFile(join(product, ".github/workflows/separated.yml"), withoutNewKeys(called));
  await mkdir(join(product, "docs/workflows"), {recursive: true});
  await writeFile(join(product, "docs/workflows/single.yml"), withModel(options.text));

  const local = [
    ...[
      CHECKOUT,
      UPLOAD,
      DOWNLOAD,
      CACHE_RESTORE.replace("/restore", ""),
      ...(options.setsUpNode ? [SETUP_NODE] : []),
    ].map(async (pin) => [pin, await actionAt(folder, pin)] as const),
    // docs/act.md finds the action's own in a workflow that names it
    ...(options.text.includes(ASSAY) ? [] : [Promise.resolve([ASSAY, product] as const)]),
    Promise.resolve([REUSABLE.replace("/.github/workflows/separated.yml", ""), product] as const),
  ];
  const bin = join(folder, "bin");
  await mkdir(bin);
  const programs = {node: join(PRODUCT, "node_modules/node/bin/node"), pi: INSTALLED_AGENT};
  for (const [name, file] of Object.entries(programs)) await symlink(file, join(bin, name));
  // nothing of this machine is to change
  await writeFile(join(bin, "sudo"), "#!/bin/sh\nexit 1\n", {mode: 0o755});
  const artifacts = await startArtifactServer();
  const env = {
    GITHUB_API_URL: rig.github.url,
    GITHUB_GRAPHQL_URL: `${rig.github.url}/graphql`,
    GITHUB_SERVER_URL: rig.git.url,
    GITHUB_REPOSITORY: rig.origin.name,
  };
  // where act looks for tools that are installed
  const toolCache = join(folder, "cache/tool_cache/node", process.versions.node, process.arch);
  await mkdir(join(toolCache, "bin"), {recursive: true});
  await symlink(join(PRODUCT, "node_modules/node/bin/node"), join(toolCache, "bin/node"));
  await writeFile(`${toolCache}.complete`, "");
  // What docs/act.md has no need of: this world's servers and actions, and the parts of separate jobs.
  const args = [
    ...["--actor", event.actor, "--no-skip-checkout", "--no-cache-server", "--no-recurse"],
    ...["--defaultbranch", "main", "--action-cache-path", join(folder, "cache"), "--use-new-action-cache"],
    // act's own server does not understand the newest actions; without it there would be no token for another one
    ...["--artifact-server-path", join(folder, "artifacts"), "--artifact-server-addr", "127.0.0.1"],
    ...["--artifact-server-port", "0"],
    ...["--secret", `OPENAI_API_KEY=${key}`],
    ...Object.entries(env).flatMap(([name, value]) => ["--env", `${name}=${value}`]),
    ...(await Promise.all(local)).flatMap(([pin, path]) => [
      "--local-repository",
      `${pin.replace(/ #.*/, "")}=${path}`,
    ]),
  ];
  const path = TOOLS_PATH.split(delimiter).filter((one) => !one.includes("node_modules"));
  const realAct = path.map((one) => join(one, "act")).find(existsSync) ?? "";
  await writeFile(join(bin, "act"), `#!/bin/sh\nexec ${[realAct, '"$@"', ...args.map(quoteWords)].join(" ")}\n`, {
    mode: 0o755,
  });
  const variables = {
    PATH: [bin, ...path].join(delimiter),
    HOME: folder,
    TMPDIR: folder,
    LANG: "C.UTF-8",
    ACTIONS_RUNTIME_URL: artifacts.url,
    ASSAY: product,
    REPO: rig.origin.name,
    ISSUE: String(event.thread),
    COMMENT: String(at(event.event.payload, "comment", "id") ?? 0),
    GITHUB_TOKEN: rig.github.tokenOf(BOT),
  };
  const files = documented("act-files").replaceAll("https://api.github.com", rig.github.url);
  await promisify(execFile)("bash", ["-c", files], {cwd: repository, env: variables});
  const isComment = event.event.name === "issue_comment";
  if (!isComment) await writeFile(join(folder, "assay-try/event.json"), JSON.stringify({...event.event.payload}));
  const command = documented("act-run").replace("act issue_comment", `act ${event.event.name}`);
  // `exec`, so that a signal reaches act
  const child = spawn("bash", ["-c", `exec ${command.trim()}`], {
    cwd: repository,
    env: variables,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let log = "";
  let isOver = false;
  let onText = () => {};
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      log += text;
      onText();
    });
  }
  const ended = new Promise<{exitCode: number | null; log: string}>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (exitCode) => {
      isOver = true;
      artifacts.close();
      onText();
      resolve({exitCode, log});
    });
  });
  return {
    saw: (pattern) =>
      new Promise((resolve, reject) => {
        onText = () => {
          if (pattern.test(log)) resolve();
          else if (isOver) reject(new Error(`act ended without ${pattern}:\n${log}`));
        };
        onText();
      }),
    cancel: () => void child.kill("SIGINT"),
    ended,
  };
}

/**
 * A copy of an action of GitHub's. The ones for artifacts refuse a server that is neither github.com nor on a host called
 * `localhost`, because an Enterprise Server has another protocol: this world's server is on 127.0.0.1.
 */
async function actionAt(folder: string, pin: string): Promise<string> {
  const [, name = ""] = /^actions\/([^@]+)@/.exec(pin) ?? [];
  const copy = join(folder, name);
  // GitHub's actions are built: they run without their packages and their history, which are hundreds of megabytes.
  const isNeeded = (path: string) => !["node_modules", ".git"].includes(basename(path));
  await cp(join(ACTIONS, name), copy, {recursive: true, filter: isNeeded});
  const [script] = ["dist/upload/index.js", "dist/setup/index.js", "dist/restore-only/index.js", "dist/index.js"]
    .map((one) => join(copy, one))
    .filter(existsSync);
  if (script === undefined) throw new Error(`${join(ACTIONS, name)} holds no action`);
  if (!name.includes("artifact")) return copy;
  const text = readFileSync(script, "utf8");
  const changed = text.replaceAll(/\w+\.endsWith\((["'])\.LOCALHOST\1\)/g, "true");
  if (changed === text) throw new Error(`${name} looks at the server in another way now`);
  await writeFile(script, changed);
  return copy;
}
