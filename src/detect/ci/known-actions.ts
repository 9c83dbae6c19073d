/** Actions that are checks themselves, with the commands that they run. */
import {textAt} from "../files/manifest-values.ts";

interface KnownAction {
  /** `owner/name`, lower case, without the reference */
  readonly uses: string;
  /** the command; `{name}` is filled with that input, or with the text after `=` if it is not value */
  readonly command: string;
}

const KNOWN_ACTIONS: readonly KnownAction[] = [
  {uses: "golangci/golangci-lint-action", command: "golangci-lint run {args}"},
  {uses: "dominikh/staticcheck-action", command: "staticcheck ./..."},
  {uses: "astral-sh/ruff-action", command: "ruff {args=check} {src}"},
  {uses: "chartboost/ruff-action", command: "ruff {args=check} {src}"},
  {uses: "psf/black", command: "black {options=--check} {src=.}"},
  {uses: "isort/isort-action", command: "isort --check-only {sort-paths=.}"},
  {uses: "jakebailey/pyright-action", command: "pyright"},
  {uses: "pre-commit/action", command: "pre-commit run {extra_args=--all-files}"},
  {uses: "j178/prek-action", command: "prek run {extra-args=--all-files}"},
  {uses: "tox-dev/action-pre-commit-uv", command: "pre-commit run {extra_args=--all-files}"},
  {uses: "actions-rs/cargo", command: "cargo {command} {args}"},
  {uses: "actions-rs/clippy-check", command: "cargo clippy {args}"},
  {uses: "actions-rust-lang/rustfmt", command: "cargo fmt --all -- --check"},
  {uses: "clechasseur/rs-cargo", command: "cargo {command} {args}"},
  {uses: "clechasseur/rs-clippy-check", command: "cargo clippy {args}"},
  {uses: "crate-ci/typos", command: "typos {files}"},
  {uses: "davidanson/markdownlint-cli2-action", command: "markdownlint-cli2 {globs}"},
  {uses: "johnnymorganz/stylua-action", command: "stylua {args=--check .}"},
  {uses: "lunarmodules/luacheck", command: "luacheck {args=.}"},
  {uses: "bufbuild/buf-lint-action", command: "buf lint {input}"},
  {uses: "gradle/gradle-build-action", command: "./gradlew {arguments}"},
  {uses: "gradle/gradle-command-action", command: "./gradlew {arguments}"},
  {uses: "nick-fields/retry", command: "{command}"},
  {uses: "nick-invision/retry", command: "{command}"},
  {uses: "borales/actions-yarn", command: "yarn {cmd}"},
];

/** The command that a `uses` with these inputs runs; null if the action is not a known check. */
export function commandOfAction(uses: string, inputs: unknown): string | null {
  const name = uses.toLowerCase().split("@")[0] ?? "";
  const knownAction = KNOWN_ACTIONS.find((action) => action.uses === name);
  if (knownAction === undefined) return null;
  const filled = knownAction.command.replace(/\{([\w-]+)(?:=([^}]*))?\}/g, (_, input: string, otherwise = "") => {
    const value = textAt(inputs, input);
    return value === null || value.trim() === "" ? otherwise : value;
  });
  // Actions that download their tool annotate in GitHub's format; Assay reads the tool's own output instead.
  return filled.replace(/\s--(out-format|output-format)[= ]\S*github\S*/g, "").trim();
}
