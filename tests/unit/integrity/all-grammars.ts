/** Loads the grammars of all languages, for tests that compare tests without a worker. */
import {loadGrammars} from "../../../src/test-code/grammars.ts";
import {TEST_LANGUAGES} from "../../../src/test-code/languages.ts";

await loadGrammars(TEST_LANGUAGES.flatMap(({endings}) => endings.map((ending) => `a${ending}`)));
