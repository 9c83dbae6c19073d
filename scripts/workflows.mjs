/** Writes the workflows that we ship from their one source; `--check` only says whether they are current. */
import {readFileSync, writeFileSync} from "node:fs";
import {ASSAY} from "../src/onboarding/init/action-pins.ts";
import {cacheWorkflow} from "../src/onboarding/init/cache-workflow.ts";
import {reusableWorkflow, separatedWorkflow} from "../src/onboarding/init/separated-workflow.ts";
import {callerWorkflow, singleWorkflow} from "../src/onboarding/init/workflow-file.ts";
import {DEFAULT_PHRASE} from "../src/request/default-phrase.ts";

const caller = callerWorkflow(DEFAULT_PHRASE);
const files = {
  "docs/workflows/assay.yml": caller,
  ".github/workflows/assay.yml": caller,
  "docs/workflows/single.yml": singleWorkflow([], DEFAULT_PHRASE),
  "docs/workflows/cache.yml": cacheWorkflow(),
  "docs/workflows/separated.yml": separatedWorkflow([]),
  ".github/workflows/separated.yml": reusableWorkflow(),
};
const root = new URL("..", import.meta.url);
const isCheck = process.argv.includes("--check");
for (const [path, text] of Object.entries(files)) write(path, () => text);
const [, pin = ""] = /@(.*)/.exec(ASSAY) ?? [];
for (const name of ["require", "stats"])
  write(`docs/workflows/${name}.yml`, (text) => text.replace(/^( +ref:) [0-9a-f]{40} # .*$/m, `$1 ${pin}`));
// The README shows the default.
write("README.md", (readme) => readme.replace(/```yaml\nname: Assay\n[^`]*```/, () => `\`\`\`yaml\n${caller}\`\`\``));

function write(path, renew) {
  const file = new URL(path, root);
  const before = readFileSync(file, {encoding: "utf8", flag: "a+"});
  const after = renew(before);
  if (before === after) return;
  if (!isCheck) return writeFileSync(file, after);
  console.error(`${path} is not current. Run: node scripts/workflows.mjs`);
  process.exitCode = 1;
}
