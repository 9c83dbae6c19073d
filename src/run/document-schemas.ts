/** The JSON Schemas of Assay's documents, as in `docs/schemas/`. A new number is an incompatible change. */
import {z} from "zod";
import {policySchema} from "../detect/config/organization-policy.ts";
import {eventLineSchema} from "../record/event-line.ts";
import {findingSchema} from "../record/finding.ts";
import {planSchema} from "../record/plan.ts";
import {recordSchema} from "../record/record.ts";
import {replaySchema} from "../record/replay.ts";
import {statementSchema} from "../record/statement.ts";

const ADDRESS = "https://raw.githubusercontent.com/assay-run/assay/v0/docs/schemas";

const inspectSchema = z.object({
  schema: z.literal("assay.inspect/1"),
  base: z.string(),
  head: z.string(),
  findings: z.array(findingSchema),
});

/** By the name of the file. */
export const DOCUMENT_SCHEMAS: Readonly<Record<string, object>> = Object.fromEntries(
  Object.entries({
    "record.1": recordSchema,
    "plan.1": planSchema,
    "findings.1": inspectSchema,
    "event.1": eventLineSchema,
    "verification.1": statementSchema,
    "replay.1": replaySchema,
    "policy.1": policySchema,
  }).map(([name, schema]) => [name, {$id: `${ADDRESS}/${name}.json`, ...z.toJSONSchema(schema, {io: "output"})}]),
);
