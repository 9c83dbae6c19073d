/** Makes two versions of a configuration comparable: a tool often has several ways to say the same. */
import {INTEGRITY} from "../../tools/all-integrity.ts";
import type {SettingPair} from "../../tools/tool-integrity.ts";
import {filesWith} from "./setting-rules.ts";

const ALIGNMENTS = INTEGRITY.flatMap(({alignment}) =>
  alignment === undefined ? [] : [{files: filesWith(alignment.files), align: alignment.align}],
);

export function alignSettings(path: string, pair: SettingPair): SettingPair {
  return ALIGNMENTS.filter(({files}) => files.test(path)).reduce((aligned, {align}) => align(aligned, path), pair);
}
