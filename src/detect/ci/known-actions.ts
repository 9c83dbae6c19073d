/** Actions that are checks themselves, with the commands that they run. */
import {COMMANDS} from "../../tools/all.ts";
import {textAt} from "../files/manifest-values.ts";

/** Actions of tools that have no file of their own, in the form of `ToolCommand.actions`. */
const OTHER_ACTIONS: Readonly<Record<string, string>> = {
  "dominikh/staticcheck-action": "staticcheck ./...",
  "pre-commit/action": "pre-commit run {extra_args=--all-files}",
  "j178/prek-action": "prek run {extra-args=--all-files}",
  "tox-dev/action-pre-commit-uv": "pre-commit run {extra_args=--all-files}",
  "crate-ci/typos": "typos {files}",
  "davidanson/markdownlint-cli2-action": "markdownlint-cli2 {globs}",
  "johnnymorganz/stylua-action": "stylua {args=--check .}",
  "bufbuild/buf-lint-action": "buf lint {input}",
  "nick-fields/retry": "{command}",
  "nick-invision/retry": "{command}",
  "borales/actions-yarn": "yarn {cmd}",
  "codespell-project/actions-codespell": "codespell {path}",
  "hadolint/hadolint-action": "hadolint {dockerfile=Dockerfile}",
  "raven-actions/actionlint": "actionlint",
  "reviewdog/action-actionlint": "actionlint",
  "bufbuild/buf-action": "buf lint",
  "lunarmodules/luacheck": "luacheck {args=.}",
  "julia-actions/julia-runtest": "julia --project=. -e 'using Pkg; Pkg.test()'",
  "r-lib/actions/check-r-package": `Rscript -e 'rcmdcheck::rcmdcheck(args = "--no-manual", error_on = "warning")'`,
};
/** `owner/name` of each action, in lower case, with its command. */
const KNOWN_ACTIONS = new Map(
  [OTHER_ACTIONS, ...COMMANDS.map(({actions = {}}) => actions)].flatMap((actions) => Object.entries(actions)),
);

/** The command that a `uses` with these inputs runs; null if the action is not a known check. */
export function commandOfAction(uses: string, inputs: unknown): string | null {
  const name = uses.toLowerCase().split("@")[0] ?? "";
  const command = KNOWN_ACTIONS.get(name);
  if (command === undefined) return null;
  const filled = command.replace(/\{([\w-]+)(?:=([^}]*))?\}/g, (_, input: string, otherwise = "") => {
    const value = textAt(inputs, input);
    return value === null || value.trim() === "" ? otherwise : value;
  });
  // Actions that download their tool annotate in GitHub's format; Assay reads the tool's own output instead.
  return filled.replace(/\s--(out-format|output-format)[= ]\S*github\S*/g, "").trim();
}
