/** Blocks a change if two independent findings agree that the same tests notice less than before (P16). */
import type {IntegrityFinding} from "../../record/finding.ts";
import {WEAKER_GATE, WEAKER_TESTS} from "./judge-replay.ts";
import {isSamePath} from "./lost-tests.ts";

/** The checks whose findings say that tests notice less, or do not run. */
const SECOND_WITNESSES = new Set([...WEAKER_TESTS, ...WEAKER_GATE, "lost-tests"]);

/**
 * A replay in which tests of the base fail is one witness, whatever its level. A finding of another check about the
 * same tests or files is the second one, if it is more than a note. A finding with an empty list of tests, such as one
 * about a changed expected value, states the same fact as the failed replay, and does not count.
 */
export function withSecondWitness(findings: readonly IntegrityFinding[], others: readonly IntegrityFinding[]) {
  const witnesses = [...others, ...findings].filter(
    ({check, level}) => SECOND_WITNESSES.has(check) && level !== "note",
  );
  return findings.map((finding): IntegrityFinding => {
    if (finding.check !== "base-replay") return finding;
    const second = witnesses.find((other) => concernsSame(finding, other));
    if (second === undefined) return finding;
    const place = second.line === null ? second.path : `${second.path}:${second.line}`;
    const names = `\`${second.check}\` names the same ${second.tests === undefined ? "file" : "tests"} (${place})`;
    const fix = finding.level === "note" ? second.fix : finding.fix;
    return {...finding, level: "block", message: `${finding.message}; ${names}`, fix};
  });
}

function concernsSame({tests = [], files = []}: IntegrityFinding, other: IntegrityFinding): boolean {
  if (other.tests === undefined) return files.includes(other.path);
  return other.tests.some((one) =>
    tests.some(({name, file}) => name === one.name && (one.file === null || isSamePath(file, one.file))),
  );
}
