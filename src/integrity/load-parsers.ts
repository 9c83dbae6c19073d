/** Loads the parsers that the checks of a change need: large ones, each only for a change with its files. */
import {loadGrammars} from "../test-code/grammars.ts";
import {isConfiguration} from "../tools/configuration-files.ts";
import {canRead} from "./changed-tests/support-code.ts";
import {mayHaveTricks} from "./checks/runner-tricks.ts";
import type {InspectedChange} from "./source/inspected-change.ts";
import {loadYaml} from "./source/yaml.ts";

/** Must have ended before the checks start. */
export async function loadParsers(change: Pick<InspectedChange, "files">): Promise<void> {
  await Promise.all([loadYaml(change), loadTestGrammars(change)]);
}

/** Must have ended before the tests of a change are compared. */
export const loadTestGrammars = ({files}: Pick<InspectedChange, "files">): Promise<void> =>
  loadGrammars(
    files
      .filter((file) => canRead(file) || mayHaveTricks(file) || isConfiguration(file.path))
      .flatMap(({path, basePath}) => [path, basePath]),
  );
