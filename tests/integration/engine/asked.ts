/** A checkout, a test runner in it, and what a stage that runs it gives: with the question for a report, or without. */
import {mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {dirname, join} from "node:path";
import {findWeakness} from "../../../src/detect/command-analysis/cannot-fail.ts";
import {findCountingRunner} from "../../../src/detect/command-analysis/counting-runner.ts";
import {openReports} from "../../../src/engine/stage/reports.ts";
import {runStage, type StageEnvironment} from "../../../src/engine/stage/stage.ts";
import type {StageResult} from "../../../src/record/evidence.ts";
import {TOOLS_PATH} from "../../ecosystems/tools.ts";
import {projectOf} from "../../unit/detect/tree.ts";

export type Files = Readonly<Record<string, string>>;

export interface Room {
  /** holds the folders `checkout` and `scratch`, the latter for reports */
  readonly folder: string;
  place(files: Files): void;
  look(command: string, options?: {asks?: boolean; env?: Files; cwd?: string; scripts?: Files}): Promise<StageResult>;
  remove(): void;
}

export function openRoom(): Room {
  const room = mkdtempSync(join(realpathSync(tmpdir()), "assay-asked-"));
  const [folder, here] = [join(room, "checkout"), join(room, "scratch")];
  for (const one of [folder, here]) mkdirSync(one);
  const placed = new Set<string>();
  const paths = async () => placed;
  return {
    folder: room,
    place(files) {
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(folder, path)), {recursive: true});
        writeFileSync(join(folder, path), text);
        placed.add(path);
      }
    },
    look(command, options = {}) {
      const reports = openReports({
        checkout: folder,
        reportFolder: here,
        seenAs: here,
        scripts: async () => options.scripts ?? {},
        paths,
      });
      const surroundings: StageEnvironment = {
        ...{folder, paths, isolation: "degraded", signal: new AbortController().signal, sandbox: () => null},
        variables: ({extra}) => ({PATH: TOOLS_PATH, HOME: room, TMPDIR: here, CI: "true", ...extra}),
        ...(options.asks !== false && {reports}),
      };
      const stage = {
        name: "test",
        kind: "test",
        command,
        cwd: options.cwd ?? ".",
        timeout: 120,
        optional: false,
      } as const;
      const project = projectOf({"package.json": {scripts: options.scripts ?? {}}});
      const {swallowedIn} = findWeakness(command, {project, cwd: "."});
      const countedBy = findCountingRunner(command, {project, cwd: ".", env: options.env ?? {}});
      const planned = {
        ...{...stage, env: options.env ?? {}, path: [], tools: []},
        ...(swallowedIn !== null && {swallowedIn}),
        ...(countedBy !== null && {countedBy}),
      };
      return runStage(planned, surroundings);
    },
    remove: () => rmSync(room, {recursive: true, force: true}),
  };
}
