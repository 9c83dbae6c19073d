/** The failed jobs of CI that started a run, and the entries of `verify.json` that let Assay run their checks. */
import {clip, codeSpan, fence} from "../markdown/escape.ts";
import type {RunRecord} from "../record/record.ts";
import {capLength, type DetailLimits} from "./fit-size.ts";
import {link} from "./link.ts";
import {RED_JOB} from "./wording.ts";

const ADD_ENTRY = "To let Assay run such a check, add it to `verify.json` on the default branch:";

export function redJobsPart({request, redJobs = []}: RunRecord, limits: DetailLimits): string {
  if (request?.kind !== "ci") return "";
  const name = codeSpan(clip(request.workflow, limits.line));
  const {shown, left} = capLength(redJobs, limits.rows);
  const code = (text: string) => codeSpan(clip(text, limits.line), {table: true});
  const rows = shown.map(
    (job) => `| ${code(job.name)} | ${job.step === null ? "" : code(job.step)} | ${RED_JOB[job.outcome]} |`,
  );
  const more = left === 0 ? [] : [`| …and ${left} more | | |`];
  const table = ["| Failed job | Step | |", "|---|---|---|", ...rows, ...more].join("\n");
  const entries = [...new Set(redJobs.flatMap(({entry}) => (entry === "" ? [] : [entry])))];
  return [
    `A failed workflow started this run: ${link(name, request.url) || name}`,
    ...(rows.length === 0 ? [] : [table]),
    ...(entries.length === 0 ? [] : [`${ADD_ENTRY}\n\n${fence(entries.join("\n"), "json")}`]),
  ].join("\n\n");
}
