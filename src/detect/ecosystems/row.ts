/** Ecosystems as rows of data, and the one interpreter that detects them. */
import type {FileKind} from "../../git/paths.ts";
import type {NotRun} from "../../record/plan.ts";
import {findFirst, foldersBelow, hasFileBelow, originOf} from "../proposals/candidate-stages.ts";
import type {CheckRow, Ecosystem, InstallRow, ProjectFolder, Proposal} from "../proposals/ecosystem.ts";

export interface EcosystemRow {
  readonly name: string;
  readonly title: string;
  /** the program of its checks, with the hint how to install it */
  readonly program: string;
  readonly hint: string;
  /** manifests, best first; with `*`, the folder needs one that matches */
  readonly manifests: readonly string[];
  /** the reason why the folder is a project */
  readonly why: string;
  /** the manifest must match this */
  readonly says?: RegExp;
  /** one of these files must exist next to the manifest */
  readonly beside?: readonly string[];
  /** manifests of another tool that the folder then belongs to */
  readonly unless?: readonly string[];
  readonly where?: Ecosystem["where"];
  /** manifests below it belong to the same project */
  readonly coversBelow?: true;
  /** the settings that all its checks share */
  readonly shared?: Proposal["shared"];
  readonly checks: readonly CheckRule[];
  readonly installs?: readonly (InstallRow & Conditions)[];
  /** checks that this machine cannot run */
  readonly notRun?: {readonly why: string; readonly fix: string};
}

interface Conditions {
  /** a file below the folder must match */
  readonly below?: FileKind;
  /** the manifest must match this, or must not */
  readonly says?: RegExp;
  readonly saysNot?: RegExp;
}

type CheckRule = Omit<CheckRow, "when" | "origin"> & Conditions;

/** The ecosystem of a row. */
export function ecosystemOf(row: EcosystemRow): Ecosystem {
  const {name, title, manifests, where = "anywhere"} = row;
  return {name, title, manifests, where, detect: (folder) => detectRow(row, folder)};
}

function detectRow(row: EcosystemRow, {project, root}: ProjectFolder): Proposal {
  const file = manifestOf(row, {project, root});
  if (file === null) return {};
  const text = project.text(file) ?? "";
  if (row.says !== undefined && !row.says.test(text)) return {};
  if (row.beside !== undefined && findFirst(project, root, row.beside) === null) return {};
  if (row.unless !== undefined && findFirst(project, root, row.unless) !== null) return {};
  const appliesHere = ({below, says, saysNot}: Conditions): boolean =>
    (below === undefined || hasFileBelow(project, root, below)) &&
    (says === undefined || says.test(text)) &&
    (saysNot === undefined || !saysNot.test(text));
  const notRun: NotRun[] = row.notRun === undefined ? [] : [{about: file, ...row.notRun}];
  return {
    tool: {name: row.program, hint: row.hint},
    origin: originOf(file, row.why),
    ...(row.shared && {shared: row.shared}),
    checks: row.checks.filter(appliesHere),
    installs: (row.installs ?? []).filter(appliesHere),
    notRun,
    covers: row.coversBelow
      ? foldersBelow(
          project,
          root,
          row.manifests.filter((name) => !name.includes("/")),
        )
      : [],
  };
}

function manifestOf(row: EcosystemRow, {project, root}: ProjectFolder): string | null {
  const exactNames = row.manifests.filter((name) => !name.includes("*"));
  const exact = findFirst(project, root, exactNames);
  if (exact !== null) return exact;
  const endings = row.manifests.filter((name) => name.startsWith("*")).map((name) => name.slice(1));
  return project.inFolder(root).find((path) => endings.some((ending) => path.endsWith(ending))) ?? null;
}
