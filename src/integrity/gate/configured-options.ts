/** Finds options that a change moves between a command and the configuration of its tool, where they mean the same. */
import {INTEGRITY} from "../../tools/all-integrity.ts";
import type {InspectedChange, InspectedFile} from "../source/inspected-change.ts";
import type {ConfiguredWords} from "./check-command.ts";
import {scriptBodies} from "./check-scripts.ts";
import {checksOf} from "./script-weakness.ts";
import {readSettings} from "./settings.ts";

const ROWS = INTEGRITY.flatMap(({configuredOptions}) => configuredOptions ?? []);

/** From the configuration files next to a script. */
export function configuredWords({path}: InspectedFile, {files}: InspectedChange): ConfiguredWords {
  const folder = folderOf(path);
  const wordsIn = (side: (file: InspectedFile) => readonly [string, string | null], tool: string) =>
    files.flatMap((file) => {
      const isExtended = (name: string, named: RegExp) =>
        files
          .map(side)
          .some(([place, text]) => named.test(place) && folderOf(place) === folder && extendsFile(text, name));
      const [place, text] = side(file);
      const isRead = ({files: named}: (typeof ROWS)[number]) => named.test(place) || isExtended(place, named);
      const rows = ROWS.filter((row) => row.tools.test(tool) && isRead(row));
      if (rows.length === 0 || text === null || folderOf(place) !== folder) return [];
      const settings = [...readSettings(place, text)];
      return rows.flatMap((row) => settings.flatMap(([key, values]) => row.words(key, values)));
    });
  return {
    before: (tool) => wordsIn(({basePath, before}) => [basePath, before], tool),
    after: (tool) => wordsIn((file) => [file.path, file.after], tool),
  };
}

/** `"extends": "./tsconfig.base.json"`. */
const extendsFile = (text: string | null, path: string): boolean =>
  /"extends"\s*:\s*(?:"[^"\n]*"|\[[^\]]*\])/
    .exec(text ?? "")?.[0]
    .includes(`"./${path.slice(path.lastIndexOf("/") + 1)}"`) ?? false;

/** The change also edits the configuration of a tool that a script starts: the reader of scripts compares both. */
export const isConfiguredNextTo = (file: InspectedFile, {files}: InspectedChange): boolean =>
  files.some(
    (one) =>
      one !== file &&
      folderOf(one.path) === folderOf(file.path) &&
      ROWS.some((row) => row.files.test(one.path) && checksIn(file).some((tool) => row.tools.test(tool))),
  );

const checksIn = ({path, before}: InspectedFile): string[] =>
  bodiesOf(path, before ?? "").flatMap((body) => checksOf(body).map(({tool}) => tool));

/** A command of the change has got the options that mean the same as a setting that is gone. */
export function isInCommand(
  {path}: InspectedFile,
  {key, values}: {readonly key: string; readonly values: readonly string[] | undefined},
  {files}: InspectedChange,
): boolean {
  return ROWS.filter((row) => row.files.test(path)).some((row) => {
    const words = row.words(key, values ?? []);
    const hasThem = (file: InspectedFile, text: string | null) =>
      text !== null &&
      bodiesOf(file.path, text).some((body) =>
        checksOf(body).some((one) => row.tools.test(one.tool) && words.every((word) => one.words.includes(word))),
      );
    return (
      words.length > 0 &&
      files.some((file) => SCRIPTS.test(file.path) && hasThem(file, file.after) && !hasThem(file, file.before))
    );
  });
}

const SCRIPTS = /(?:^|\/)(?:package\.json|[Mm]akefile|[\w.-]+\.(?:mk|sh|ya?ml))$/;

function bodiesOf(path: string, text: string): string[] {
  if (/package\.json$|akefile$|\.mk$/.test(path)) return scriptBodies(path, text);
  return text.split("\n").map((line) => line.replace(/^\s*(?:-\s+)?(?:run:\s*)?/, ""));
}

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf("/") + 1);
