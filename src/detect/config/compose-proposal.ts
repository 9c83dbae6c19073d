/** Writes the `verify.json` that is left of an agent's proposal once each of its entries is decided. */
import {isDeepStrictEqual} from "node:util";
import {applyEdits, modify, parse} from "jsonc-parser";
import type {ProposalRow} from "../../record/proposal.ts";
import type {ConfigFile} from "./schema.ts";

/** The entries of a text that `parseConfig` accepts. */
export const entriesOf = (text: string): ConfigFile =>
  parse(text.replace(/^\uFEFF/, ""), [], {allowTrailingComma: true});

/** The stages of the file, whether they replace the detected ones or not. */
export const stageEntries = ({stages = [], extraStages = []}: ConfigFile) => [...stages, ...extraStages];

/**
 * The proposed text, with the base's entries where an entry of the proposal is not kept. Entries only add to the base's
 * stages: a list that would replace them is written as `extraStages`. Comments and layout of the other entries stay.
 */
export function composeProposal(options: {base: string | null; text: string; rows: readonly ProposalRow[]}): string {
  const before = entriesOf(options.base ?? "{}");
  const after = entriesOf(options.text);
  const kept = options.rows.filter(({isKept}) => isKept);
  const newStages = stageEntries(after).filter(({name}) =>
    kept.some((row) => row.part === "new check" && row.name === name),
  );
  const changes = Object.entries(after.overrides ?? {}).filter(([name]) =>
    kept.some((row) => (row.part === "change to" || row.part === "removal of") && row.name === name),
  );
  const overrides = {...before.overrides, ...Object.fromEntries(changes)};
  const extraStages = before.stages ? [] : [...(before.extraStages ?? []), ...newStages];
  const wanted: ConfigFile = {
    stages: before.stages && [...before.stages, ...newStages],
    extraStages: extraStages.length === 0 ? undefined : extraStages,
    overrides: Object.keys(overrides).length === 0 ? undefined : overrides,
    setup: kept.some(({part}) => part === "set-up") ? after.setup : before.setup,
    publish: after.publish === "direct" ? before.publish : after.publish,
  };
  const formattingOptions = {insertSpaces: true, tabSize: 2, eol: "\n"};
  return Object.entries(wanted).reduce((text, [key, value]) => {
    if (isDeepStrictEqual(after[key as keyof ConfigFile], value)) return text;
    return applyEdits(text, modify(text, [key], value, {formattingOptions}));
  }, options.text);
}
