/** Actions that are checks themselves, with the commands that they run. */
import {quoteWords} from "../../shell/quote.ts";
import {COMMANDS} from "../../tools/all.ts";
import {kindOf} from "../../tools/stage-kind.ts";
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
  "igorshubovych/markdownlint-cli-action": "markdownlint {files=.}",
  "nosborn/github-action-markdown-cli": "markdownlint {files=.}",
  "articulate/actions-markdownlint": "markdownlint {files=.}",
  "avto-dev/markdown-lint": "markdownlint {args=.}",
  "dprint/check": "dprint check",
  "streetsidesoftware/cspell-action": "cspell {files=.}",
  "ibiqlik/action-yamllint": "yamllint {file_or_dir=.}",
  "karancode/yamllint-github-action": "yamllint {yamllint_file_or_dir=.}",
  "ansible/ansible-lint": "ansible-lint {args}",
  "editorconfig-checker/action-editorconfig-checker": "editorconfig-checker",
  "standardrb/standard-ruby-action": "bundle exec standardrb",
  "embarkstudios/cargo-deny-action": "cargo deny {command=check} {arguments}",
  "fsfe/reuse-action": "reuse {args=lint}",
  "leanprover/lean-action": "lake build",
  "rhysd/actionlint": "actionlint",
  "zizmorcore/zizmor-action": "zizmor --offline {inputs=.}",
  "yoheimuta/action-protolint": "protolint lint .",
  "team-alembic/staple-actions/actions/mix-compile": "mix compile {args}",
  "team-alembic/staple-actions/actions/mix-format": "mix format --check-formatted",
  "team-alembic/staple-actions/actions/mix-credo": "mix credo",
  "team-alembic/staple-actions/actions/mix-task": "mix {task}",
  "clowdhaus/terraform-composite-actions/pre-commit": "pre-commit run {args}",
  "julia-actions/julia-runtest": "julia --project=. -e 'using Pkg; Pkg.test()'",
  "r-lib/actions/check-r-package": `Rscript -e 'rcmdcheck::rcmdcheck(args = "--no-manual", error_on = "warning")'`,
};
/** `owner/name` of each action, in lower case, with its command. */
const KNOWN_ACTIONS = new Map(
  [OTHER_ACTIONS, ...COMMANDS.map(({actions = {}}) => actions)].flatMap((actions) => Object.entries(actions)),
);

/** Inputs that hold paths or patterns, one in a line, which the tool itself expands. */
const LISTS = /^(globs|files|paths?|patterns?)$/;

function listOfPatterns(value: string): string {
  const lines = value.split("\n").map((line) => line.trim());
  const items = lines.length > 1 ? lines.filter((line) => line !== "" && !line.startsWith("#")) : value.split(/\s+/);
  return items.map((item) => (/[$"']/.test(item) ? item : quoteWords(item))).join(" ");
}

/** A `uses` of a container image, named after the tool in it: `docker://rhysd/actionlint:1.7`. */
const IMAGE = /^docker:\/\/(?:[\w.-]+\/)*([\w.-]+?)(?:[:@].*)?$/;

/** The command of a container that is a known tool with these arguments; null if it is none. */
function commandOfImage(uses: string, inputs: unknown): string | null {
  const program = IMAGE.exec(uses)?.[1];
  if (program === undefined) return null;
  const command = [program, textAt(inputs, "args") ?? ""].join(" ").trim();
  return kindOf(command) === null ? null : command;
}

/** The command that a `uses` with these inputs runs; null if the action is not a known check. */
export function commandOfAction(uses: string, inputs: unknown): string | null {
  if (uses.startsWith("docker://")) return commandOfImage(uses, inputs);
  const name = uses.toLowerCase().split("@")[0] ?? "";
  const command = KNOWN_ACTIONS.get(name);
  if (command === undefined) return null;
  const filled = command.replace(/\{([\w-]+)(?:=([^}]*))?\}/g, (_, input: string, otherwise = "") => {
    const value = textAt(inputs, input);
    if (value === null || value.trim() === "") return otherwise;
    return LISTS.test(input) ? listOfPatterns(value) : value;
  });
  // Actions that download their tool annotate in GitHub's format; Assay reads the tool's own output instead.
  return filled.replace(/\s--(out-format|output-format)[= ]\S*github\S*/g, "").trim();
}
