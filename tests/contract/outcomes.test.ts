/** `docs/outcomes.md` explains every outcome that a report can name, and no other. */
import {readFileSync} from "node:fs";
import {join} from "node:path";
import {describe, expect, it} from "vitest";
import {FAILURES, TURN_END} from "../../src/report/failure-words.ts";
import {explanationLink} from "../../src/report/link.ts";
import {PUBLICATIONS} from "../../src/report/publication-words.ts";
import {FAILURE_KIND, NOTHING, STAGE_OUTCOME, UNVERIFIED, VERDICTS} from "../../src/report/wording.ts";

/** Each list of things that a report can say, as its headings begin. */
const GROUPS = {
  Verdict: VERDICTS,
  Unverified: UNVERIFIED,
  "Nothing to verify": NOTHING,
  Stage: STAGE_OUTCOME,
  "Failing stage": FAILURE_KIND,
  Turn: TURN_END,
  Failure: FAILURES,
  Publication: PUBLICATIONS,
};
/** Every heading that the page must have, as it is written there. */
const WANTED = Object.entries(GROUPS).flatMap(([title, kinds]) =>
  Object.keys(kinds).map((kind) => `${title}: ${kind}`),
);
const page = readFileSync(join(import.meta.dirname, "../../docs/outcomes.md"), "utf8");

/** Heading and what stands below it, for the third level of a page. */
function explained(markdown: string): Map<string, string> {
  return new Map(
    markdown
      .split(/^### /m)
      .slice(1)
      .map((part) => {
        const [heading = "", ...body] = part.split("\n");
        return [
          heading,
          body
            .join("\n")
            .replace(/^## [\s\S]*/m, "")
            .trim(),
        ] as const;
      }),
  );
}

/** What is missing from the page, what should not be there, and what is named without being explained. */
function gaps(markdown: string): string[] {
  const there = explained(markdown);
  return [
    ...WANTED.filter((heading) => !there.has(heading)).map((heading) => `missing: ${heading}`),
    ...[...there.keys()].filter((heading) => !WANTED.includes(heading)).map((heading) => `unknown: ${heading}`),
    ...[...there].filter(([, body]) => body.length < 30).map(([heading]) => `unexplained: ${heading}`),
  ];
}

describe("docs/outcomes.md", () => {
  it("has one explained heading per outcome", () => {
    expect(WANTED.length).toBeGreaterThan(40);
    expect(gaps(page)).toEqual([]);
  });

  it("is found wanting when a heading is lost, invented or empty", () => {
    expect(gaps(page.replace("### Stage: flaky", "### Stage: flakey"))).toEqual([
      "missing: Stage: flaky",
      "unknown: Stage: flakey",
    ]);
    expect(gaps(page.replace(/(### Failure: internal\n)[\s\S]*?(?=\n## )/, "$1"))).toEqual([
      "unexplained: Failure: internal",
    ]);
  });

  it("has the headings that reports link to", () => {
    const slugs = WANTED.map((heading) =>
      heading
        .toLowerCase()
        .replace(/[^a-z0-9 -]/g, "")
        .replaceAll(" ", "-"),
    );
    const links = [
      ...Object.keys(FAILURES).map((kind) => explanationLink("Failure", kind)),
      ...Object.keys(FAILURE_KIND).map((kind) => explanationLink("Failing stage", kind)),
      ...Object.keys(UNVERIFIED).map((kind) => explanationLink("Unverified", kind)),
    ];
    expect(links.filter((link) => !slugs.includes(link.slice(link.indexOf("#") + 1, -1)))).toEqual([]);
  });
});
