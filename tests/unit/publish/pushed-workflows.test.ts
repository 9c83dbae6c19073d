/** What a push means for the repository's own workflows, for each kind of token, target and server. */
import {expect, test} from "vitest";
import {workflowsAfterPush} from "../../../src/publish/pushed-workflows.ts";

const CLOUD = "https://api.github.com";
const TENANT = "https://api.octo.ghe.com";
const SERVER = "https://github.octo.example/api/v3";
const own = "github-actions[bot]";

test.each([
  [{login: own, hasPullRequest: true, apiUrl: CLOUD}, "wait-for-approval"],
  [{login: own, hasPullRequest: true, apiUrl: TENANT}, "wait-for-approval"],
  [{login: own, hasPullRequest: false, apiUrl: CLOUD}, "not-started"],
  [{login: own, hasPullRequest: true, apiUrl: SERVER}, "not-started"],
  [{login: own, hasPullRequest: true, apiUrl: `${SERVER}/`}, "not-started"],
  [{login: "octo-assay[bot]", hasPullRequest: true, apiUrl: CLOUD}, "started"],
  [{login: "ada", hasPullRequest: false, apiUrl: SERVER}, "started"],
])("%o: %s", (push, expected) => {
  expect(workflowsAfterPush(push)).toBe(expected);
});
