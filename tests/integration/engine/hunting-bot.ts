/** A bot with a secret in its own environment, that runs one stage in a sandbox, or without, and prints what became of it. */

import {chooseSandbox} from "../../../src/engine/isolation/choose-sandbox.ts";
import {stageHome} from "../../../src/engine/isolation/home.ts";
import {runStage} from "../../../src/engine/stage/stage.ts";

const o = JSON.parse(process.argv[2] ?? "");
const fence = await chooseSandbox({sandbox: o.sandbox, network: o.network, folder: `${o.home}-probe`, ...o.machine});
const {level: isolation} = fence;
const home = stageHome({realHome: o.realHome, variables: o.variables, isolation: fence, private: o.private});
await home.populate(o.home);
const network = fence.network === "all";
const result = await runStage(o.stage, {
  folder: o.checkout,
  isolation,
  signal: new AbortController().signal,
  hidden: o.hidden,
  variables: (wanted) => home.variables({...wanted, home: o.home}),
  sandbox: (env) =>
    home.sandbox({
      checkout: o.checkout,
      home: o.home,
      alsoReadable: [],
      alsoWritable: [],
      env,
      pins: "settings and programs",
      baseHome: null,
      network,
    }),
});
process.stdout.write(JSON.stringify({fence, result}));
