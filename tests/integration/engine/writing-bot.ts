/** Runs one line confined as a stage or as the agent is, at a level that the machine offers, and prints what became of it. */

import {chooseSandbox} from "../../../src/engine/isolation/choose-sandbox.ts";
import {stageHome} from "../../../src/engine/isolation/home.ts";
import {run} from "../../../src/process/run.ts";

const o = JSON.parse(process.argv[2] ?? "");
const fence = await chooseSandbox({sandbox: "auto", network: "all", folder: o.probes, mayBeOpen: true, ...o.machine});
const home = stageHome({realHome: o.realHome, variables: o.variables, isolation: fence, private: o.private});
await home.populate(o.home);
// Broken on purpose, so that a hunt can be seen to find something.
const handedOn = o.breaks === "hands on" ? {HANDED_ON: process.env["GITHUB_TOKEN"] ?? ""} : {};
const bot = String(process.pid);
const extra = {...o.extra, BOT: bot, ...handedOn, ...(o.breaks === "no fence" && {ONLY: bot})};
const env = home.variables({home: o.home, pathFirst: [], extra});
const sandbox = home.sandbox({
  checkout: o.checkout,
  home: o.home,
  alsoReadable: [],
  alsoWritable: o.alsoWritable,
  env,
  pins: o.pins,
  baseHome: null,
  network: true,
});
const ran = await run(
  {argv: ["/bin/sh", "-c", o.line], cwd: o.checkout, env},
  o.breaks === "no fence"
    ? {timeoutMs: 60_000, isolation: "degraded"}
    : {timeoutMs: 60_000, isolation: fence.level, ...(sandbox && {sandbox})},
);
process.stdout.write(JSON.stringify({fence, exit: ran.exit, output: ran.output.head + ran.output.tail}));
process.exit(0);
