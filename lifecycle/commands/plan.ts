/** `assay plan`: what would run in this folder, where each stage comes from, and what was passed over. */
import {readFile} from "node:fs/promises";
import {join} from "node:path";
import picocolors from "picocolors";
import {DEFAULT_CONFIG} from "../../src/plan/config.ts";
import {readConfig} from "../../src/plan/config-files.ts";
import {plan} from "../../src/plan/plan.ts";
import {openProject} from "../../src/plan/project.ts";
import {planTable} from "../../src/plan/table.ts";
import {ok} from "../../src/words.ts";
import {failureLines} from "../tell.ts";

/** Exit 0; 3 when verify.json has mistakes. Reads the folder as it stands and runs nothing of it. */
export async function planCommand(o: {json?: boolean; changed?: string[]}): Promise<number> {
  const folder = process.cwd();
  const config = await readConfig(async (path) => ok(await readFile(join(folder, path), "utf8").catch(() => null)));
  if (!config.ok) return sayMistakes(config.failure);
  const project = openProject(folder, process.env);
  const made = plan({project, config: config.value ?? DEFAULT_CONFIG, ...(o.changed && {changed: o.changed})});
  if (!made.ok) return sayMistakes(made.failure);
  process.stdout.write(o.json ? `${JSON.stringify(made.value, null, 2)}\n` : planTable(made.value, picocolors));
  return 0;
}

function sayMistakes(failure: Parameters<typeof failureLines>[0]): number {
  process.stderr.write(`${failureLines(failure).join("\n")}\n`);
  return 3;
}
