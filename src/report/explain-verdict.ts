/** The explanation of the verdict, and the failures, stages or findings that it names. */

import {clip, codeSpan, inline} from "../markdown/escape.ts";
import type {RunRecord} from "../record/record.ts";
import {stepPlace} from "./choose-next-step.ts";
import {claimAt, comparedBranch, failsWithoutChange} from "./claims.ts";
import {failedTests} from "./failed-tests.ts";
import {capLength, type DetailLimits} from "./fit-size.ts";
import {joinWords} from "./format.ts";
import {headlineOf, unverifiedNext, verdictDetails} from "./headline.ts";
import {explanationLink} from "./link.ts";
import {TESTS_FAILED} from "./wording.ts";

/** The text below the first line. It does not repeat the headline. */
export function explainVerdict(record: RunRecord, limits: DetailLimits): string {
  const {verdict} = record;
  const {headline, sentence} = headlineOf(record);
  const {shown, left} = capLength(verdictDetails(record), limits.list);
  const otherFailures = left === 0 ? [] : [`…and ${left} more`];
  const details = shown.map((detail) => inline(clip(detail, limits.line)));
  const list = (items: readonly string[]) => [...items, ...otherFailures].map((item) => `\n- ${item}`).join("");
  switch (verdict.kind) {
    case "verified":
      return sentence;
    case "failed": {
      const isOneTestStage = headline === TESTS_FAILED && shown.length === 1;
      const failures = shown.flatMap((name) =>
        failedTests(name, record, limits).map((text) =>
          isOneTestStage ? text : `${codeSpan(clip(name, limits.line))}: ${text}`,
        ),
      );
      const texts = failures.length === 1 ? failures.join("") : list(failures);
      // The failures contain this already, except that there is no change, or that it was committed.
      return failures.length > 0 &&
        sentence === claimAt("verdict", record) &&
        record.attempts.at(-1)?.changes.length !== 0
        ? texts.trimStart()
        : `${sentence} ${texts}`;
    }
    case "verified-with-preexisting": {
      const names = shown.map((name) => codeSpan(clip(name, limits.line)));
      const verb = names.length === 1 && left === 0 ? "fails" : "fail";
      const failingNames = joinWords(left === 0 ? names : [...names, `${left} more`]);
      const isKnown = failsWithoutChange(record);
      const base = comparedBranch(record);
      const place = base === null ? "without this change" : `on ${codeSpan(clip(base, limits.line))}`;
      const comparison = isKnown
        ? `${failingNames} already ${verb} ${place} in the same way.`
        : `${failingNames} ${verb}.`;
      return sentence === claimAt("verdict", record) ? comparison : `${sentence} ${comparison}`;
    }
    case "partial": {
      const next = stepPlace(record) !== "verdict" ? "" : " Comment `/verify` to run all checks.";
      return `${sentence} ${details.map((detail) => `${detail}.`).join(" ")}${next}`;
    }
    case "unverified": {
      const next = unverifiedNext(record, verdict.why);
      const text = next !== "" && sentence.endsWith(next) ? `${sentence.slice(0, -next.length)}**${next}**` : sentence;
      // The failure below has a more exact link.
      if (verdict.why === "gate-error" && record.failures.length > 0) return `${text}${list(details)}`;
      return `${text} ${explanationLink("Unverified", verdict.why)}${list(details)}`;
    }
    case "tampered":
      return (record.integrity ?? []).length > 0 ? sentence : `${sentence}${list(details)}`;
    case "nothing-to-verify":
      return `${sentence}${list(details)}`;
  }
}
