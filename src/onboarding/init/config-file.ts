/** The `verify.json` that `assay init` writes. It shows the detected checks in comments and overrides none of them. */
import {formatPlace} from "../../detect/selection/place.ts";
import {showInvisible} from "../../markdown/escape.ts";
import type {Plan, SetupStep, Stage} from "../../record/plan.ts";

/** The schema for editors, in the version of the written workflow. */
const SCHEMA = "https://raw.githubusercontent.com/assay-run/assay/v0/docs/verify.schema.json";
/** The file lists at most this many stages; `assay plan` prints the others. */
const MAX_STAGES = 40;
/** The names that `overrides` takes as keys. */
const NAME = /^[\w@./:+-]{1,100}$/;

/**
 * The text of the file. Overrides are commented out, so that detection continues to find new scripts. Each commented
 * line is valid after its `//` is removed.
 */
export function configFile(plan: Plan): string {
  const visible = plan.stages.slice(0, MAX_STAGES);
  const omittedCount = plan.stages.length - visible.length;
  return [
    "{",
    "  // The checks that must pass before Assay commits. This file takes effect on the default branch.",
    "  // All keys: https://github.com/assay-run/assay/blob/main/docs/verify-json.md",
    "  // Editors find the schema at this address from the first release of Assay on.",
    `  "$schema": "${SCHEMA}",`,
    "",
    ...(visible.length === 0
      ? [
          "  // No checks were found. Add your commands, because nothing can be verified without them:",
          '  // "stages": [{"name": "test", "kind": "test", "command": "./run-tests.sh"}],',
        ]
      : [
          "  // Assay detects the checks in every run. These were detected when this file was written; `assay plan` shows the current ones.",
          "  // To change a check, remove the `//` in front of its name. To turn it off, write `false` instead of `{…}`.",
          '  "overrides": {',
          ...visible.flatMap(stageLines),
          ...(omittedCount > 0 ? [omittedLine(omittedCount)] : []),
          "  },",
        ]),
    "",
    ...setupLines(plan.setup),
    "  // How often the agent may try to fix a failing check.",
    '  // "maxFixAttempts": 2,',
    "",
    "  // What to do with a change that is not verified: `park` saves it on a branch, `commit` commits it with a warning.",
    '  // "onFailure": "park",',
    "}",
    "",
  ].join("\n");
}

function stageLines(stage: Stage): string[] {
  const why = `    // ${plain(stage.command)}  (${plain(`${formatPlace(stage.origin)}: ${stage.origin.why}`)})`;
  if (!NAME.test(stage.name))
    return [why, `    // ${plain(stage.name)}: this name cannot be a key; use \`stages\` to change it`];
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
    "  // The detected install commands. To change them, remove the `//` of all these lines.",
    '  // "setup": [',
    ...steps,
    "  // ],",
    "",
  ];
}

const omittedLine = (count: number): string => `    // … and ${count} more: \`assay plan\` shows all of them`;

/** One line, so that foreign text cannot end the comment. */
function plain(text: string): string {
  return showInvisible(text).replace(/\s+/g, " ");
}
