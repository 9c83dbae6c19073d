/** What GitHub, or the way to it, can answer instead of an answer. */
import type {Misbehaviour} from "../rig/github/faults.ts";

/** What is answered instead of an answer, and not in the middle of one. */
type Refusal = Exclude<Misbehaviour, {kind: "lie"}>;

const says = (status: number, message: string, headers: Record<string, string> = {}): Refusal => ({
  kind: "status",
  status,
  body: JSON.stringify({message}),
  headers,
});
const page = (status: number): Refusal => ({
  kind: "status",
  status,
  body: "<!doctype html><title>Unicorn!</title>",
  headers: {"content-type": "text/html"},
});
const wait = {"retry-after": "1"};
/** By a name that is no number, for those would come first. First what the product can tell apart; the rest are to it as one of these. */
export const FAULTS: Readonly<Record<string, Refusal>> = {
  "status 401": says(401, "Bad credentials"),
  "a lost answer": {kind: "answer-lost"},
  "status 404": says(404, "Not Found"),
  "status 500": says(500, "Server Error"),
  "422 too long": says(422, "Validation Failed: body is too long (maximum is 65536 characters)"),
  "403 permission": says(403, "Resource not accessible by integration"),
  "another form": {kind: "status", status: 200, body: "[]"},
  "status 429": says(429, "API rate limit exceeded", wait),
  "status 410": says(410, "Issues are disabled for this repo"),
  "no answer": {kind: "hang"},
  "403 secondary limit": says(403, "You have exceeded a secondary rate limit.", wait),
  "a page with status 200": {kind: "html"},
  "cut JSON": {kind: "status", status: 200, body: '{"id": 1, "body": "ab'},
  "a reset": {kind: "drop"},
  "503 retry-after": says(503, "Service unavailable", wait),
  "502 page": page(502),
  "504 page": page(504),
  "status 400": says(400, "Problems parsing JSON"),
  "403 locked": says(403, "Unable to create comment because issue is locked."),
  "status 409": says(409, "Conflict"),
  "status 451": says(451, "Repository access blocked"),
};

/** What an outage of the whole API, or a token that is taken back, looks like. */
export const OUTAGES: readonly string[] = ["status 401", "status 500", "a reset", "no answer"];
