/** Writes tests of the base with the new names of the product's code, as the change's own tests show them. */
import {compareTests} from "../../integrity/changed-tests/compare-tests.ts";
import type {InspectedChange, InspectedFile} from "../../integrity/source/inspected-change.ts";
import {isProductCode} from "../../integrity/source/kinds.ts";
import {readSource} from "../../test-code/read-source.ts";

const WORD = /[A-Za-z_$][\w$]*/g;
const wordsIn = (texts: readonly (string | null)[]): string[] => texts.flatMap((text) => text?.match(WORD) ?? []);

/** The base's files with the new names in place of the old ones; null if no test shows a new name. */
export function withNewNames(change: InspectedChange): InspectedChange | null {
  const names = newNames(change);
  if (names.size === 0) return null;
  const files = change.files.map((file) => (isProductCode(file.path) ? file : {...file, before: renamed(file, names)}));
  return {...change, files};
}

/** By the order of the names that only one side of a test or a helper has, and the product too. */
function newNames(change: InspectedChange): Map<string, string> {
  const product = change.files.filter(({path, basePath}) => isProductCode(path) || isProductCode(basePath));
  const [before, after] = [
    product.flatMap((file) => [file.basePath, file.before]),
    product.flatMap((file) => [file.path, file.after]),
  ].map((texts) => new Set(wordsIn(texts)));
  const names = new Map<string, string>();
  const users = change.files.filter((file) => !product.includes(file));
  const pairs = [
    ...compareTests(change).kept.map(({base, head}) => [base.test.code, head.test.code]),
    ...users.map((file) => [readSource(file.basePath, file.before).code, readSource(file.path, file.after).code]),
  ];
  for (const [baseCode = "", code = ""] of pairs) {
    const [old, current] = [wordsIn([baseCode]), wordsIn([code])];
    const gone = old.filter((word) => before?.has(word) && !current.includes(word));
    const fresh = current.filter((word) => after?.has(word) && !old.includes(word));
    if (gone.length === fresh.length)
      for (const [at, word] of gone.entries()) names.set(word, names.get(word) ?? fresh[at] ?? word);
  }
  return names;
}

/** Texts stay as they are: they may be expected values. */
function renamed({basePath, before}: InspectedFile, names: ReadonlyMap<string, string>): string | null {
  if (before === null) return null;
  const {code} = readSource(basePath, before);
  return [...code.matchAll(WORD)].reduceRight((text, {0: word, index}) => {
    const name = names.get(word);
    return name === undefined ? text : text.slice(0, index) + name + text.slice(index + word.length);
  }, before);
}
