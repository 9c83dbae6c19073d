/** The page of a run: everything about it in one file, which asks no server for anything. */
import {describe, expect, it} from "vitest";
import type {RunRecord} from "../../../src/record/record.ts";
import {UNSIGNED_WORDS} from "../../../src/record/unsigned.ts";
import {runPage} from "../../../src/report/page.ts";
import {attempt, id, record, stage, turn} from "./records.ts";

const listed = stage({
  tests: {passed: 2, failed: 1, skipped: 0},
  startedMs: 10,
  reported: {
    ...{tool: "vitest", counts: {passed: 2, failed: 1, skipped: 0}},
    failed: [{file: "a.test.ts", name: "adds", title: "adds", message: "no"}],
    others: [{file: "a.test.ts", title: "<img src=https://evil.example/x> takes", outcome: "passed"}],
  },
});
const of = (over: Partial<RunRecord> = {}): RunRecord => {
  const one = attempt({stages: [listed], turn: turn()});
  const verification = one.verification && {...one.verification, tools: [{name: "node", version: "24.1.0"}]};
  return record({attempts: [{...one, verification}], ...over});
};

describe("runPage", () => {
  it("has the request, the report, the times, the tests and the evidence", () => {
    const page = runPage(of());
    const titles = [...page.matchAll(/<h2>(.*?)<\/h2>/g)].map(([, title]) => title);
    expect(titles.slice(1)).toEqual(["Assay", "Timeline", "Tests", "Evidence"]);
    expect(page).toContain("test: 2 passed, 1 failed");
    expect(page).toMatch(/❌ adds <code>a\.test\.ts<\/code>/);
    expect(page).toContain("1 test without a name in the record.");
    expect(page).toMatch(/🤖 Agent<\/span><i class="agent" style="margin-left:0\.00%/);
    expect(page).toContain("node 24.1.0");
    expect(page).toContain("anyone who can write them can change them");
    expect(page).toContain(id("7"));
    expect(page).toContain("<strong>Statement</strong>: none");
    const failed = runPage(of({verdict: {kind: "unverified", why: "no-stages", detail: ""}}));
    expect([page, failed].map((text) => text.includes("Verified files"))).toEqual([true, false]);
    const signed = runPage(of({attestation: {kind: "signed", ref: "refs/notes/assay", commit: id("e")}}));
    expect(signed).toContain("<code>assay check eeeeeeeeeeee</code> verifies it");
    const unsigned = of({attestation: {kind: "unsigned", ref: "refs/notes/assay", commit: id("e"), why: "one-job"}});
    expect(runPage(unsigned)).toContain(`not signed. ${UNSIGNED_WORDS["one-job"].slice(0, 20)}`);
  });

  it("loads nothing: no script, no picture, no style sheet, no form", () => {
    const request = {
      kind: "work" as const,
      text: "![x](https://evil.example/x.png) <script>1</script>\n[l](javascript:1)",
    };
    const page = runPage(of({request}));
    expect(page).toContain("default-src 'none'");
    expect(page).not.toMatch(/<(?:script|link|iframe|form|object)\b|<img |javascript:|url\(/);
  });

  it("leaves out what the run does not have", () => {
    const page = runPage(of({request: null, attempts: []}));
    expect([...page.matchAll(/<h2>(.*?)<\/h2>/g)].map(([, title]) => title)).toEqual(["Assay"]);
  });

  it("shows other requests as their command, and as yours in a clone", () => {
    const page = runPage(of({request: {kind: "verify", only: ["test"]}, isInClone: true}));
    expect(page).toContain('<h2>You</h2><div class="request"><p><code>/verify test</code>');
  });
});
