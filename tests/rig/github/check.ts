/** Says what is wrong with a request to GitHub, by GitHub's own OpenAPI description. */
import {readFileSync} from "node:fs";
import formats from "ajv-formats";
import {type Document, OpenAPIBackend} from "openapi-backend";
import {isObject, type Json} from "../json.ts";

export interface Checked {
  /** GitHub's name of the operation, such as `issues/create-comment`; null when it is not in the slice */
  readonly operation: string | null;
  /** empty when the request is one that GitHub describes */
  readonly problems: readonly string[];
}

export type Check = (request: {method: string; path: string; query: URLSearchParams; body: string}) => Checked;

let loading: Promise<Check> | undefined;

/** The description is compiled once for all worlds of a process. */
export function loadCheck(): Promise<Check> {
  loading ??= compile();
  return loading;
}

async function compile(): Promise<Check> {
  const text = readFileSync(new URL("./openapi.json", import.meta.url), "utf8");
  const definition: Document = JSON.parse(text);
  const api = new OpenAPIBackend({
    definition,
    quick: true,
    ajvOpts: {strict: false, allErrors: true},
    customizeAjv(ajv) {
      formats.default(ajv);
      ajv.addFormat("repo.nwo", true);
      return ajv;
    },
  });
  await api.init();

  return ({method, path, query, body}) => {
    const asked: Record<string, string | string[]> = {};
    for (const key of new Set(query.keys())) {
      const values = query.getAll(key);
      asked[key] = values.length === 1 ? (values[0] ?? "") : values;
    }
    const request = {method, path, headers: {"content-type": "application/json"}, query: asked};
    const operation = api.matchOperation(request);
    if (operation === undefined) return {operation: null, problems: [`${method} ${path} is not in the slice`]};
    const parsed = body === "" ? undefined : parse(body);
    if (parsed === null) return {operation: operation.operationId ?? null, problems: ["the body is no JSON"]};
    const result = api.validateRequest({...request, ...(parsed !== undefined && {body: parsed})}, operation);
    const problems = (result.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
    // what GitHub does not know it passes over in silence, and so a misspelt name would go unseen
    const known = {query: namesIn(operation.parameters ?? [], "query"), body: propertiesOf(operation.requestBody)};
    for (const key of Object.keys(asked)) {
      if (!known.query.has(key)) problems.push(`/query/${key} is no parameter of this operation`);
    }
    for (const key of Object.keys(parsed ?? {})) {
      if (!known.body.has(key)) problems.push(`/requestBody/${key} is no property of this operation`);
    }
    return {operation: operation.operationId ?? null, problems};
  };
}

function parse(text: string): Json | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function namesIn(parameters: readonly unknown[], place: string): Set<string> {
  const found = parameters.filter(isObject).filter((parameter) => parameter["in"] === place);
  return new Set(found.map((parameter) => String(parameter["name"])));
}

function propertiesOf(value: unknown, found = new Set<string>()): Set<string> {
  if (Array.isArray(value)) for (const inner of value) propertiesOf(inner, found);
  if (!isObject(value)) return found;
  if (isObject(value["properties"])) for (const key of Object.keys(value["properties"])) found.add(key);
  for (const [key, inner] of Object.entries(value)) if (key !== "properties") propertiesOf(inner, found);
  return found;
}
