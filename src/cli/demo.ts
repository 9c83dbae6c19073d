/** `assay demo`: runs Assay on an example on this machine. It needs a checkout of Assay with its test rig. */
import {spawn} from "node:child_process";
import {once} from "node:events";
import {existsSync} from "node:fs";
import {mkdtemp, rm} from "node:fs/promises";
import {tmpdir} from "node:os";
import {join, resolve} from "node:path";
import {closest} from "./git-top.ts";

/** The test rig with its git server, GitHub emulator, agent and scripted model is too large to be published. */
const RIG = ["tests/demo/demo.ts", "node_modules/node/bin/node", "node_modules/emulate"];

/** Exit 0 if all promises held, 1 if not, 3 if the demo cannot run here. */
export async function demoCommand(options: {report: string}): Promise<number> {
  const root = checkout();
  if (root === null || process.platform !== "linux") {
    process.stderr.write(
      "The demo needs Linux and a checkout of Assay with its packages.\n" +
        "Clone Assay's repository, then run: npm ci --omit=dev && npm run demo\n",
    );
    return 3;
  }
  const scratch = await mkdtemp(join(tmpdir(), "assay-demo-"));
  const [story, node] = [join(root, "tests/demo/demo.ts"), join(root, "node_modules/node/bin/node")];
  // The rig is TypeScript, and the action runs on Node 24, so this process's Node does not fit.
  const child = spawn(node, [story, "--report", resolve(options.report)], {
    stdio: "inherit",
    env: {...process.env, TMPDIR: scratch},
  });
  // Ctrl-C also reaches the child. This process waits for it, then cleans up.
  process.on("SIGINT", () => {});
  process.on("SIGTERM", () => child.kill("SIGTERM"));
  try {
    const [code] = await once(child, "exit");
    return typeof code === "number" ? code : 1;
  } finally {
    await rm(scratch, {recursive: true, force: true, maxRetries: 5});
  }
}

/** The checkout that contains this file; null in the published bundle. */
function checkout(): string | null {
  return closest(import.meta.dirname, (folder) => RIG.every((path) => existsSync(join(folder, path))));
}
