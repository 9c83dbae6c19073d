/** `assay demo`: the main job on this machine. It needs the tests' world, so it starts in a checkout or says what is missing. */
import {spawn} from "node:child_process";
import {once} from "node:events";
import {existsSync} from "node:fs";
import {mkdtemp, rm} from "node:fs/promises";
import {tmpdir} from "node:os";
import {join, resolve} from "node:path";
import {closest} from "./git-top.ts";

/** Git server, GitHub stand-in, agent and scripted model are development packages: too large to be shipped for a demo. */
const WORLD = ["tests/demo/demo.ts", "node_modules/node/bin/node", "node_modules/emulate", "node_modules/vitest"];

/** Exit 0 when everything was as promised, 1 when not, 3 when the demo cannot run here. */
export async function demoCommand(o: {report: string}): Promise<number> {
  const root = checkout();
  if (root === null || process.platform !== "linux") {
    process.stderr.write(
      "The demo runs in a checkout of Assay, on Linux, with the development packages installed.\n" +
        "Clone Assay's repository and run there: npm ci && npm run demo\n",
    );
    return 3;
  }
  const scratch = await mkdtemp(join(tmpdir(), "assay-demo-"));
  const [story, node] = [join(root, "tests/demo/demo.ts"), join(root, "node_modules/node/bin/node")];
  // The world is TypeScript and the action wants Node 24, whatever Node this is.
  const child = spawn(node, [story, "--report", resolve(o.report)], {
    stdio: "inherit",
    env: {...process.env, TMPDIR: scratch},
  });
  // Ctrl-C reaches the child by itself; this process stays to clear up after it.
  process.on("SIGINT", () => {});
  process.on("SIGTERM", () => child.kill("SIGTERM"));
  try {
    const [code] = await once(child, "exit");
    return typeof code === "number" ? code : 1;
  } finally {
    await rm(scratch, {recursive: true, force: true, maxRetries: 5});
  }
}

/** The folder above this file that has all of the world; null where this is only the shipped bundle. */
function checkout(): string | null {
  return closest(import.meta.dirname, (folder) => WORLD.every((path) => existsSync(join(folder, path))));
}
