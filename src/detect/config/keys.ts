/** Which keys the schema of `verify.json` knows at a path. */
import {z} from "zod";
import {mapOf, valueAt} from "../files/manifest-values.ts";
import {configSchema} from "./schema.ts";

/** The JSON Schema of `verify.json`, as published in `docs/verify.schema.json`. */
export function configJsonSchema(): Record<string, unknown> {
  return {
    ...z.toJSONSchema(configSchema, {io: "input", reused: "inline"}),
    title: "verify.json",
    description: "What Assay runs before it commits. See docs/verify-json.md.",
    // Editors should accept what the reader accepts.
    allowComments: true,
    allowTrailingCommas: true,
  };
}

/** The known keys at a path of the file, such as `["stages", 0]`. Empty where any key may stand. */
export function listKeysAt(path: readonly PropertyKey[]): readonly string[] {
  let here: unknown[] = [configJsonSchema()];
  for (const part of path) {
    const branches = here.flatMap(withBranches);
    here =
      typeof part === "number"
        ? branches.map((schema) => valueAt(schema, "items"))
        : branches.map(
            (schema) => valueAt(schema, "properties", String(part)) ?? valueAt(schema, "additionalProperties"),
          );
  }
  return here
    .flatMap(withBranches)
    .flatMap((schema) => [...mapOf(valueAt(schema, "properties")).keys()])
    .filter((key) => key !== "$schema");
}

function withBranches(schema: unknown): unknown[] {
  const branches = valueAt(schema, "anyOf");
  return Array.isArray(branches) ? branches : [schema];
}
