/** Runs the integrity checks over a change, and applies the owner's settings. */
import {minimatch} from "minimatch";
import {DEFAULT_CONFIG, type IntegrityRules} from "../detect/config/config.ts";
import type {IntegrityFinding} from "../record/finding.ts";
import {FINDING_LEVELS, type FindingLevel, type IntegrityCheckName} from "../record/words.ts";
import {findInUnread} from "./changed-tests/unread-tests.ts";
import {INTEGRITY_CHECKS} from "./registry.ts";
import type {InspectedChange} from "./source/inspected-change.ts";
import {requireYaml} from "./source/yaml.ts";

/** The findings of all checks that read files. `loadYaml` must have loaded the parser that they need. */
export function inspectChange(
  change: InspectedChange,
  rules: IntegrityRules = DEFAULT_CONFIG.integrity,
): IntegrityFinding[] {
  if (!rules.enabled) return [];
  requireYaml(change);
  const checks = INTEGRITY_CHECKS.filter(({name}) => levelOf(name, rules) !== "off");
  return applyRules([...checks.flatMap(({find}) => find(change)), ...findInUnread(change)], rules);
}

/**
 * The findings with the owner's levels and without the allowed paths, those that block first, then in the given order.
 */
export function applyRules(findings: readonly IntegrityFinding[], rules: IntegrityRules): IntegrityFinding[] {
  return findings
    .flatMap((finding) => {
      const level = levelOf(finding.check, rules, finding.level);
      const isAllowed = rules.allow.some((glob) => minimatch(finding.path, glob, {dot: true}));
      return level === "off" || isAllowed ? [] : [{...finding, level}];
    })
    .toSorted((one, other) => FINDING_LEVELS.indexOf(one.level) - FINDING_LEVELS.indexOf(other.level));
}

/** The owner's level of a check, or its own; at least that of the organization's policy. */
function levelOf(name: IntegrityCheckName, rules: IntegrityRules, own: FindingLevel = "note"): FindingLevel | "off" {
  const [level, lowest] = [rules.level[name] ?? own, rules.lowestLevel[name]];
  if (lowest === undefined) return level;
  return level === "off" || FINDING_LEVELS.indexOf(lowest) < FINDING_LEVELS.indexOf(level) ? lowest : level;
}
