/** Rust: cargo packages and workspaces. */
import {plainPath} from "../../git/paths.ts";
import {textAt, textsOf, valueAt} from "../files/manifest-values.ts";
import {inside, isBelow, type Project} from "../files/project.ts";
import {filesBelow, findFirst, foldersBelow, isInWorkflows, originOf} from "../proposals/candidate-stages.ts";
import type {CheckRow, Ecosystem, ProjectFolder, Proposal} from "../proposals/ecosystem.ts";

export const rust: Ecosystem = {name: "rust", title: "Rust", manifests: ["Cargo.toml"], where: "anywhere", detect};

const CARGO = {name: "cargo", hint: "add the step `dtolnay/rust-toolchain` before Assay"};
const CLIPPY = {name: "cargo-clippy", hint: "add `components: clippy` to the step `dtolnay/rust-toolchain`"};
const RUSTFMT = {name: "cargo-fmt", hint: "add `components: rustfmt` to the step `dtolnay/rust-toolchain`"};
const NEXTEST = {
  name: "cargo-nextest",
  hint: "add the step `taiki-e/install-action` with `tool: nextest` before Assay",
};

function detect({project, root}: ProjectFolder): Proposal {
  const file = inside(root, "Cargo.toml");
  const manifest = project.toml(file);
  const isWorkspace = valueAt(manifest, "workspace") !== undefined;
  if (!isWorkspace && valueAt(manifest, "package") === undefined) return {};
  // Fuzz targets are linked with a fuzzer that only nightly toolchains have.
  if (valueAt(manifest, "package", "metadata", "cargo-fuzz") !== undefined)
    return {notes: [{about: file, text: "fuzz targets are skipped: they do not end by themselves"}]};
  const kind = isWorkspace ? "workspace" : "package";
  const workspaceOption = isWorkspace ? ` --workspace${excludedNames(project, root)}` : "";
  // Each new release of clippy adds warnings, so a warning is a failure only if CI says so.
  const deny = isInWorkflows(project, /clippy[^\n]*-D ?warnings/) ? " -- -D warnings" : "";
  const targets = needsNightly(project, root) ? " --bins --examples --tests" : " --all-targets";
  // A workspace with its own program for a task may not build without that program.
  const hasTask = (task: string): boolean => isInWorkflows(project, new RegExp(`cargo xtask ${task}\\b`));
  const build = hasTask("build") ? "cargo xtask build" : `cargo build${workspaceOption}`;
  return {
    tool: CARGO,
    origin: originOf(file, `a cargo ${kind}`, kind),
    checks: [
      {kind: "typecheck", command: `cargo check${workspaceOption}${targets}`},
      {kind: "lint", command: `cargo clippy${workspaceOption}${targets}${deny}`, tools: [CARGO, CLIPPY]},
      {kind: "lint", command: "cargo fmt --all --check", label: "format", tools: [CARGO, RUSTFMT]},
      ...(hasTask("test")
        ? [{kind: "test", command: "cargo xtask test"} as const]
        : testsOf(project, root, workspaceOption)),
      {kind: "build", command: build},
    ],
    installs: [
      {
        command: "cargo fetch",
        inputs: ["**/Cargo.toml", "Cargo.lock"],
        origin: originOf(file, "there is no lock file: versions may drift", kind),
        lock: {file: "Cargo.lock", key: "version", option: "--locked"},
      },
    ],
    covers: isWorkspace ? membersOf(project, root, textsOf(valueAt(manifest, "workspace", "exclude"))) : [],
  };
}

function testsOf(project: Project, root: string, all: string): CheckRow[] {
  const test: CheckRow = {kind: "test", command: `cargo test${all}`, slot: "rust:test"};
  const config = findFirst(project, root, [".config/nextest.toml"]);
  if (config === null && !isInWorkflows(project, /cargo nextest run/)) return [test];
  const configs = config === null ? {} : {configs: [".config/nextest.toml"], configured: "nextest"};
  return [{...test, command: `cargo nextest run${all}`, tools: [NEXTEST], ...configs}, test];
}

/**
 * True if `--all-targets` fails on a stable toolchain: a benchmark that uses `#![feature(test)]` compiles on nightly
 * only.
 */
function needsNightly(project: Project, root: string): boolean {
  const benches = filesBelow(project, root, /(^|\/)benches\/.*\.rs$/).slice(0, 50);
  return (
    !isPinnedToNightly(project, root) && benches.some((path) => (project.text(path) ?? "").includes("#![feature("))
  );
}

/** A crate that only a nightly toolchain compiles, always or for its tests. */
const NIGHTLY = /^#!\[(?:cfg_attr\(test,\s*)?feature\(/m;

/** Options that leave out the members whose tests a stable toolchain cannot compile. */
function excludedNames(project: Project, root: string): string {
  if (isPinnedToNightly(project, root)) return "";
  return foldersBelow(project, root, ["Cargo.toml"])
    .slice(0, MAX_MEMBERS)
    .filter((folder) => CRATE_ROOTS.some((file) => NIGHTLY.test(project.text(inside(folder, file)) ?? "")))
    .flatMap((folder) => textAt(project.toml(inside(folder, "Cargo.toml")), "package", "name") ?? [])
    .map((name) => ` --exclude ${name}`)
    .join("");
}

const CRATE_ROOTS = ["src/lib.rs", "src/main.rs"];
const MAX_MEMBERS = 200;

const isPinnedToNightly = (project: Project, root: string): boolean =>
  ["rust-toolchain.toml", "rust-toolchain"].some((name) => project.text(inside(root, name))?.includes("nightly"));

/** The members of a cargo workspace: every package below it, except excluded packages and nested workspaces. */
function membersOf(project: Project, root: string, excluded: readonly string[]): string[] {
  const excludedFolders = excluded.map((path) => inside(root, plainPath(path)));
  return foldersBelow(project, root, ["Cargo.toml"]).filter(
    (folder) =>
      !excludedFolders.some((path) => isBelow(folder, path)) &&
      valueAt(project.toml(inside(folder, "Cargo.toml")), "workspace") === undefined,
  );
}
