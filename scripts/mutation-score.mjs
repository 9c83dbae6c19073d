/** Fails when mutation testing leaves too much unnoticed: a file's score below 90 %, or an unknown equivalent mutant. */
import {readFileSync} from "node:fs";

const LEAST_SCORE = 90;
/** The part of a file's mutants that may be excused as equivalent; the rest of them count as survivors. */
const MAX_EQUIVALENT = 0.05;

const json = (file) => JSON.parse(readFileSync(new URL(file, import.meta.url), "utf8"));
const report = json("../reports/mutation/mutation.json");
/** `{file, code, replacement, why}`: mutants that no test can notice, because the program means the same. */
const equivalents = json("../tests/mutations/equivalent-mutants.json");

/** The source text that a mutant replaces. */
function codeOf(source, {start, end}) {
  const lines = source.split("\n").slice(start.line - 1, end.line);
  lines[lines.length - 1] = lines.at(-1).slice(0, end.column - 1);
  lines[0] = lines[0].slice(start.column - 1);
  return lines.join("\n");
}

let isGood = true;
for (const [file, {source, mutants}] of Object.entries(report.files)) {
  const valid = mutants.filter(({status}) => !["CompileError", "RuntimeError", "Ignored"].includes(status));
  const survived = valid.filter(({status}) => status === "Survived" || status === "NoCoverage");
  const isEquivalent = (mutant) =>
    equivalents.some(
      (known) =>
        known.file === file &&
        known.code === codeOf(source, mutant.location) &&
        known.replacement === mutant.replacement,
    );
  const excused = survived.filter(isEquivalent).slice(0, Math.floor(valid.length * MAX_EQUIVALENT));
  const considered = valid.length - excused.length;
  const score = (100 * (valid.length - survived.length)) / Math.max(1, considered);
  if (score < LEAST_SCORE) isGood = false;
  console.log(
    `${score.toFixed(1).padStart(5)} %  ${file}  (${survived.length} of ${valid.length} survived, ${excused.length} equivalent)`,
  );
  for (const mutant of survived.filter((one) => !excused.includes(one))) {
    console.log(
      `         line ${mutant.location.start.line}: ${codeOf(source, mutant.location).replace(/\s+/g, " ").slice(0, 80)} → ${mutant.replacement?.replace(/\s+/g, " ").slice(0, 80)}`,
    );
  }
}
console.log(isGood ? "mutation score is good" : `a file is below ${LEAST_SCORE} %`);
process.exitCode = isGood ? 0 : 1;
