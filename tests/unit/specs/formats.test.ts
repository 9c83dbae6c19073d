/** Where each format keeps its specs, and which of their sections bind the code. */
import {describe, expect, it, test} from "vitest";
import {DEFAULT_CONFIG} from "../../../src/detect/config/config.ts";
import {chooseSpecs} from "../../../src/specs/choose-specs.ts";
import {extractConstraints} from "../../../src/specs/constraints.ts";
import {findSpecFiles, findSpecs} from "../../../src/specs/find-specs.ts";
import {adr} from "../../../src/specs/formats/adr.ts";
import {kiro} from "../../../src/specs/formats/kiro.ts";
import {openSpec} from "../../../src/specs/formats/openspec.ts";
import {specKit} from "../../../src/specs/formats/spec-kit.ts";
import {specSync} from "../../../src/specs/formats/spec-sync.ts";
import {projectOf} from "../detect/tree.ts";

test.each([
  ["specs/parser/parser.spec.md", "spec-sync parser"],
  ["specs/cli/deep/cli_args.spec.md", "spec-sync cli_args"],
  ["specs/_template.spec.md", null],
  ["specs/parser/tasks.md", null],
  ["openspec/specs/auth/spec.md", "openspec auth"],
  ["openspec/specs/auth/login/spec.md", "openspec auth/login"],
  ["openspec/changes/add-login/specs/auth/spec.md", null],
  ["openspec/changes/archive/2026-01-02-add-login/proposal.md", null],
  ["openspec/project.md", "openspec always"],
  ["specs/001-login/spec.md", "spec-kit login"],
  [".specify/specs/012-search-page/spec.md", "spec-kit search-page"],
  ["specs/001-login/plan.md", null],
  [".specify/memory/constitution.md", "spec-kit always"],
  [".specify/templates/spec-template.md", null],
  [".kiro/specs/checkout/requirements.md", "kiro checkout"],
  [".kiro/specs/checkout/tasks.md", null],
  [".kiro/steering/product.md", "kiro always"],
  ["docs/adr/0007-use-postgres.md", "adr 0007-use-postgres"],
  ["docs/adr/ADR-7-x.md", "adr 7-x"],
  ["doc/adr/0001-record.md", "adr 0001-record"],
  ["docs/architecture/decisions/12-cache.md", "adr 12-cache"],
  ["doc/architecture/decisions/12-cache.md", "adr 12-cache"],
  ["docs/architecture/adr/12-cache.md", "adr 12-cache"],
  ["docs/adr/README.md", null],
  ["docs/adr/template.md", null],
  ["src/specs/a.spec.md", null],
  ["README.md", null],
])("%s", (path, expected) => {
  const [spec] = findSpecFiles([path], null);
  const words = spec === undefined ? null : `${spec.format.name} ${spec.isAlways ? "always" : spec.name}`;
  expect(words).toBe(expected);
});

