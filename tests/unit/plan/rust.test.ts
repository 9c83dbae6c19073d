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
