/** Installs the pinned programs of the agents from their registry, once for each version, outside of the checkout. */
import {spawnSync} from "node:child_process";
import {existsSync, mkdirSync, readFileSync, symlinkSync} from "node:fs";
import {homedir} from "node:os";
import {join} from "node:path";
import {ADAPTERS} from "../../../src/agent/adapters/all.ts";
import type {AgentName} from "../../../src/record/agent-names.ts";
import {parseObject, textAt} from "../../rig/json.ts";

/** Returns a folder for the PATH with the agent's program, without install scripts, as the product installs it. */
export function installAgent(name: AgentName): string {
  const {package: pinned} = ADAPTERS[name];
  if (pinned === null) throw new Error(`${name} has no package`);
  const folder = join(homedir(), ".cache/assay-test-tools/agents", `${name}-${pinned.version}`);
  const bin = join(folder, "bin");
  if (existsSync(join(bin, pinned.bin))) return bin;
  mkdirSync(bin, {recursive: true});
  const flags = ["--ignore-scripts", "--no-audit", "--no-fund"];
  const args = ["install", "--prefix", folder, ...flags, `${pinned.name}@${pinned.version}`];
  const {status, stderr} = spawnSync("npm", args, {encoding: "utf8"});
  if (status !== 0) throw new Error(`${name} cannot be installed: ${stderr}`);
  const packages = join(folder, "node_modules");
  const entry = (pinned.entries ?? []).map((path) => join(packages, path)).find((path) => existsSync(path));
  symlinkSync(entry ?? programOf(join(packages, pinned.name), pinned.bin), join(bin, pinned.bin));
  return bin;
}

function programOf(folder: string, bin: string): string {
  return join(folder, textAt(parseObject(readFileSync(join(folder, "package.json"), "utf8")), "bin", bin));
}
