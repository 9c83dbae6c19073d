/** What `assay init` says it did: the JSON document, and the same for a terminal. */
import {z} from "zod";
import {CONFIG_FILES} from "../../detect/config/config.ts";
import {SETUP_ACTION} from "./setup-action.ts";
import {WORKFLOW_FILE} from "./workflow-file.ts";

/** `written`: it was not there. `left-alone`: it is, here or in another place where Assay looks for it. */
export const FILE_FATES = ["written", "left-alone"] as const;

/** What `assay init --json` prints. */
export const initSchema = z.strictObject({
  schema: z.literal("assay.init/1"),
  /** the folder that the paths are relative to */
  folder: z.string(),
  files: z.array(z.strictObject({path: z.string(), done: z.enum(FILE_FATES)})),
  /** what to do now, a sentence each */
  next: z.array(z.string()),
});
export type InitDocument = z.infer<typeof initSchema>;
type Files = InitDocument["files"];

export interface InitResult {
  readonly folder: string;
  readonly files: Files;
  /** no check was detected */
  readonly hasNoStages: boolean;
  /** the written set-up names steps that are still to be added */
  readonly isIncomplete: boolean;
}

export function initDocument(result: InitResult): InitDocument {
  const {folder, files} = result;
  return {schema: "assay.init/1", folder, files, next: nextSteps(result)};
}

/** For a terminal; ends with a new line. */
export function initLines({files, next}: InitDocument): string {
  const lines = files.map(({path, done}) =>
    done === "written" ? `wrote ${path}` : `left ${path} alone: it is there already`,
  );
  return `${[...lines, "", ...next].join("\n")}\n`;
}

function nextSteps({files, hasNoStages, isIncomplete}: InitResult): string[] {
  const written = files.filter((file) => file.done === "written").map((file) => file.path);
  if (written.length === 0) return ["Nothing was written. Run `assay doctor` to see whether anything is missing."];
  return [
    ...(hasNoStages && written.includes(CONFIG_FILES[0])
      ? [
          `No check was found. Add your commands to \`stages\` in ${CONFIG_FILES[0]}: until then nothing can be verified.`,
        ]
      : []),
    `Look at ${written.join(", ")}, then commit: they take effect from the base branch.`,
    ...(written.includes(WORKFLOW_FILE)
      ? ["Add the secret ANTHROPIC_API_KEY to the repository, or set another provider in the workflow."]
      : []),
    ...(isIncomplete && written.includes(SETUP_ACTION)
      ? [`Add the steps that the comments in ${SETUP_ACTION} name.`]
      : []),
    "Run `assay doctor` to see whether anything is missing.",
  ];
}
