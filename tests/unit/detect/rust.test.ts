/** Rust packages and workspaces. */
import {expect, test} from "vitest";
import {setupOf, stagesOf} from "./planned.ts";
import {planOf} from "./tree.ts";

const PACKAGE = '[package]\nname = "a"\n';
const WORKFLOW = ".github/workflows/ci.yml";

test("a package with a lock file", () => {
  const tree = {"Cargo.toml": PACKAGE, "Cargo.lock": "version = 4\n"};
  expect(stagesOf(tree)).toEqual([
    "typecheck: cargo check --all-targets",
    "lint: cargo clippy --all-targets",
    "lint:format: cargo fmt --all --check",
    "test: cargo test",
    "build: cargo build",
  ]);
  expect(setupOf(tree)).toEqual([".: cargo fetch --locked"]);
  expect(setupOf({"Cargo.toml": PACKAGE})).toEqual([".: cargo fetch"]);
});

test("a workspace takes in what lies below it, but not what it excludes or what is a workspace itself", () => {
  const tree = {
    "Cargo.toml": '[workspace]\nmembers = ["crates/*"]\nexclude = ["apart"]\n',
    "crates/a/Cargo.toml": PACKAGE,
    "apart/Cargo.toml": PACKAGE,
    "tool/Cargo.toml": `${PACKAGE}[workspace]\n`,
  };
  const tests = planOf(tree).stages.filter((stage) => stage.kind === "test");
  expect(tests.map((stage) => [stage.cwd, stage.command])).toEqual([
    [".", "cargo test --workspace"],
    ["apart", "cargo test"],
    ["tool", "cargo test --workspace"],
  ]);
});

test("warnings are failures only where a workflow says so", () => {
  const run = "jobs: {a: {steps: [{run: cargo clippy --all -- -D warnings}]}}";
  expect(stagesOf({"Cargo.toml": PACKAGE, [WORKFLOW]: run})).toContain(
    "lint: cargo clippy --all-targets -- -D warnings",
  );
});

test("nextest where it is configured", () => {
  expect(stagesOf({"Cargo.toml": PACKAGE, ".config/nextest.toml": ""})).toContain("test: cargo nextest run");
});

test("fuzz targets do not end, and are passed over; a file that is no manifest gives nothing", () => {
  const fuzz = `${PACKAGE}[package.metadata]\ncargo-fuzz = true\n[workspace]\n`;
  expect(stagesOf({"fuzz/Cargo.toml": fuzz})).toEqual([]);
  expect(stagesOf({"Cargo.toml": "not toml ["})).toEqual([]);
});

test("CI's features, and a workspace's own program where CI starts that", () => {
  const says = (...runs: string[]) => ({
    [WORKFLOW]: JSON.stringify({
      on: "push",
      jobs: {a: {"runs-on": "ubuntu-latest", steps: runs.map((run) => ({run}))}},
    }),
  });
  const tree = {"Cargo.toml": PACKAGE};
  expect(stagesOf({...tree, ...says("cargo test --features full", "cargo build --features ffi")})).toEqual(
    expect.arrayContaining(["test: cargo test --features full", "build: cargo build --features ffi"]),
  );
  expect(stagesOf({...tree, ...says("cargo test --no-default-features --features full")})).toContain(
    "test: cargo test --no-default-features --features full",
  );
  const own = stagesOf({...tree, ...says("cargo xtask test --no-web", "cargo test -p xtask", "cargo xtask build")});
  expect(own).toEqual(expect.arrayContaining(["test: cargo test -p xtask", "check: cargo xtask test --no-web ?"]));
  expect(own).not.toContain("test: cargo test");
});

test("benchmarks for nightly toolchains are left out of the checks, unless the toolchain is one", () => {
  const tree = {"Cargo.toml": '[package]\nname = "a"\n', "src/lib.rs": "", "benches/a.rs": "#![feature(test)]\n"};
  const check = (more: Record<string, string>) =>
    planOf({...tree, ...more}).stages.find(({kind}) => kind === "typecheck")?.command;
  expect(check({})).toBe("cargo check --bins --examples --tests");
  expect(check({"rust-toolchain.toml": '[toolchain]\nchannel = "nightly"\n'})).toBe("cargo check --all-targets");
  expect(check({"benches/a.rs": "use criterion::*;\n"})).toBe("cargo check --all-targets");
});
