/** What to do if a program of CI, of a script or of a task is missing on a runner. */

/** The steps of programs that come with a toolchain. */
const STEPS: Readonly<Record<string, string>> = {
  ...{node: "actions/setup-node", npm: "actions/setup-node", npx: "actions/setup-node"},
  ...{python: "actions/setup-python", python3: "actions/setup-python", pip: "actions/setup-python"},
  ...{pnpm: "pnpm/action-setup", bun: "oven-sh/setup-bun", bunx: "oven-sh/setup-bun", deno: "denoland/setup-deno"},
};

/** `owner` is who installs it today: a file of CI, or "your CI". */
export const programHint = (program: string, owner: string): string =>
  program in STEPS
    ? `add the step \`${STEPS[program]}\` before Assay`
    : `install ${program} in a step before Assay, as ${owner} does`;
