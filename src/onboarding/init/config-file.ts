/** The `verify.json` that `assay init` writes: it shows what was detected, and fixes none of it. */
import {formatPlace} from "../../detect/selection/place.ts";
import {showInvisible} from "../../markdown/escape.ts";
import type {Plan, SetupStep, Stage} from "../../record/plan.ts";

/** Where editors find the schema of the version that the written workflow uses. */
const SCHEMA = "https://raw.githubusercontent.com/assay-run/assay/v0/docs/verify.schema.json";
/** A file for people; `assay plan` prints the rest. */
const MAX_STAGES = 40;
/** The names that `overrides` takes as keys. */
const NAME = /^[\w@./:+-]{1,100}$/;

/**
 * The text of the file. Overrides are commented out, so that detection stays live: a script that is added next month is
 * run without anybody touching this file. Each commented line is valid as it stands once its `//` is removed.
 */
export function configFile(plan: Plan): string {
  const shown = plan.stages.slice(0, MAX_STAGES);
  const left = plan.stages.length - shown.length;
  return [
    "{",
    "  // What must pass here before Assay commits. It counts once it is on the base branch.",
    "  // Every key: https://github.com/assay-run/assay/blob/v0/docs/verify-json.md",
    `  "$schema": "${SCHEMA}",`,
    "",
    "  // Assay detects the stages anew each time; below is what it found when this file was written (now: `assay plan`).",
    "  // Remove the `//` in front of a name to change that stage; `false` instead of `{…}` switches it off.",
    ...(shown.length === 0
      ? [
          "  // Nothing was found here, and without a stage nothing can be verified. Name your commands:",
          '  // "stages": [{"name": "test", "kind": "test", "command": "./run-tests.sh"}],',
        ]
      : ['  "overrides": {', ...shown.flatMap(stageLines), ...(left > 0 ? [rest(left)] : []), "  },"]),
    "",
    ...setupLines(plan.setup),
    "  // Fix prompts that the agent gets when a stage fails.",
    '  // "maxFixAttempts": 2,',
    "",
    "  // What happens to a change that is not verified: `park` keeps it on a branch, `commit` commits it with a warning.",
    '  // "onFailure": "park",',
    "}",
    "",
  ].join("\n");
}

function stageLines(stage: Stage): string[] {
  const why = `    // ${plain(stage.command)}  (${plain(`${formatPlace(stage.origin)}: ${stage.origin.why}`)})`;
  if (!NAME.test(stage.name))
    return [why, `    // ${plain(stage.name)}: no key can have this name; use \`stages\` to change it`];
  const value = `{"timeout": ${stage.timeout}, "optional": ${stage.optional}}`;
  return [why, `    // ${JSON.stringify(stage.name)}: ${value},`];
}

function setupLines(setup: readonly SetupStep[]): string[] {
  if (setup.length === 0) return [];
  const steps = setup.slice(0, MAX_STAGES).map(({command, cwd, inputs, provides}) => {
    const folder = cwd === "." ? {} : {cwd};
    return `  //   ${plain(JSON.stringify({command, ...folder, inputs, provides}))},`;
  });
  return [
    "  // What is installed before, as detected. Remove the `//` of all these lines to install something else.",
    '  // "setup": [',
    ...steps,
    "  // ],",
    "",
  ];
}

const rest = (count: number): string => `    // … and ${count} more: \`assay plan\` names them all`;

/** One line: what a repository says must not end the comment that it stands in. */
function plain(text: string): string {
  return showInvisible(text).replace(/\s+/g, " ");
}
