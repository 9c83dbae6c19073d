/** Reads the JSON reports of jest, RSpec and node:test. */
import {z} from "zod";
import {readNodeTest} from "./node-test.ts";
import {firstTelling, type Tally} from "./tally.ts";

const jestSchema = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string().catch(""),
      assertionResults: z.array(
        z.object({
          ancestorTitles: z.array(z.string()),
          title: z.string(),
          status: z.string(),
          failureMessages: z.array(z.string()).catch([]),
        }),
      ),
    }),
  ),
});

/** `--json` of jest 27 and later. A file that could not be loaded has no tests in it and counts as one that failed. */
function readJest(json: unknown, tally: Tally): boolean {
  const read = jestSchema.safeParse(json);
  if (!read.success) return false;
  for (const {name: file, status, message, assertionResults} of read.data.testResults) {
    if (assertionResults.length === 0 && status === "failed") {
      const said = firstTelling(message, "Test suite failed to run");
      tally.add({outcome: "failed", test: {file, name: null, title: file, message: said}});
    }
    for (const one of assertionResults) {
      const outcome = one.status === "passed" ? "passed" : one.status === "failed" ? "failed" : "skipped";
      const name = [...one.ancestorTitles, one.title].join(" › ");
      const said = firstTelling(one.failureMessages[0] ?? "");
      tally.add({outcome, test: {file, name, title: name, message: said}});
    }
  }
  return true;
}

const rspecSchema = z.object({
  examples: z.array(
    z.object({
      id: z.string(),
      full_description: z.string(),
      status: z.string(),
      exception: z.object({message: z.string().catch("")}).nullish(),
    }),
  ),
});

/** RSpec's formatter `json`; an id is a file and the place of the example in it, as its command line takes them. */
function readRspec(json: unknown, tally: Tally): boolean {
  const read = rspecSchema.safeParse(json);
  if (!read.success) return false;
  for (const {id, full_description: title, status, exception} of read.data.examples) {
    const [, file = null, name = null] = /^(.*?)(\[[\d:]+\])$/.exec(id) ?? [];
    const outcome = status === "passed" ? "passed" : status === "failed" ? "failed" : "skipped";
    tally.add({outcome, test: {file, name, title, message: firstTelling(exception?.message ?? "")}});
  }
  return true;
}

/** The forms of JSON that are read; each takes what was parsed, and is false for anything else. */
const READERS = {jest: readJest, rspec: readRspec, "node:test": readNodeTest} as const;
export type JsonForm = keyof typeof READERS;

/** False: it is no such report. Never throws; errors, which quote the text, are not handed on. */
export function readJson(o: {text: string; form: JsonForm; tally: Tally}): boolean {
  let json: unknown;
  try {
    json = JSON.parse(o.text);
  } catch {
    return false; // cut short, or no JSON at all
  }
  return READERS[o.form](json, o.tally);
}
