/** Architecture decision records: one decision per file. A decision stays unchanged until another one replaces it. */
import type {SpecFormat} from "./format.ts";

const FOLDERS = ["docs/adr", "docs/adrs", "docs/decisions", "docs/architecture/decisions", "doc/adr", "adr"];

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
  isInForce: (text) => !/^[ #*-]{0,9}status\W{1,20}(?:rejected|deprecated|superseded)/im.test(text.slice(0, 5_000)),
  newSpec: "docs/adr/<number>-<decision>.md",
};
