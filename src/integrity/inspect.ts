/** Runs the integrity checks over a change, and applies the owner's settings. */
import {minimatch} from "minimatch";
import {DEFAULT_CONFIG, type IntegrityRules} from "../detect/config/config.ts";
import {FINDING_LEVELS, type IntegrityFinding} from "../record/finding.ts";
import {lineFindings} from "./checks/line-checks.ts";
import {INTEGRITY_CHECKS} from "./registry.ts";
import type {InspectedChange} from "./source/inspected-change.ts";

/** The findings of all checks that read files. */
export function inspectChange(
  change: InspectedChange,
  rules: IntegrityRules = DEFAULT_CONFIG.integrity,
): IntegrityFinding[] {
  if (!rules.enabled) return [];
  const checks = INTEGRITY_CHECKS.filter(({name}) => rules.level[name] !== "off");
  const findings = checks.flatMap(({find}) => find(change));
  // A reader that knows the syntax says more than the lines of the same file.
  const known = new Set(findings.filter(({level}) => level !== "note").map(({path}) => path));
  return applyRules([...findings, ...lineFindings(change).filter(({path}) => !known.has(path))], rules);
}

/**
 * The findings with the owner's levels and without the allowed paths, those that block first, then in the given order.
 */
export function applyRules(findings: readonly IntegrityFinding[], rules: IntegrityRules): IntegrityFinding[] {
  return findings
    .flatMap((finding) => {
      const level = rules.level[finding.check] ?? finding.level;
      const isAllowed = rules.allow.some((glob) => minimatch(finding.path, glob, {dot: true}));
      return level === "off" || isAllowed ? [] : [{...finding, level}];
    })
    .toSorted((one, other) => FINDING_LEVELS.indexOf(one.level) - FINDING_LEVELS.indexOf(other.level));
}
