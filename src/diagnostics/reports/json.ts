/** Reads the JSON reports of jest, RSpec and node:test. */

import {z} from "zod";
import {parseJson} from "../../record/parse-json.ts";
import {readNodeTest} from "./node-test.ts";
import {firstInformativeLine, type Tally} from "./tally.ts";

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
          invocations: z.number().catch(1),
        }),
      ),
    }),
  ),
});

/** `--json` of jest 27 and later. A file that could not be loaded contains no tests and counts as one failed test. */
function readJest(json: unknown, tally: Tally): boolean {
  const parsed = jestSchema.safeParse(json);
  if (!parsed.success) return false;
  for (const {name: file, status, message, assertionResults} of parsed.data.testResults) {
    if (assertionResults.length === 0 && status === "failed") {
      const reason = firstInformativeLine(message, "Test suite failed to run");
      tally.add({outcome: "failed", test: {file, name: null, title: file, message: reason}});
    }
    for (const assertion of assertionResults) {
      const outcome = assertion.status === "passed" ? "passed" : assertion.status === "failed" ? "failed" : "skipped";
      const name = [...assertion.ancestorTitles, assertion.title].join(" › ");
      const reason = firstInformativeLine(assertion.failureMessages[0] ?? "");
      // jest counts the tries (jestjs.io, `jest.retryTimes`).
      const isRetried = assertion.invocations > 1;
      tally.add({outcome, isRetried, test: {file, name, title: name, message: reason}});
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

/**
 * RSpec's formatter `json`. An id is a file and the position of the example in it, as RSpec's command line takes them.
 */
function readRspec(json: unknown, tally: Tally): boolean {
  const parsed = rspecSchema.safeParse(json);
  if (!parsed.success) return false;
  for (const {id, full_description: title, status, exception} of parsed.data.examples) {
    const [, file = null, name = null] = /^(.*?)(\[[\d:]+\])$/.exec(id) ?? [];
    const outcome = status === "passed" ? "passed" : status === "failed" ? "failed" : "skipped";
    tally.add({outcome, test: {file, name, title, message: firstInformativeLine(exception?.message ?? "")}});
  }
  return true;
}

/** The supported JSON reports; each reader takes the parsed JSON, and returns false for any other content. */
const READERS = {jestJson: readJest, rspecJson: readRspec, nodeTestEvents: readNodeTest} as const;
export type JsonForm = keyof typeof READERS;

/** False for any other content. Never throws. */
export function readJson(options: {text: string; form: JsonForm; tally: Tally}): boolean {
  return READERS[options.form](parseJson(options.text), options.tally);
}
