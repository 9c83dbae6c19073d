/** A rig for sweeps: the agent is a script of a few lines, and the bot can be struck down anywhere. */
import {existsSync} from "node:fs";
import {rm} from "node:fs/promises";
import {delimiter, join} from "node:path";
import {buildBroken, GIT_FROM_PATH} from "../mutations/broken-bot.ts";
import {BOT} from "../rig/github/people.ts";
import {PRODUCT_FILES, plain} from "../rig/projects.ts";
import {brokenPromises} from "../rig/promises.ts";
import {createRig} from "../rig/rig.ts";
import {PRODUCT} from "../rig/runner.ts";
import type {Outcome, Rig} from "../rig/world.ts";
import {makeStriker, program, type Striker} from "./strikes.ts";

export interface QuickWorld extends AsyncDisposable {
  readonly rig: Rig;
  /** for `RunOptions.env` */
  readonly env: Readonly<Record<string, string>>;
  readonly striker: Striker;
  /** true when the agent has done its work; `forget` makes that news again */
  hasWorked(outcome: Outcome): boolean;
  forget(): Promise<void>;
}

export async function quickWorld(
  options: {product?: string; agent?: string; verify?: Record<string, unknown>} = {},
): Promise<QuickWorld> {
  const stages = [{name: "test", command: "test ! -e src/product.js || grep -q '\\*' src/product.js", timeout: 60}];
  const files = plain({verify: {stages, ...options.verify}});
  // A product that is given has been built so by who gives it; api-faults strikes no git.
  await using stack = new AsyncDisposableStack();
  const product = options.product ?? stack.use(await buildBroken(GIT_FROM_PATH)).folder;
  const rig = stack.use(await createRig({files, watches: false, product}));
  const striker = await makeStriker(rig);
  const path = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => !folder.includes("node_modules"));
  const node = join(PRODUCT, "node_modules/node/bin");
  const worked = join(rig.folder, "quick-worked");
  await program(
    join(striker.bin, "pi"),
    `#!/bin/sh\n${KEEP_SESSION}\ncat > /dev/null\n${options.agent ?? `${WRITE_PRODUCT}\n${SAY_DONE}`}\ntouch ${worked} 2> /dev/null || true\n`,
  );
  const whole = stack.move();
  return {
    rig,
    env: {PATH: [striker.bin, node, ...path].join(delimiter)},
    striker,
    // in a sandbox the agent cannot leave its mark outside
    hasWorked: ({record}) => existsSync(worked) || (record?.attempts.some(({changes}) => changes.length > 0) ?? false),
    forget: () => rm(worked, {force: true}),
    [Symbol.asyncDispose]: () => whole.disposeAsync(),
  };
}

/** True when some branch of the server holds what the agent wrote. */
export async function isWorkThere(rig: Rig, {refs}: Outcome): Promise<boolean> {
  for (const ref of Object.keys(refs)) {
    if ((await rig.origin.read(ref, "src/product.js")) === PRODUCT_FILES.right) return true;
  }
  return false;
}

export const own = ({comments}: Outcome) => comments.filter(({author}) => author === BOT);

/**
 * The promises that a run has broken. One that ended before it had said or kept anything is one that never was: its event
 * can come again. The gate is a shell in git's place, and it and its helpers get what git gets: P12 is not held against it.
 */
export async function brokenIn({rig}: Pick<QuickWorld, "rig">, outcome: Outcome): Promise<string[]> {
  const {origin, git: server, github} = rig;
  const all = await brokenPromises({
    outcome,
    origin,
    updates: server.updates,
    nothingAsked: outcome.record === null,
    // each is told of once, and not of every later run in this world
    invalidRequests: github.invalid.splice(0),
    unmatchedPrompts: [],
  });
  return all.filter((text) => !text.startsWith("P12"));
}

/** What the agent does: reads its prompt, writes a product and its test, and says so as pi does. */
const MESSAGE = {
  role: "assistant",
  content: [{type: "text", text: "Products are there."}],
  provider: "quick",
  model: "quick",
  stopReason: "stop",
  usage: {input: 1, output: 1, cacheRead: 0, cacheWrite: 0, cost: {total: 0}},
};
export const SAY_DONE = `cat <<'EOT'\n${JSON.stringify({type: "session", id: "quick"})}\n${JSON.stringify({type: "message_end", message: MESSAGE})}\nEOT`;
export const WRITE_PRODUCT = `mkdir -p src tests\ncat > src/product.js <<'EOT'\n${PRODUCT_FILES.right}EOT\ncat > tests/product.test.js <<'EOT'\n${PRODUCT_FILES.test}EOT`;
/** As pi does, so that there is a session to keep. */
const KEEP_SESSION = `while [ $# -gt 0 ]; do\n  if [ "$1" = --session ]; then echo '{"type":"session","id":"quick","cwd":"."}' > "$2"; fi\n  shift\ndone`;
