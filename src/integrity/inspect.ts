/** Runs the integrity checks over a change, and applies the owner's settings. */
import {minimatch} from "minimatch";
import {DEFAULT_CONFIG, type IntegrityRules} from "../detect/config/config.ts";
import {FINDING_LEVELS, type FindingLevel, type IntegrityFinding} from "../record/finding.ts";
import {INTEGRITY_CHECKS} from "./registry.ts";
import type {InspectedChange} from "./source/inspected-change.ts";

/** The findings, those that block first, then in the order of the checks. */
export function inspectChange(
  change: InspectedChange,
  rules: IntegrityRules = DEFAULT_CONFIG.integrity,
): IntegrityFinding[] {
  if (!rules.enabled) return [];
  const findings = INTEGRITY_CHECKS.filter(({name}) => rules.level[name] !== "off").flatMap(({name, find}) =>
    find(change).map((finding) => ({...finding, level: ownLevel(rules.level[name]) ?? finding.level})),
  );
  const allowed = findings.filter(({path}) => !rules.allow.some((glob) => minimatch(path, glob, {dot: true})));
  return allowed.toSorted((one, other) => FINDING_LEVELS.indexOf(one.level) - FINDING_LEVELS.indexOf(other.level));
}

function ownLevel(level: FindingLevel | "off" | undefined): FindingLevel | null {
  return level === undefined || level === "off" ? null : level;
}
