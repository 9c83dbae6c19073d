/** Rust: cargo packages and workspaces. */

import {textsOf, valueAt} from "../files/manifest-values.ts";
import {inside, isBelow, type Project} from "../files/project.ts";
import {filesBelow, findFirst, foldersBelow, isInWorkflows, stageFactory} from "../proposals/candidate-stages.ts";
import {type Ecosystem, EMPTY_PROPOSAL} from "../proposals/ecosystem.ts";

const CARGO = {name: "cargo", hint: "add the step `dtolnay/rust-toolchain` before Assay"};
const CLIPPY = {name: "cargo-clippy", hint: "add `components: clippy` to the step `dtolnay/rust-toolchain`"};
const RUSTFMT = {name: "cargo-fmt", hint: "add `components: rustfmt` to the step `dtolnay/rust-toolchain`"};
const NEXTEST = {
  name: "cargo-nextest",
  hint: "add the step `taiki-e/install-action` with `tool: nextest` before Assay",
};

export const rust: Ecosystem = {
  name: "rust",
  title: "Rust",
  manifests: ["Cargo.toml"],
  where: "anywhere",
  detect({project, root}) {
    const file = inside(root, "Cargo.toml");
    const manifest = project.toml(file);
    const isPackage = valueAt(manifest, "package") !== undefined;
    const isWorkspace = valueAt(manifest, "workspace") !== undefined;
    if (!isPackage && !isWorkspace) return EMPTY_PROPOSAL;
    // Fuzz targets are linked with a fuzzer that only nightly toolchains have.
    if (valueAt(manifest, "package", "metadata", "cargo-fuzz") !== undefined)
      return {
        ...EMPTY_PROPOSAL,
        notes: [{about: file, text: "fuzz targets are passed over: they do not end by themselves"}],
      };
    const all = isWorkspace ? " --workspace" : "";
    const draft = stageFactory({cwd: root, tool: CARGO});
    const origin = {
      file,
      key: isWorkspace ? "workspace" : "package",
      why: `a cargo ${isWorkspace ? "workspace" : "package"}`,
    };
    // Without CI's word for it, a warning is no failure: each new clippy brings new ones.
    const deny = isInWorkflows(project, /clippy[^\n]*-D ?warnings/) ? " -- -D warnings" : "";
    const targets = needsNightly(project, root) ? " --bins --examples --tests" : " --all-targets";
    const nextest = findFirst(project, root, [".config/nextest.toml"]);
    const lock = inside(root, "Cargo.lock");
    const test = draft("test", `cargo test${all}`, origin, {slot: "rust:test"});
    const next =
      nextest === null
        ? draft("test", `cargo nextest run${all}`, origin, {slot: "rust:test", tools: [NEXTEST]})
        : draft(
            "test",
            `cargo nextest run${all}`,
            {file: nextest, key: "nextest.toml", why: "nextest is configured"},
            {
              slot: "rust:test",
              evidence: "tool",
              tools: [NEXTEST],
            },
          );
    // A workspace with a program of its own for this may not even build without it.
    const own = (task: string): boolean => isInWorkflows(project, new RegExp(`cargo xtask ${task}\\b`));
    const usesNextest = nextest !== null || isInWorkflows(project, /cargo nextest run/);
    return {
      stages: [
        draft("typecheck", `cargo check${all}${targets}`, origin),
        draft("lint", `cargo clippy${all}${targets}${deny}`, origin, {tools: [CARGO, CLIPPY]}),
        draft("lint", "cargo fmt --all --check", origin, {label: "format", tools: [CARGO, RUSTFMT]}),
        ...(own("test") ? [draft("test", "cargo xtask test", origin)] : usesNextest ? [next, test] : [test]),
        draft("build", own("build") ? "cargo xtask build" : `cargo build${all}`, origin),
      ],
      setup: [
        {
          command: project.has(lock) ? "cargo fetch --locked" : "cargo fetch",
          cwd: root,
          inputs: [...new Set([root === "." ? "**/Cargo.toml" : `${root}/**/Cargo.toml`, lock])],
          provides: [],
          tools: [CARGO],
          origin: project.has(lock)
            ? {file: lock, key: "version", why: "fetched from the lock file"}
            : {file, key: origin.key, why: "there is no lock file: versions may drift"},
        },
      ],
      notes: [],
      covers: isWorkspace ? membersOf(project, root, textsOf(valueAt(manifest, "workspace", "exclude"))) : [],
    };
  },
};

/** True if `--all-targets` fails on a stable toolchain: a benchmark that uses `#![feature(test)]` compiles on nightly only. */
function needsNightly(project: Project, root: string): boolean {
  const pins = ["rust-toolchain.toml", "rust-toolchain"].map((name) => project.text(inside(root, name)) ?? "");
  const benches = filesBelow(project, root, /(^|\/)benches\/.*\.rs$/).slice(0, 50);
  return (
    !pins.some((text) => text.includes("nightly")) &&
    benches.some((path) => (project.text(path) ?? "").includes("#![feature("))
  );
}

/** What cargo takes into a workspace: every package below it, but for what is left out and what is a workspace of its own. */
function membersOf(project: Project, root: string, excluded: readonly string[]): string[] {
  const out = excluded.map((path) => inside(root, path.replace(/\/+$/, "")));
  return foldersBelow(project, root, ["Cargo.toml"]).filter(
    (folder) =>
      !out.some((path) => isBelow(folder, path)) &&
      valueAt(project.toml(inside(folder, "Cargo.toml")), "workspace") === undefined,
  );
}
