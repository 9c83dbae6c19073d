/** The first lines of a report: the verdict, and the failures, stages or findings that it names. */

import {clip, codeSpan, inline} from "../markdown/escape.ts";
import {branchOf} from "../publish/target.ts";
import type {StageResult} from "../record/evidence.ts";
import {causedFailures} from "../record/failure-cause.ts";
import type {RunRecord} from "../record/record.ts";
import {capLength, type DetailLimits} from "./fit-size.ts";
import {joinWords} from "./format.ts";
import {headlineOf, verdictDetails} from "./headline.ts";
import {linePage, link, repositoryPath} from "./link.ts";
import {TESTS_FAILED, VERDICTS} from "./wording.ts";

/** The headline is the same as in the check and in the terminal; the explanation after it depends on the verdict. */
export function verdictLine(record: RunRecord, limits: DetailLimits): string {
  const {verdict} = record;
  const {icon, headline, sentence} = headlineOf(record);
  const claim = `**${icon} ${headline}.**`;
  const {shown, left} = capLength(verdictDetails(verdict), limits.list);
  const otherFailures = left === 0 ? [] : [`…and ${left} more`];
  const details = shown.map((detail) => inline(clip(detail, limits.line)));
  const list = (items: readonly string[]) => [...items, ...otherFailures].map((item) => `\n- ${item}`).join("");
  switch (verdict.kind) {
    case "verified":
      return `${claim} ${sentence}`;
    case "failed": {
      const hasOnlyTests = headline === TESTS_FAILED && shown.length === 1;
      const failures = shown.map((name) => {
        const failure = firstFailure(name, record, limits);
        return hasOnlyTests ? failure : `${codeSpan(clip(name, limits.line))}: ${failure}`;
      });
      const [only] = failures;
      if (failures.length !== 1) return `${claim} ${sentence}${list(failures)}`;
      return sentence === VERDICTS.failed.sentence ? `${claim} ${only}` : `${claim} ${sentence} ${only}`;
    }
    case "verified-with-preexisting": {
      const names = shown.map((name) => codeSpan(clip(name, limits.line)));
      const base = record.base === null ? "the base" : codeSpan(clip(branchOf(record.base.ref), limits.line));
      const verb = names.length === 1 && left === 0 ? "fails" : "fail";
      const failing = joinWords(left === 0 ? names : [...names, `${left} more`]);
      const comparison = `${failing} already ${verb} on ${base} in the same way.`;
      return sentence === VERDICTS[verdict.kind].sentence
        ? `${claim} ${comparison}`
        : `${claim} ${sentence} ${comparison}`;
    }
    case "partial": {
      const next = record.thread === null ? "" : " Comment `/verify` to run all checks.";
      return `${claim} ${sentence} ${details.map((detail) => `${detail}.`).join(" ")}${next}`;
    }
    case "tampered":
    case "unverified":
    case "nothing-to-verify":
      return `${claim} ${sentence}${list(details)}`;
  }
}

/** The first failure of a stage with its place, and the number of the others. */
function firstFailure(name: string, record: RunRecord, limits: DetailLimits): string {
  const verification = record.attempts.at(-1)?.verification;
  const stage = [...(verification?.setup ?? []), ...(verification?.stages ?? [])].find((one) => one.name === name);
  if (stage === undefined) return "failed";
  const failures = causedFailures(stage);
  const [first] = failures;
  if (first === undefined) return inline(clip(stage.reason, limits.line));
  const otherCount = new Set(failures.map(({file, line, message: text}) => `${file}:${line} ${text}`)).size - 1;
  const {testId = "", message} = first;
  const test = testId === "" || testId === message ? "" : `${codeSpan(clip(testId, limits.line))} `;
  const place = placeOf(first, stage, record);
  const otherFailures = otherCount === 0 ? "" : `, and ${otherCount} more`;
  return `${test}${inline(clip(message, limits.line))}${place === "" ? "" : ` (${place})`}${otherFailures}`;
}

function placeOf(
  {file, line}: {file?: string | undefined; line?: number | undefined},
  stage: StageResult,
  record: RunRecord,
): string {
  if (file === undefined) return "";
  const changedFiles = record.attempts.at(-1)?.changes.map((change) => change.path) ?? [];
  const path = repositoryPath({file, cwd: stage.cwd, changed: changedFiles});
  const placeText = codeSpan(clip([path ?? file, line].filter((part) => part !== undefined).join(":"), 200));
  return (path !== null && line !== undefined && link(placeText, linePage(record, path, line))) || placeText;
}
