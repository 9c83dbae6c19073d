/** GitHub actions of tools that have no file of their own. */
import type {ToolCommand} from "./tool-command.ts";

export const otherActions: ToolCommand = {
  actions: {
    "pre-commit/action": "pre-commit run {extra_args=--all-files}",
    "crate-ci/typos": "typos {--config:config} {--isolated?isolated} {files}",
    "davidanson/markdownlint-cli2-action": "markdownlint-cli2 {--config:config} {globs}",
    "cypress-io/github-action": "{command=cypress run}",
    "nick-fields/retry": "{command}",
    "codespell-project/actions-codespell":
      "codespell {--check-filenames?check_filenames} {--check-hidden?check_hidden} {--exclude-file:exclude_file} {--skip:skip} {--builtin:builtin} {--ignore-words:ignore_words_file} {--ignore-words-list:ignore_words_list} {--uri-ignore-words-list:uri_ignore_words_list} {path}",
    "hadolint/hadolint-action":
      "hadolint {--config:config} {--failure-threshold:failure-threshold} {dockerfile=Dockerfile}",
    "lunarmodules/luacheck": "luacheck {args=.}",
    "nosborn/github-action-markdown-cli": "markdownlint {files=.}",
    "streetsidesoftware/cspell-action": "cspell {--config:config} {files=.}",
    "ibiqlik/action-yamllint": "yamllint {--strict?strict} {-c:config_file} {-d:config_data} {file_or_dir=.}",
    "ansible/ansible-lint": "ansible-lint {args}",
    "editorconfig-checker/action-editorconfig-checker": "editorconfig-checker",
    "bnjbvr/cargo-machete": "cargo machete {args}",
    "obi1kenobi/cargo-semver-checks-action": "cargo semver-checks {--package:package} {--manifest-path:manifest-path}",
    "golang/govulncheck-action": "govulncheck {-C:work-dir} {go-package=./...}",
    "rojopolis/spellcheck-github-actions": "pyspelling -c {config_path=.pyspelling.yml}",
    "embarkstudios/cargo-deny-action": "cargo deny {command=check} {arguments}",
    "rhysd/actionlint": "actionlint",
    "zizmorcore/zizmor-action": "zizmor --offline {inputs=.}",
    "clowdhaus/terraform-composite-actions/pre-commit": "pre-commit run {args=--all-files}",
    "julia-actions/julia-runtest": "julia --project=. -e 'using Pkg; Pkg.test()'",
    "r-lib/actions/check-r-package": `Rscript -e 'rcmdcheck::rcmdcheck(args = "--no-manual", error_on = "warning")'`,
  },
};
