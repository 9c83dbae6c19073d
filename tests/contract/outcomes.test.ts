/** `docs/outcomes.md` explains every outcome that a report can name, and no other. */
import {readFileSync} from "node:fs";
import {join} from "node:path";
import {describe, expect, it} from "vitest";
import {outcomeAnchor, outcomeHeadings} from "../../src/report/wording.ts";

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
  const wanted = outcomeHeadings();
  return [
    ...wanted.filter((heading) => !there.has(heading)).map((heading) => `missing: ${heading}`),
    ...[...there.keys()].filter((heading) => !wanted.includes(heading)).map((heading) => `unknown: ${heading}`),
    ...[...there].filter(([, body]) => body.length < 30).map(([heading]) => `unexplained: ${heading}`),
  ];
}

describe("docs/outcomes.md", () => {
  it("has one explained heading per outcome", () => {
    expect(outcomeHeadings().length).toBeGreaterThan(40);
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

  it("is where the anchors lead", () => {
    expect(outcomeAnchor({group: "stage", kind: "timed-out"})).toBe("docs/outcomes.md#stage-timed-out");
    expect(outcomeAnchor({group: "nothing", kind: "no-change"})).toBe("docs/outcomes.md#nothing-to-verify-no-change");
    expect(page).toContain("### Nothing to verify: no-change");
  });
});
