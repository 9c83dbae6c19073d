/** The agent's program in tests: the installed package, joined into a few files so that it starts in a quarter of the time. */
import {spawnSync} from "node:child_process";
import {createHash} from "node:crypto";
import {cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync} from "node:fs";
import {dirname, join} from "node:path";
import {parseObject, textAt} from "./json.ts";

const PACKAGES = new URL("../../node_modules", import.meta.url).pathname;
const INSTALLED = join(PACKAGES, "@mariozechner/pi-coding-agent");
const PROGRAM = "dist/cli.js";
const BUNDLER = new URL("../../scripts/bundle-agent.mjs", import.meta.url).pathname;

export const INSTALLED_AGENT = join(INSTALLED, PROGRAM);

/** In `node_modules`, because the product shows the agent that folder. */
function bundleFolder(): string {
  const versions = [INSTALLED, join(PACKAGES, "bun")].map((folder) =>
    textAt(parseObject(readFileSync(join(folder, "package.json"), "utf8")), "version"),
  );
  const bundler = createHash("sha256").update(readFileSync(BUNDLER)).digest("hex").slice(0, 8);
  return join(PACKAGES, ".cache/assay-tests", `pi-${versions.join("-bun-")}-${bundler}`);
}

/** The bundle where `bundleAgent` has made one, otherwise the installed program. */
export function agentProgram(): string {
  const bundled = join(bundleFolder(), PROGRAM);
  return existsSync(bundled) ? bundled : INSTALLED_AGENT;
}

/** Makes the bundle, once for each version and form. The agent finds its themes and its version next to its program, as in its package. */
export function bundleAgent(): void {
  const target = bundleFolder();
  if (existsSync(target)) return;
  mkdirSync(dirname(target), {recursive: true});
  // renamed when it is complete: two test runs may begin at the same time
  const folder = mkdtempSync(`${target}-`);
  try {
    const args = [BUNDLER, INSTALLED_AGENT, join(folder, dirname(PROGRAM))];
    const {status, stderr} = spawnSync(join(PACKAGES, ".bin/bun"), args, {encoding: "utf8"});
    if (status !== 0) throw new Error(`the agent cannot be bundled: ${stderr}`);
    for (const part of ["package.json", "dist/modes/interactive/theme", "dist/modes/interactive/assets"]) {
      cpSync(join(INSTALLED, part), join(folder, part), {recursive: true});
    }
    if (!existsSync(target)) renameSync(folder, target);
  } finally {
    rmSync(folder, {recursive: true, force: true});
  }
}
