/** `assay init`: writes a `verify.json` and the workflow for what is detected here, and leaves alone what is there. */
import {existsSync} from "node:fs";
import {mkdir, writeFile} from "node:fs/promises";
import {dirname, join} from "node:path";
import {configFile} from "../../src/init/config-file.ts";
import {type InitDocument, initDocument, initLines} from "../../src/init/document.ts";
import {separatedWorkflow} from "../../src/init/separated-workflow.ts";
import {setupSteps} from "../../src/init/setup-steps.ts";
import {findWorkflow, WORKFLOW_FILE, workflowFile} from "../../src/init/workflow-file.ts";
import {CONFIG_FILES, DEFAULT_CONFIG} from "../../src/plan/config.ts";
import {plan} from "../../src/plan/plan.ts";
import {openProject} from "../../src/plan/project.ts";
import {failureLines} from "../tell.ts";
import {gitTop} from "./git-top.ts";

/** Exit 0, also when both files are there already; 3 when no plan can be made. Runs nothing of the repository. */
export async function initCommand(o: {json?: boolean; mode: "single" | "separated"; shards: string}): Promise<number> {
  if (o.mode === "single" && o.shards !== "1") {
    process.stderr.write("--shards needs --mode separated: one job has one machine.\n");
    return 3;
  }
  const folder = gitTop(process.cwd()) ?? process.cwd();
  const project = await openProject(folder, process.env);
  const made = plan({project, config: DEFAULT_CONFIG});
  if (!made.ok) {
    process.stderr.write(`${failureLines(made.failure).join("\n")}\n`);
    return 3;
  }
  // A file that git ignores is there all the same.
  const config = CONFIG_FILES.find((path) => existsSync(join(folder, path))) ?? null;
  const workflow = existsSync(join(folder, WORKFLOW_FILE)) ? WORKFLOW_FILE : findWorkflow(project);
  const steps = setupSteps(made.value, project);
  const workflowText = o.mode === "separated" ? separatedWorkflow(steps, Number(o.shards)) : workflowFile(steps);
  const files = [
    await write({folder, there: config, path: CONFIG_FILES[0], text: configFile(made.value)}),
    await write({folder, there: workflow, path: WORKFLOW_FILE, text: workflowText}),
  ];
  const document = initDocument(folder, files);
  process.stdout.write(o.json ? `${JSON.stringify(document, null, 2)}\n` : initLines(document));
  return 0;
}

async function write(o: {
  folder: string;
  there: string | null;
  path: string;
  text: string;
}): Promise<InitDocument["files"][number]> {
  if (o.there !== null) return {path: o.there, done: "left-alone"};
  await mkdir(dirname(join(o.folder, o.path)), {recursive: true});
  await writeFile(join(o.folder, o.path), o.text, {flag: "wx"});
  return {path: o.path, done: "written"};
}
