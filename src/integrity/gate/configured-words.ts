/** Writes settings of changed configuration files as words of a command, because a change may move an option from one to the other. */
import {configurationOf, isSetting} from "../../tools/configuration-files.ts";
import {directionOf} from "../settings/directions.ts";
import {readSettings} from "../settings/read-settings.ts";
import type {InspectedChange, InspectedFile} from "../source/inspected-change.ts";

/** Those of the configuration next to a script that are also words of the script, before or after the change. */
export function configuredWords(
  file: InspectedFile,
  {files}: InspectedChange,
): {before: readonly string[]; after: readonly string[]} {
  const words = new Set([file.before, file.after].flatMap(wordsOf));
  const wordsIn = (path: string, text: string | null) => {
    const configuration = folderOf(path) === folderOf(file.path) ? configurationOf(path) : null;
    const settings =
      configuration === null ? [] : [...readSettings(path, text)].filter(([key]) => isSetting(configuration, key));
    return settings.flatMap(
      ([key, values]) => optionWords(key, values).find((one) => one.every((word) => words.has(word))) ?? [],
    );
  };
  const [before, after] = [
    files.flatMap(({basePath, before}) => wordsIn(basePath, before)),
    files.flatMap(({path, after}) => wordsIn(path, after)),
  ];
  return {before, after};
}

/** A script of the change has got the options that mean the same as a setting that is gone. */
export const isInScript = (key: string, values: readonly string[], {files}: InspectedChange): boolean =>
  files.some((file) => {
    const [before, after] = [file.before, file.after].map((text) => new Set(wordsOf(text)));
    return optionWords(key, values).some(
      (words) => words.every((word) => after?.has(word)) && !words.every((word) => before?.has(word)),
    );
  });

const wordsOf = (text: string | null): string[] => text?.split(/[\s"'`,]+/) ?? [];
const folderOf = (path: string): string => path.slice(0, path.lastIndexOf("/") + 1);

/** The ways to say a setting with options: `--warn-return-any`, `--coverage.lines=90`, `--fail-under 90`, or words as they are. */
function optionWords(key: string, values: readonly string[]): string[][] {
  const direction = directionOf(key)?.weaker;
  if (direction === "options" || direction === "selects") return [values.flatMap((value) => value.split(/\s+/))];
  const keys = key.split(" ");
  const names = keys.flatMap((_, at) => {
    const name = keys.slice(at).join(".");
    return [name, name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replaceAll("_", "-")];
  });
  const value = values.join(",");
  return names.flatMap((name) =>
    value === "true" || value === "True" ? [[`--${name}`]] : [[`--${name}=${value}`], [`--${name}`, value]],
  );
}
