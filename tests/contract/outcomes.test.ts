/** `docs/outcomes/` has one page for each outcome that a report links to, and `docs/outcomes.md` a row for each other one. */
import {readdirSync, readFileSync} from "node:fs";
import {join} from "node:path";
import {describe, expect, it} from "vitest";
import {FAILURES} from "../../src/report/failure-words.ts";
import {explanationLink} from "../../src/report/link.ts";
import {PUBLICATIONS} from "../../src/report/publication-words.ts";
import {FAILURE_KIND, NOTHING, STAGE_OUTCOME, UNVERIFIED, VERDICTS} from "../../src/report/wording.ts";

const docs = join(import.meta.dirname, "../../docs");
const index = readFileSync(join(docs, "outcomes.md"), "utf8");
const namesOf = (folder: string) => readdirSync(folder).map((name) => name.replace(/\.md$/, ""));
/** The file names in the links of reports. */
const linked = [
  ...Object.keys(FAILURES).map((kind) => explanationLink("Failure", kind)),
  ...Object.keys(FAILURE_KIND).map((kind) => explanationLink("Failing stage", kind)),
  ...Object.keys(UNVERIFIED).map((kind) => explanationLink("Unverified", kind)),
].map((link) => /\/docs\/outcomes\/([\w-]+)\.md\)$/.exec(link)?.[1]);
/** The tables of the index, by heading. */
const TABLES = {
  Verdicts: VERDICTS,
  Checks: STAGE_OUTCOME,
  "Nothing to verify": NOTHING,
  "Where the work went": PUBLICATIONS,
};

/** What a table lacks or has too much; a row begins with an icon or the name. */
function gaps(markdown: string, heading: string, kinds: readonly string[]): string[] {
  const part = markdown.split(`\n## ${heading}\n`)[1]?.split("\n## ")[0] ?? "";
  const rows = [...part.matchAll(/^\| (?:[^\w`|]+ )?`([a-z-]+)` \| .{10,} \|$/gm)].map(([, kind]) => kind ?? "");
  return [
    ...kinds.filter((kind) => !rows.includes(kind)).map((kind) => `missing: ${kind}`),
    ...rows.filter((kind) => !kinds.includes(kind)).map((kind) => `unknown: ${kind}`),
  ];
}

describe("the pages of outcomes", () => {
  it("are exactly those that reports link to, and the index lists them", () => {
    expect(linked.length).toBeGreaterThan(30);
    expect(namesOf(join(docs, "outcomes")).toSorted()).toEqual(linked.toSorted());
    for (const name of linked) expect(index).toContain(`(outcomes/${name}.md)`);
  });

  it("explain one outcome in few words, under the words of the report", () => {
    for (const name of namesOf(join(docs, "outcomes"))) {
      const page = readFileSync(join(docs, "outcomes", `${name}.md`), "utf8");
      const words = page.split(/\s+/).length;
      expect([name, words > 15 && words < 190, page.match(/^#+ /gm)?.length]).toEqual([name, true, 1]);
    }
    for (const [kind, {headline}] of Object.entries(FAILURES))
      expect(readFileSync(join(docs, `outcomes/failure-${kind}.md`), "utf8")).toContain(
        `# What does “${headline}” mean?`,
      );
  });
});

describe("docs/outcomes.md", () => {
  it.each(Object.entries(TABLES))("has one row for each kind of “%s”", (heading, kinds) => {
    expect(gaps(index, heading, Object.keys(kinds))).toEqual([]);
  });

  it("is found wanting when a row is lost or invented", () => {
    const wrong = index.replace("| ⚠️ `flaky` |", "| ⚠️ `flakey` |");
    expect(gaps(wrong, "Checks", Object.keys(STAGE_OUTCOME))).toEqual(["missing: flaky", "unknown: flakey"]);
  });
});
