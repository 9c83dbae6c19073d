/** Recognizes the programs of the repository's own install scripts: what they write is there for each check. */
import {plainPath} from "../../git/paths.ts";
import type {InspectedChange, InspectedFile} from "../source/inspected-change.ts";

export function isInstallProgram({basePath}: InspectedFile, {plan}: InspectedChange): boolean {
  const scripts = (plan?.setup ?? []).filter(({ownScript}) => ownScript !== undefined);
  return scripts.some(({command, cwd}) => {
    const words = command.split(/[\s'"=;&|()]+/).map((word) => plainPath(word));
    return words.some((word) => word !== "" && (word === basePath || `${cwd}/${word}` === basePath));
  });
}
