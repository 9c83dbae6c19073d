/** Writes the JSON Schemas of verify.json and of the documents that Assay prints into docs/. */
import {writeFileSync} from "node:fs";
import {configJsonSchema} from "../src/detect/config/schema.ts";
import {DOCUMENT_SCHEMAS} from "../src/run/document-schemas.ts";

const write = (path, schema) =>
  writeFileSync(new URL(`../docs/${path}`, import.meta.url), `${JSON.stringify(schema, null, 2)}\n`);

write("verify.schema.json", configJsonSchema());
for (const [name, schema] of Object.entries(DOCUMENT_SCHEMAS)) write(`schemas/${name}.json`, schema);
