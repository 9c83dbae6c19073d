/** Pull requests, commits and checks, under every fault at each request. */
import {expect, test} from "vitest";
import {COMMENTS, proveVerbs, READS, VERBS, WRITES} from "./fault-cases.ts";

proveVerbs(WRITES);

test("every verb has its test", () => {
  expect([...READS, ...COMMENTS, ...WRITES].toSorted()).toEqual(Object.keys(VERBS).toSorted());
});
