/** Architecture decision records: one decision per file. A decision stays unchanged until another one replaces it. */
import type {SpecFormat} from "./format.ts";

const FOLDERS = [
  ...["docs/adr", "docs/adrs", "docs/decisions", "docs/architecture/decisions", "docs/architecture/adr"],
  ...["doc/adr", "doc/architecture/decisions", "adr"],
];
/** adr-tools writes "Superceded by [2. …](…)", also below another status. */
const NO_LONGER = /^(?:[ #*-]{0,9}status\W{1,20}(?:rejected|deprecated|super[sc]eded)|super[sc]eded by \[)/im;

export const adr: SpecFormat = {
  name: "adr",
  title: "architecture decision records",
  folders: FOLDERS,
  spec: new RegExp(
    `^(?:${FOLDERS.join("|")})/(?!(?:README|index|template)\\b)(?:.*/)?(?:adr-?)?(?<name>\\d[^/]*)\\.md$`,
    "i",
  ),
  isLiving: false,
  sections: /^(?:decision|decision outcome|consequences)\b/i,
  isInForce: (text) => !NO_LONGER.test(text.slice(0, 5_000)),
  newSpec: "docs/adr/<number>-<decision>.md",
};
