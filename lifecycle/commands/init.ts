/** `assay init`: writes a `verify.json` and the workflow for what is detected here, and leaves alone what is there. */
import {existsSync} from "node:fs";
import {mkdir, writeFile} from "node:fs/promises";
import {dirname, join} from "node:path";
import {z} from "zod";
import {configFile} from "../../src/init/config-file.ts";
import {setupSteps} from "../../src/init/setup-steps.ts";
import {findWorkflow, WORKFLOW_FILE, workflowFile} from "../../src/init/workflow-file.ts";
import {CONFIG_FILES, DEFAULT_CONFIG} from "../../src/plan/config.ts";
import {plan} from "../../src/plan/plan.ts";
import {openProject} from "../../src/plan/project.ts";
import {failureLines} from "../tell.ts";
import {gitTop} from "./local-ground.ts";

/** What `assay init --json` prints. */
export const initSchema = z.object({
  schema: z.literal("assay.init/1"),
  /** the folder that the paths are relative to */
  folder: z.string(),
  files: z.array(z.object({path: z.string(), done: z.enum(["written", "left-alone"])})),
  next: z.array(z.string()),
});
type Init = z.infer<typeof initSchema>;

/** Exit 0, also when both files are there already; 3 when no plan can be made. Runs nothing of the repository. */
export async function initCommand(o: {json?: boolean}): Promise<number> {
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
  const files = [
    await write({folder, there: config, path: CONFIG_FILES[0], text: configFile(made.value)}),
    await write({folder, there: workflow, path: WORKFLOW_FILE, text: workflowFile(setupSteps(made.value, project))}),
  ];
  const report: Init = {schema: "assay.init/1", folder, files, next: nextSteps(files)};
  process.stdout.write(o.json ? `${JSON.stringify(report, null, 2)}\n` : text(report));
  return 0;
}

async function write(o: {
  folder: string;
  there: string | null;
  path: string;
  text: string;
}): Promise<Init["files"][number]> {
  if (o.there !== null) return {path: o.there, done: "left-alone"};
  await mkdir(dirname(join(o.folder, o.path)), {recursive: true});
  await writeFile(join(o.folder, o.path), o.text, {flag: "wx"});
  return {path: o.path, done: "written"};
}

function nextSteps(files: Init["files"]): string[] {
  const written = files.filter((file) => file.done === "written").map((file) => file.path);
  if (written.length === 0) return ["Nothing was written. Run `assay doctor` to see whether anything is missing."];
  return [
    `Look at ${written.join(" and ")}, then commit: they take effect from the base branch.`,
    ...(written.includes(WORKFLOW_FILE)
      ? ["Add the secret ANTHROPIC_API_KEY to the repository, or set another provider in the workflow."]
      : []),
    "Run `assay doctor` to see whether anything is missing.",
  ];
}

function text(report: Init): string {
  const lines = report.files.map(({path, done}) =>
    done === "written" ? `wrote ${path}` : `left ${path} alone: it is there already`,
  );
  return `${[...lines, "", ...report.next].join("\n")}\n`;
}
