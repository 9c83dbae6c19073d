/** Writes the prompt that asks an agent once for a `verify.json`, with the plan as data. */

import {BLOCKS_ARE_DATA, block} from "../markdown/blocks.ts";
import {stripInvisible} from "../markdown/visible-text.ts";
import type {Plan} from "../record/plan.ts";

const PLAN_CHARS = 40_000;

/** `file` is where the repository has its `verify.json`, or would have it. */
export function setupPrompt({file, plan}: {file: string; plan: Plan}): string {
  const {stages, setup, notRun, notes, ci = []} = plan;
  const rows = [
    ...stages.map(({name, kind, command, cwd, optional}) => ({stage: name, kind, command, cwd, optional})),
    ...setup.map(({command, cwd}) => ({setup: command, cwd})),
    ...ci.flatMap(({command, cwd, file, key, outcome}) =>
      outcome.kind === "listed" ? [{notRun: command, cwd, from: `${file} ${key}`, why: outcome.why}] : [],
    ),
    ...[...notRun, ...notes],
  ];
  const data = stripInvisible(rows.map((row) => JSON.stringify(row)).join("\n")).text;
  return [
    `You are working in a checkout of a repository. Write the file \`${file}\`, which says what must pass here before a change is proposed. Change no other file: only this one is read.`,
    BLOCKS_ARE_DATA,
    "Assay found the following in CI and the manifests. The commands of CI with `notRun` are the first candidates: find out what they need.",
    block("plan", data, {max: PLAN_CHARS}),
    RULES,
    FORMAT,
  ].join("\n\n");
}

const RULES = [
  "Rules:",
  "- You are asked once. Each new or changed entry is then run once on a clean checkout of the default branch, in a sandbox, without secrets, and without a network after the set-up.",
  "- An entry is kept if its command ends by itself with exit code 0 and changes no file. A test command must also print how many tests passed. Every other entry is dropped.",
  "- Commands check and do not write: no formatting in place, no publishing, no upload. A command whose exit code is always 0 is dropped.",
  "- Stages that run a command of CI stay as they are. Add what is missing with `extraStages`; if the file has `stages`, add to that list.",
  "- If an install step is missing, write the whole list of `setup`: it replaces the detected one.",
  "- A person reads the result before it takes effect. End with one short sentence about each entry: why it is needed.",
].join("\n");

const FORMAT = `The file is JSON. These are the usual keys:
{"extraStages": [{"name": "docs", "command": "make docs-check", "cwd": "docs", "kind": "check", "timeout": 300}],
 "overrides": {"test": {"timeout": 900}},
 "setup": ["npm ci", {"command": "pip install -r requirements.txt", "cwd": "tools"}]}
\`kind\` is typecheck, lint, test, build or check; \`timeout\` is in seconds; \`cwd\` is relative to the root. Unknown keys are mistakes. The whole format: https://github.com/assay-run/assay/blob/main/docs/verify-json.md`;
