/** The file that verify.json extends, on a person's machine, which has no token to read it. */
import {readFile} from "node:fs/promises";
import type {ReadExtended} from "../detect/config/read-config.ts";
import {ok, refused} from "../record/words.ts";

const VARIABLE = "ASSAY_EXTENDS";

/** The copy that the variable names. */
export const extendedFile: ReadExtended = async () => {
  const file = process.env[VARIABLE] ?? "";
  const text = file === "" ? null : await readFile(file, "utf8").catch(() => null);
  if (text !== null) return ok({file, text});
  return refused(`set ${VARIABLE} to the path of a copy of it${file === "" ? "" : `: ${file} cannot be read`}`);
};
