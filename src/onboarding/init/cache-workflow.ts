/** The cache of an install's downloads: the workflow that writes it, and the step that reads it. */
import {ASSAY, CACHE_RESTORE, CACHE_SAVE, SETUP} from "./action-pins.ts";
import {assayStep, checkoutStep, indent, SANDBOX_STEP} from "./workflow-parts.ts";

const INPUTS_OF_INSTALLS = [
  ...["**/package.json", "**/package-lock.json", "**/pnpm-lock.yaml", "**/yarn.lock", "**/bun.lock"],
  ...["**/requirements*.txt", "**/pyproject.toml", "**/uv.lock", "**/poetry.lock", "**/go.sum", "**/Cargo.lock"],
  ...["**/pom.xml", "**/*.gradle*", "**/Gemfile.lock", "**/composer.lock", "**/verify.json"],
];

/** Both actions must name the same path and key. The files are those of the checked-out base. */
const PLACE = [
  "path: ${{ runner.temp }}/assay-cache",
  `key: assay-\${{ runner.os }}-\${{ runner.arch }}-\${{ hashFiles(${INPUTS_OF_INSTALLS.map((glob) => `'${glob}'`).join(", ")}) }}`,
];
const NOT_CACHED = "steps.cache.outputs.cache-hit != 'true'";

/** Before any code of a change is on the machine. */
export const RESTORE_STEP = assayStep({uses: CACHE_RESTORE, when: "inputs.cache == 'true'", with: PLACE});

/** docs/workflows/cache.yml: runs on pushes only, with neither agent nor change. */
export const cacheWorkflow = (): string =>
  [
    "name: Assay cache",
    "on:",
    "  push:",
    "    branches: [main] # the default branch",
    "permissions: {}",
    "concurrency:",
    "  group: assay-cache-${{ github.ref }}",
    "  cancel-in-progress: true",
    "jobs:",
    "  # Installs what the default branch needs, and saves the downloads. No other job may write this cache.",
    "  cache:",
    ...indent(4, [
      "name: Cache",
      "if: github.event.ref == format('refs/heads/{0}', github.event.repository.default_branch)",
      "runs-on: ubuntu-latest",
      "timeout-minutes: 30",
      "permissions:",
      "  contents: read # the default branch",
      "steps:",
      ...indent(2, [
        ...checkoutStep(""),
        ...assayStep({uses: CACHE_RESTORE, id: "cache", with: [...PLACE, "lookup-only: true"]}),
        `- uses: ${SETUP}`,
        ...SANDBOX_STEP,
        ...assayStep({uses: ASSAY, when: NOT_CACHED, with: ["job: cache"]}),
        ...assayStep({uses: CACHE_SAVE, when: NOT_CACHED, with: PLACE}),
      ]),
    ]),
    "",
  ].join("\n");
