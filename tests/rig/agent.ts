/** The agent's program in tests: the installed package, joined into a few files so that it starts in half the time. */
import {spawnSync} from "node:child_process";
import {cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync} from "node:fs";
import {dirname, join} from "node:path";
import {parseObject, textAt} from "./json.ts";

const PACKAGES = new URL("../../node_modules", import.meta.url).pathname;
const INSTALLED = join(PACKAGES, "@mariozechner/pi-coding-agent");
const PROGRAM = "dist/cli.js";
/** An optional package, which is not installed. */
const ABSENT = "@opentelemetry/api";

export const INSTALLED_AGENT = join(INSTALLED, PROGRAM);

/** In `node_modules`, because the product shows the agent that folder. */
function bundleFolder(): string {
  const versions = [INSTALLED, join(PACKAGES, "bun")].map((folder) =>
    textAt(parseObject(readFileSync(join(folder, "package.json"), "utf8")), "version"),
  );
  return join(PACKAGES, ".cache/assay-tests", `pi-${versions.join("-bun-")}`);
}

/** The bundle where `bundleAgent` has made one, otherwise the installed program. */
export function agentProgram(): string {
  const bundled = join(bundleFolder(), PROGRAM);
  return existsSync(bundled) ? bundled : INSTALLED_AGENT;
}

/** Makes the bundle, once for each version. The agent finds its themes and its version next to its program, as in its package. */
export function bundleAgent(): void {
  const target = bundleFolder();
  if (existsSync(target)) return;
  mkdirSync(dirname(target), {recursive: true});
  // renamed when it is complete: two test runs may begin at the same time
  const folder = mkdtempSync(`${target}-`);
  try {
    const out = ["--target=node", "--format=esm", "--splitting", "--outdir", join(folder, dirname(PROGRAM))];
    const args = ["build", INSTALLED_AGENT, ...out, "--external", ABSENT];
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
