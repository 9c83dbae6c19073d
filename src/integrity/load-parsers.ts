/** Loads the parsers that the checks of a change need: large ones, each only for a change with its files. */
import {loadGrammars} from "../test-code/grammars.ts";
import {isConfiguration} from "../tools/configuration-files.ts";
import {canRead} from "./changed-tests/support-code.ts";
import {mayLoseTypes} from "./checks/lost-types.ts";
import {mayHaveTricks} from "./checks/runner-tricks.ts";
import {mayKnowTests} from "./checks/test-detection.ts";
import type {InspectedChange, InspectedFile} from "./source/inspected-change.ts";
import {loadYaml} from "./source/yaml.ts";

/** Must have ended before the checks start. */
export async function loadParsers(change: InspectedChange): Promise<void> {
  await Promise.all([loadYaml(change), loadTestGrammars(change)]);
}

/** Must have ended before the tests of a change are compared. */
export const loadTestGrammars = (change: InspectedChange): Promise<void> =>
  loadGrammars(change.files.filter((file) => isParsed(file, change)).flatMap(({path, basePath}) => [path, basePath]));

const isParsed = (file: InspectedFile, change: InspectedChange): boolean =>
  canRead(file) ||
  isConfiguration(file.path) ||
  mayHaveTricks(file) ||
  mayKnowTests(file, change) ||
  mayLoseTypes(file);