describe("the sections that bind the code", () => {
  const titles = (...o: Parameters<typeof extractConstraints>) => extractConstraints(...o).map(({title}) => title);

  it("spec-sync: the four of the source document, with their subsections", () => {
    const text =
      "# M\n\n## Purpose\na\n\n## Public API\n### Exported\n`f`\n\n## Behavioral Examples\nb\n\n## Error Cases\nc\n";
    const constraints = extractConstraints(specSync, text);
    expect(constraints.map(({title}) => title)).toEqual(["Purpose", "Public API", "Error Cases"]);
    expect(constraints[1]?.text).toBe("## Public API\n### Exported\n`f`");
  });

  it("the whole body, without the front matter, if a text has none of them", () => {
    const text = "---\nmodule: m\n---\n# M\n\nIt must be fast.\n";
    expect(extractConstraints(specSync, text)).toEqual([{title: "", text: "# M\n\nIt must be fast."}]);
    expect(extractConstraints(specSync, "## Purpose\n\n## Invariants\n\n")).toEqual([
      {title: "", text: "## Purpose\n\n## Invariants"},
    ]);
  });

  it("a heading in a fenced block is none", () => {
    const text = "## Purpose\n```md\n## Invariants\n```\nend\n~~~~\n~~~\n## Error Cases\n~~~~\n";
    expect(titles(specSync, text)).toEqual(["Purpose"]);
  });

  it("OpenSpec: each requirement with its scenarios", () => {
    const text =
      "## Purpose\np\n\n## Requirements\n\n### Requirement: Login\nThe system SHALL log in.\n\n#### Scenario: ok\n- **WHEN** x\n- **THEN** y\n\n### Requirement: Logout\nz\n";
    const constraints = extractConstraints(openSpec, text);
    expect(constraints.map(({title}) => title)).toEqual(["Purpose", "Requirement: Login", "Requirement: Logout"]);
    expect(constraints[1]?.text).toMatch(/SHALL log in[\s\S]*#### Scenario: ok[\s\S]*\*\*THEN\*\* y$/);
  });

  it("spec-kit: requirements, success criteria and scenarios, not the story around them", () => {
    const text =
      "# Feature\n\n### User Story 1 - Login (Priority: P1)\nA long story.\n\n1. **Given** a user, **When** x, **Then** y\n\n## Requirements\n\n- **FR-001**: System MUST log in\n  within 2 s\n- a note\n\n## Success Criteria\n- **SC-001**: 99 %\n";
    expect(extractConstraints(specKit, text).map((one) => one.text)).toEqual([
      "### User Story 1 - Login (Priority: P1)\n1. **Given** a user, **When** x, **Then** y",
      "## Requirements\n- **FR-001**: System MUST log in\n  within 2 s",
      "## Success Criteria\n- **SC-001**: 99 %",
    ]);
  });

  it("Kiro: the EARS sentences of each requirement", () => {
    const text =
      "# Requirements\n\n## Introduction\nwords\n\n### Requirement 1\n\n**User Story:** As a user …\n\n#### Acceptance Criteria\n\n1. WHEN a user logs in THE SYSTEM SHALL greet\n2. IF not THEN the system shall refuse\n";
    expect(extractConstraints(kiro, text).map((one) => one.text)).toEqual([
      "#### Acceptance Criteria\n1. WHEN a user logs in THE SYSTEM SHALL greet\n2. IF not THEN the system shall refuse",
    ]);
  });

  it("decision records: the decision and its consequences", () => {
    const text =
      "# 7. Postgres\n\n## Status\nAccepted\n\n## Context\nlong\n\n## Decision\nWe use Postgres.\n\n## Consequences\nOne server.\n";
    expect(titles(adr, text)).toEqual(["Decision", "Consequences"]);
  });
});

describe("files that every run gets", () => {
  const always = (tree: Record<string, string>) => {
    const rules = DEFAULT_CONFIG.specs;
    if (rules === null) throw new Error("specs are switched off by default");
    return chooseSpecs({task: "anything", specs: findSpecs(projectOf(tree), null), rules}).texts;
  };

  it("share 2,000 characters", () => {
    const texts = always({
      ".specify/memory/constitution.md": "Rule. ".repeat(1_000),
      ".kiro/steering/tech.md": "Use Rust.",
      ".kiro/steering/structure.md": "Folders. ".repeat(1_000),
    });
    expect(texts).toHaveLength(3);
    const length = texts.reduce((sum, {text}) => sum + text.length, 0);
    expect(length).toBeLessThanOrEqual(2_000);
    expect(length).toBeGreaterThan(1_800);
  });

  it("are left out if nobody has filled them in, or they are not for every run", () => {
    const inclusion = (kind: string) => `---\ninclusion: ${kind}\nfileMatchPattern: "*.ts"\n---\nUse tabs.\n`;
    const texts = always({
      ".specify/memory/constitution.md":
        "# [PROJECT_NAME] Constitution\n### [PRINCIPLE_1_NAME]\n[PRINCIPLE_1_DESCRIPTION]\n",
      "openspec/project.md": "[Describe your project]\n[List your tools]\n[Add names]\n",
      ".kiro/steering/a.md": inclusion("always"),
      ".kiro/steering/b.md": inclusion("fileMatch"),
      ".kiro/steering/c.md": inclusion("manual"),
    });
    expect(texts.map(({path}) => path)).toEqual([".kiro/steering/a.md"]);
  });
});

test("a decision that was replaced or rejected binds nothing", () => {
  const decide = (status: string) => `# Cache\n\n## Status\n\n${status}\n\n## Decision\nWe cache answers.\n`;
  const tree = {
    "docs/adr/0001-a.md": decide("Superseded by [ADR-2](0002-b.md)"),
    "docs/adr/0002-b.md": decide("Accepted"),
    "docs/adr/0003-c.md": "# Cache\n\n* Status: rejected\n\n## Decision\nWe cache answers.\n",
    "docs/adr/0004-d.md": decide("Superceded by [2. B](0002-b.md)"),
    "docs/adr/0005-e.md": decide("Open\n\nSuperceded by [2. B](0002-b.md)"),
  };
  const rules = DEFAULT_CONFIG.specs;
  if (rules === null) throw new Error("specs are switched off by default");
  const {given} = chooseSpecs({task: "cache answers", specs: findSpecs(projectOf(tree), null), rules});
  expect(given.given.map(({name}) => name)).toEqual(["0002-b"]);
});
