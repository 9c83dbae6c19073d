/** Installs tools with pipx, rustup or Go, which every GitHub runner has, so that no other action must be trusted. */
import {newest, usedActions, valuesInCi} from "../../detect/ci/tool-versions.ts";
import {golangciLintMajor, installLinter} from "../../detect/ecosystems/go.ts";
import type {Project} from "../../detect/files/project.ts";

/** Tools that pipx installs, with the action whose input `version` CI sets. */
const WITH_PIPX: Readonly<Record<string, string | null>> = {
  uv: "astral-sh/setup-uv",
  poetry: "snok/install-poetry",
  pdm: "pdm-project/setup-pdm",
  pipenv: null,
  hatch: null,
  "pre-commit": null,
  meson: null,
};
const RUST = ["cargo", "cargo-clippy", "cargo-fmt"];
/** In the images of GitHub's runners (ubuntu-latest); `assay doctor` checks for them on other machines. */
const ON_THE_RUNNER = ["make", "cmake", "shellcheck", "bash", "env", "find"];

/** Entries of `steps` as lines of YAML, and the tools that need no other step. */
export function runSteps(
  tools: ReadonlySet<string>,
  project: Project,
): {lines: string[]; installs: ReadonlySet<string>} {
  const pipxTools = Object.keys(WITH_PIPX).filter((tool) => tools.has(tool));
  const rust = RUST.filter((tool) => tools.has(tool));
  const commands = [
    ...pipxTools.map(
      (tool) => `pipx install ${tool === "meson" ? "meson && pipx install ninja" : withVersion(tool, project)}`,
    ),
    ...(rust.length === 0 ? [] : [rustup(rust, project)]),
    ...(tools.has("golangci-lint") ? [golangciLint(project)] : []),
  ];
  return {
    lines: commands.flatMap((command) => [`- run: ${command}`, "  shell: bash", ...variablesOf(command)]),
    installs: new Set([...pipxTools, ...rust, "golangci-lint", ...ON_THE_RUNNER]),
  };
}

/** `actions/setup-go` allows only its version of Go, and a tool may need a newer one. */
const variablesOf = (command: string): string[] =>
  command.startsWith("go install ") ? ["  env:", "    GOTOOLCHAIN: auto"] : [];

function withVersion(tool: string, project: Project): string {
  const action = WITH_PIPX[tool] ?? null;
  const version = action === null ? null : newest(valuesInCi(project, [action], "version"));
  // pipx accepts no ranges such as `0.5.x` or `latest`.
  return version !== null && /^\d+(\.\d+){2}$/.test(version) ? `${tool}==${version}` : tool;
}

function rustup(tools: readonly string[], project: Project): string {
  const components = [
    ...(tools.includes("cargo-clippy") ? ["clippy"] : []),
    ...(tools.includes("cargo-fmt") ? ["rustfmt"] : []),
  ];
  // rustup reads the toolchain from this file.
  if (project.has("rust-toolchain.toml") || project.has("rust-toolchain")) {
    const componentCommands = components.length === 0 ? [] : [`rustup component add ${components.join(" ")}`];
    return ["rustup show active-toolchain || rustup toolchain install", ...componentCommands].join("; ");
  }
  const actions = usedActions(project).filter(({name}) => name === "dtolnay/rust-toolchain");
  const names = actions.flatMap(({reference, inputs}) => inputs.get("toolchain") ?? [reference]);
  const version = newest(names.filter(isToolchain)) ?? "stable";
  const targets = ["target", "targets"].flatMap((input) => valuesInCi(project, ["dtolnay/rust-toolchain"], input));
  const extra = [
    ...components.map((name) => ` --component ${name}`),
    ...[...new Set(targets)].map((name) => ` --target ${name}`),
  ].join("");
  return `rustup toolchain install ${version} --profile minimal${extra} && rustup default ${version}`;
}

/** False for the commit that an action is pinned to. */
const isToolchain = (name: string): boolean => /^(stable|beta|nightly(-[\d-]+)?|\d+(\.\d+){1,2})$/.test(name);

function golangciLint(project: Project): string {
  const versionInCi = newest(valuesInCi(project, ["golangci/golangci-lint-action"], "version"));
  const release = versionInCi !== null && /^v\d+(\.\d+)*$/.test(versionInCi) ? versionInCi : null;
  const major = release === null ? golangciLintMajor(project, ".") : Number(release.slice(1).split(".")[0]);
  return installLinter(major, release ?? "latest");
}
