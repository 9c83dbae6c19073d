/** The result of `assay init` as JSON and as text. */
import {z} from "zod";
import {lineProofSchema} from "../../record/proof.ts";
import {type Finding, findingText} from "../finding.ts";
import {SETUP_ACTION} from "./setup-action.ts";

/** `left-alone`: the file exists, here or in another place where Assay reads it. */
const FILE_FATES = ["written", "left-alone"] as const;

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
  /** the written setup action names tools that the owner must install */
  readonly isIncomplete: boolean;
  /** the owner asked for another form of the workflow than the default one */
  readonly wantsForm: boolean;
  /** the existing workflow runs Assay in one job, and the owner did not ask for that */
  readonly hasSingleJob: boolean;
  /** of `assay doctor`, after the files were written */
  readonly findings: readonly Finding[];
}

export function initDocument(result: InitResult): InitDocument {
  const {folder, files} = result;
  return {schema: "assay.init/1", folder, files, next: nextSteps(result)};
}

/** For a terminal; each ends with a new line. */
export const fileLines = (files: Files): string =>
  files.map(({path, done}) => (done === "written" ? `wrote ${path}\n` : `kept ${path}: it exists already\n`)).join("");

export const nextLines = (next: readonly string[]): string => ["", ...next, ""].join("\n");

function nextSteps({files, isIncomplete, wantsForm, hasSingleJob, findings}: InitResult): string[] {
  const hasWritten = (path: string) => files.some((file) => file.path === path && file.done === "written");
  const keptWorkflow = files.find(({path, done}) => done === "left-alone" && path.startsWith(".github/workflows/"));
  const left = findings.filter(({state}) => state !== "ok");
  const first = FIRST.flatMap((about) => left.find((finding) => finding.about === about) ?? [])[0] ?? left[0];
  const others = left.filter((finding) => finding !== first);
  return [
    ...(keptWorkflow === undefined ? [] : keptHints(keptWorkflow.path, {wantsForm, hasSingleJob})),
    ...(files.every(({done}) => done === "left-alone") ? ["Nothing was written."] : []),
    ...(isIncomplete && hasWritten(SETUP_ACTION)
      ? [`The comments of ${SETUP_ACTION} name tools that it does not install yet: add steps for them.`]
      : []),
    ...(others.length === 0 ? [] : ["Still to do:", ...others.flatMap(findingText), ""]),
    `Next: ${first?.next ?? "comment `/assay <request>` on an issue."}`,
  ];
}

/** What comes first: without checks nothing can be verified, and GitHub reads only commits. */
const FIRST = ["plan", "commit"];

/** A second workflow is not written: each request would start both. */
function keptHints(path: string, {wantsForm, hasSingleJob}: Pick<InitResult, "wantsForm" | "hasSingleJob">): string[] {
  if (wantsForm)
    return [`${path} stays as it is, so the options for the workflow had no effect. To change it, add \`--update\`.`];
  return hasSingleJob
    ? [
        `${path} runs Assay in one job and stays as it is, because two workflows would both start. For separate jobs, run \`assay init --update --mode separated\`.`,
      ]
    : [];
}
