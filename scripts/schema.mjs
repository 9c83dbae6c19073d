/** Writes docs/verify.schema.json from the schema that reads verify.json. */
import {writeFileSync} from "node:fs";
import {configJsonSchema} from "../src/detect/config/schema.ts";

writeFileSync(
  new URL("../docs/verify.schema.json", import.meta.url),
  `${JSON.stringify(configJsonSchema(), null, 2)}\n`,
);
