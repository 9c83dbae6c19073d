/** Words the result of `assay doctor --prove`: a table of what each check noticed, and findings with the next steps. */
import {groupBy} from "../../diagnostics/group-by.ts";
import type {GateProof, PlantKind, ProvedLanguage, TriedPlant} from "../../record/gate-proof.ts";
import {listSome} from "../../record/words.ts";
import {type Finding, okFinding} from "../finding.ts";

const FAULTS: Readonly<Record<PlantKind, string>> = {
  fault: "a fault",
  "broken-tests": "every test broken",
  "skipped-test": "a skipped test",
  "deleted-test": "a deleted test",
  "lint-error": "a lint error",
  "type-error": "a type error",
};
const CELLS = {noticed: "noticed", passed: "–", "not-run": "not run"} as const;

/** One row for each planted fault, one column for each check, and an empty line; empty without either. */
export function gateTable(tried: readonly TriedPlant[], stages: readonly string[]): string {
  if (tried.length === 0 || stages.length === 0) return "";
  const rows = tried.map(({kind, languages, stages: seen, findings}) => [
    kind === "lint-error" || kind === "type-error" ? FAULTS[kind] : `${FAULTS[kind]} in ${languages.join(", ")}`,
    ...stages.map((name) => CELLS[seen[name] ?? "not-run"]),
    findings.length > 0 ? CELLS.noticed : kind === "skipped-test" || kind === "deleted-test" ? CELLS.passed : "",
  ]);
  const table = [["", ...stages, "look at the change"], ...rows];
  const widthOf = (column: number) => Math.max(...table.map((row) => row[column]?.length ?? 0));
  const lines = table.map((row) => row.map((cell, column) => cell.padEnd(widthOf(column))).join("  "));
  return lines
    .map((line) => `${line.trimEnd()}\n`)
    .join("")
    .concat("\n");
}

interface GateOptions {
  /** the owner's stages replace the detected ones */
  readonly isConfigured: boolean;
  readonly hasStages: boolean;
}

export function gateFindings({tried, languages, notTried}: GateProof, options: GateOptions): Finding[] {
  const ofLanguages = languages.map((language) => languageFinding(language, tried, options));
  // No check notices anything.
  if (!options.hasStages) return languages.length === 0 ? [NO_CHECKS] : ofLanguages;
  const others = tried.filter(({kind}) => kind !== "fault" && kind !== "broken-tests");
  return [
    ...(languages.length === 0 ? [NO_TESTS] : []),
    ...ofLanguages,
    ...[...groupBy(others, ({kind}) => kind)].map(([kind, all]) => otherFinding(kind, all)),
    ...notTried.map((kind): Finding => ({about: FAULTS[kind], ...NOT_TRIED})),
  ];
}

const NO_TESTS: Finding = {
  about: "tests",
  state: "unknown",
  text: "no tests were found in a language in which faults can be planted",
  next: "see docs/commands.md for these languages",
};
const NO_CHECKS: Finding = {
  about: "checks",
  state: "missing",
  text: "no checks were found, and no tests in a language in which faults can be planted",
  next: "add your commands to `stages` in verify.json (`assay init` writes a template)",
};
const NOT_TRIED = {
  state: "unknown",
  text: "not tried: the time was over",
  next: "try again with faster checks",
} as const;

function languageFinding(
  {title, tests, state, missing}: ProvedLanguage,
  tried: readonly TriedPlant[],
  {isConfigured, hasStages}: GateOptions,
): Finding {
  const faults = tried.filter(({kind, languages}) => kind === "fault" && languages.includes(title));
  const noticed = faults.find(({outcome}) => outcome === "noticed");
  const unnoticed = faults.filter(({outcome}) => outcome === "not-noticed").map(describePlace);
  const files = `${tests.length} ${tests.length === 1 ? "file" : "files"} with tests (${listSome(tests, 1)})`;
  switch (state) {
    case "noticed":
      return okFinding(title, noticed === undefined ? "" : `${describePlace(noticed)}: ${describeNoticing(noticed)}`);
    case "run": {
      const text =
        unnoticed.length === 0
          ? "its tests run, but no place was found where they may notice a fault"
          : `its tests run, but no test noticed a fault: ${unnoticed.join("; ")}`;
      return {about: title, state: "advice", text, next: "nothing, if this code needs no test; else add one"};
    }
    case "nobody": {
      const seen = hasStages
        ? "Every test was broken, and no check failed because of that"
        : "There is no check at all";
      const text = `no check runs its tests: ${files}. ${seen}`;
      return {about: title, state: "missing", text, next: lineToAdd(missing, isConfigured)};
    }
    case "unknown": {
      const text = `unknown whether a check runs its tests: ${files}. Not every check passes without a fault and ran here`;
      return {about: title, state: "unknown", text, next: "make the checks pass (`assay verify`), and try again"};
    }
    case "not-tried":
      return {about: title, ...NOT_TRIED};
  }
}

/** An entry that can be pasted into verify.json. */
function lineToAdd(missing: ProvedLanguage["missing"], isConfigured: boolean): string {
  const known = missing.map(({cwd, ...stage}) => (cwd === "." ? stage : {...stage, cwd}));
  const stages = known.length > 0 ? known : [{name: "…", kind: "test", command: "the command that runs them"}];
  const entries = stages.slice(0, 3).map((stage) => JSON.stringify(stage));
  return `add to \`${isConfigured ? "stages" : "extraStages"}\` in verify.json: ${entries.join(", ")}`;
}

const NEXT = {
  "skipped-test": "see docs/integrity.md: verify.json may switch these findings off",
  "deleted-test": "see docs/integrity.md: verify.json may switch these findings off",
  "lint-error": "add a check of kind `lint` to verify.json if one should notice it",
  "type-error": "add a check of kind `typecheck` to verify.json if one should notice it",
} as const;

function otherFinding(kind: PlantKind, tried: readonly TriedPlant[]): Finding {
  const about = FAULTS[kind];
  const noticed = tried.find(({outcome}) => outcome === "noticed");
  if (noticed !== undefined) return okFinding(about, `${describePlace(noticed)}: ${describeNoticing(noticed)}`);
  const isKnown = tried.every(({outcome}) => outcome === "not-noticed");
  const text = `${isKnown ? "no check noticed it" : "unknown whether a check notices it"}: ${tried.map(describePlace).join("; ")}`;
  return {about, state: isKnown ? "advice" : "unknown", text, next: NEXT[kind as keyof typeof NEXT]};
}

const describePlace = ({path, line, change}: TriedPlant): string =>
  line === null ? (change.includes(path) ? change : `${path} (${change})`) : `${path}:${line} ${change}`;

function describeNoticing({stages, findings}: TriedPlant): string {
  const failed = Object.keys(stages).filter((name) => stages[name] === "noticed");
  return [
    ...(failed.length > 0 ? [`${failed.map((name) => `\`${name}\``).join(", ")} failed`] : []),
    ...(findings.length > 0 ? [`finding ${findings.map((name) => `\`${name}\``).join(", ")}`] : []),
  ].join("; ");
}
