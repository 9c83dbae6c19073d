/** Playwright's test runner. */
import type {Tool} from "./tool.ts";
import type {ToolCommand} from "./tool-command.ts";

export const playwright: Tool = {
  name: "playwright",
  output: {
    markers: ["[chromium]", "[firefox]", "[webkit]", " › "],
    blocks: [
      {
        start: /^ {2}\d+\) (?:\[\w[\w ]*\] › )?(?<file>[^\s:]+):(?<line>\d+):(?<column>\d+) › (?<testId>.*?)(?: ─+)?$/,
        end: /^ {2}\d+\) (?:\[|\S+:\d+:\d+ ›)|^ {2}\d+ (?:failed|passed|flaky)/,
        maxLines: 80,
        inside: [/^ {4}(?<message>(?:\w*Error|Test timeout)\b.*)$/],
      },
    ],
  },
  // playwright.dev/docs/test-retries
  retried: /^ {2}[1-9]\d* flaky$/m,
  summaries: [
    {
      pattern: /^ {2}(?<list>\d+ (?:passed|failed|flaky|skipped|did not run|interrupted))(?: \(\d[^\n]*\))?\s*$/gm,
      unless: ["ava"],
    },
    {pattern: /^Error: (?<zero>No tests found)/gm},
  ],
  summaryParts: {apart: Infinity},
};

/** Downloads browsers into a folder of the home; the option needs administrator rights (playwright.dev/docs/browsers). */
export const BROWSER_DOWNLOAD = {
  commands: ["playwright install *"],
  into: ".cache/ms-playwright",
  asRoot: "--with-deps",
};

export const playwrightCommand: ToolCommand = {
  programs: ["playwright"],
  traits: ["node package", "never a script"],
  unsafe: [
    {match: "playwright install --with-deps", kind: "privileged"},
    {match: "playwright install", kind: "download"},
    {match: "playwright", kind: "browser"},
  ],
};
