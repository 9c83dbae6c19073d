/** Writes the workflows that we ship from their one source; `--check` only says whether they are current. */
import {readFileSync, writeFileSync} from "node:fs";
import {reusableWorkflow, separatedWorkflow} from "../src/init/separated-workflow.ts";
import {workflowFile} from "../src/init/workflow-file.ts";

const files = {
  "docs/workflows/assay.yml": workflowFile([]),
  ".github/workflows/assay.yml": workflowFile([]),
  "docs/workflows/separated.yml": separatedWorkflow([]),
  ".github/workflows/separated.yml": reusableWorkflow(),
};
for (const [path, text] of Object.entries(files)) {
  const file = new URL(`../${path}`, import.meta.url);
  if (!process.argv.includes("--check")) writeFileSync(file, text);
  else if (readFileSync(file, "utf8") !== text) {
    console.error(`${path} is not current. Run: node scripts/workflows.mjs`);
    process.exitCode = 1;
  }
}
