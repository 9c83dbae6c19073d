/** The figures of `assay stats` in words, for the terminal and for the page. */
import {duration, money} from "../../report/format.ts";
import type {Stats} from "./summarize.ts";

const MAX_SHOWN = 8;

/** A name and its figures. Names of checks and tests are foreign text. */
export function statsRows(stats: Stats): [string, string][] {
  const {runs, verdicts, usd, minutes, medianMinutes, rounds, pullRequests, held, detailed, attempts, red} = stats;
  const {merged, closed, open} = pullRequests;
  const of = (counts: Readonly<Record<string, number>>) =>
    listed(Object.entries(counts).map(([word, count]) => `${count} ${word}`));
  const optional = (name: string, text: string): [string, string][] => (text === "" ? [] : [[name, text]]);
  const flaky = Object.entries(stats.flakyTests).map(([name, count]) => `${name} (${count})`);
  const slow = stats.checks.map(({name, medianSeconds: half, maxSeconds: most}) => {
    return `${name} ${duration(half * 1000)}${most > half ? ` (at most ${duration(most * 1000)})` : ""}`;
  });
  const shown = Object.entries(stats.findings).filter(([, {block, flag, note}]) => block + flag + note > 0);
  const findings = shown.map(([check, {block, flag, note, overruled}]) => {
    const approved = overruled === 0 ? "" : `, ${overruled} approved`;
    return `${check} ${block + flag + note} (${block} blocking${approved})`;
  });
  return [
    ["requests", runs === 0 ? "0" : `${runs}: ${of(verdicts)}`],
    ...optional("started", rounds === 0 ? "" : `${runs - rounds} by people, ${rounds} as automatic rounds`),
    ["cost", `${money(usd)}, ${Math.round(minutes)} minutes, ${medianMinutes.toFixed(1)} for the median request`],
    ["pull requests", `${merged} merged, ${closed} closed, ${open} open`],
    ["reverted", `${stats.reverted} of the merged ones, within 14 days`],
    ["hot-fixed", `${stats.hotFixed} of them: a commit or pull request of these 14 days says that it fixes it`],
    ["red", red.of === 0 ? "not known: no checks on the merged commits" : `${red.count} of ${red.of} merged commits`],
    ...optional("per merge", stats.usdPerMerged === null ? "" : money(stats.usdPerMerged)),
    [
      "verified holds",
      held === null
        ? "not known: under 20 pull requests were merged at least 14 days ago"
        : `${held.count} of ${held.of} were not reverted, hot-fixed or red`,
    ],
    ...optional(
      "attempts",
      detailed === 0 ? "" : `${attempts.all} in ${detailed} requests, ${attempts.runsWithFix} with more than one`,
    ),
    ...optional("unverified", of(stats.unverifiedBecause)),
    ...optional("failed checks", of(stats.failureKinds)),
    ...optional("other failures", of(stats.otherFailures)),
    ...optional("slow checks", listed(slow)),
    ...optional("flaky tests", listed(flaky)),
    ...optional("findings", listed(findings)),
  ];
}

function listed(items: readonly string[]): string {
  const shown = items.slice(0, MAX_SHOWN).join(", ");
  return items.length > MAX_SHOWN ? `${shown}, …` : shown;
}
