/** The result of `assay init` as JSON and as text. */
import {z} from "zod";
import {CONFIG_FILES} from "../../detect/config/config.ts";
import {lineProofSchema} from "../../record/proof.ts";
import {SETUP_ACTION} from "./setup-action.ts";
import {WORKFLOW_FILE} from "./workflow-file.ts";

/** `left-alone`: the file exists, here or in another place where Assay reads it. */
export const FILE_FATES = ["written", "left-alone"] as const;

/** The output of `assay init --json`. */
export const initSchema = z.strictObject({
  schema: z.literal("assay.init/1"),
  /** the folder that the paths are relative to */
  folder: z.string(),
  files: z.array(z.strictObject({path: z.string(), done: z.enum(FILE_FATES)})),
  /** what one run on the last commit showed of each check that is not required yet; absent if none ran */
  proofs: z.array(lineProofSchema).optional(),
  /** the next steps, one sentence each */
  next: z.array(z.string()),
});
export type InitDocument = z.infer<typeof initSchema>;
type Files = InitDocument["files"];

export interface InitResult {
  readonly folder: string;
  readonly files: Files;
  /** no check was detected */
  readonly hasNoStages: boolean;
  /** the written setup action names tools that the owner must install */
  readonly isIncomplete: boolean;
  /** the owner asked for another form of the workflow than the default one */
  readonly wantsForm: boolean;
  /** the existing workflow runs Assay in one job, and the owner did not ask for that */
  readonly hasSingleJob: boolean;
  /** the secrets that the workflow reads: the key of the agent's model, then the key of the judge's */
  readonly secrets: readonly string[];
}

export function initDocument(result: InitResult): InitDocument {
  const {folder, files} = result;
  return {schema: "assay.init/1", folder, files, next: nextSteps(result)};
}

/** For a terminal; each ends with a new line. */
export const fileLines = (files: Files): string =>
  files.map(({path, done}) => (done === "written" ? `wrote ${path}\n` : `kept ${path}: it exists already\n`)).join("");

export const nextLines = (next: readonly string[]): string => ["", ...next, ""].join("\n");

function nextSteps({files, hasNoStages, isIncomplete, wantsForm, hasSingleJob, secrets}: InitResult): string[] {
  const writtenPaths = files.filter((file) => file.done === "written").map((file) => file.path);
  const keptWorkflow = files.find(({path, done}) => done === "left-alone" && path.startsWith(".github/workflows/"));
  const hints = keptWorkflow === undefined ? [] : keptHints(keptWorkflow.path, {wantsForm, hasSingleJob});
  if (writtenPaths.length === 0)
    return [...hints, "Nothing was written. Run `assay doctor` to see whether anything is missing."];
  return [
    ...hints,
    ...(hasNoStages && writtenPaths.includes(CONFIG_FILES[0])
      ? [
          `No checks found. Add your commands to \`stages\` in ${CONFIG_FILES[0]}; without them nothing can be verified.`,
        ]
      : []),
    `Review ${writtenPaths.join(", ")}, then commit. ${writtenPaths.length === 1 ? "It takes" : "They take"} effect on the default branch.`,
    ...(writtenPaths.includes(WORKFLOW_FILE) ? [secretsStep(secrets), PULL_REQUESTS_STEP] : []),
    ...(isIncomplete && writtenPaths.includes(SETUP_ACTION)
      ? [`The comments of ${SETUP_ACTION} name tools that it does not install yet: add steps for them.`]
      : []),
    "Run `assay doctor` to see whether anything is missing.",
  ];
}

/** A second workflow is not written: each request would start both. */
function keptHints(path: string, {wantsForm, hasSingleJob}: Pick<InitResult, "wantsForm" | "hasSingleJob">): string[] {
  if (wantsForm)
    return [`${path} stays as it is, so the options for the workflow had no effect. Delete it and run this again.`];
  return hasSingleJob
    ? [
        `${path} runs Assay in one job and stays as it is, because two workflows would both start. For separate jobs, delete it and run this again.`,
      ]
    : [];
}

/** Without this setting, the workflow's token cannot open a pull request. */
const PULL_REQUESTS_STEP =
  'Turn on Settings → Actions → General → "Allow GitHub Actions to create and approve pull requests".';

function secretsStep([agentKey, judgeKey]: readonly string[]): string {
  const names = judgeKey === undefined ? `secret ${agentKey}` : `secrets ${agentKey} (agent) and ${judgeKey} (judge)`;
  return `Add the ${names} to the repository, or set another provider in the workflow.`;
}
