/** Makes a committed repository of 100,000 files and 1,000 packages that looks like a large one that people keep. */
import {spawnSync} from "node:child_process";
import {mkdirSync, writeFileSync} from "node:fs";
import {dirname, join} from "node:path";

const PACKAGES = 1000;
const FILES = 100;
const FOLDERS = ["src", "src/core", "src/core/io", "src/ui/parts", "test", "docs"];
const TESTS = ["vitest run", "jest", "node --test", "mocha 'test/**/*.js'", "npm run build && vitest run"];
const json = (value) => `${JSON.stringify(value, null, 2)}\n`;

/** Of 20 packages 17 are Node's, and one each Python's, Rust's and Go's. */
const OTHERS = [
  (name) => ({
    "pyproject.toml": `[project]\nname = "${name}"\nversion = "1.0"\n[tool.pytest.ini_options]\n[tool.ruff]\n`,
  }),
  (name) => ({"Cargo.toml": `[package]\nname = "${name}"\nversion = "1.0.0"\nedition = "2021"\n`}),
  (name) => ({"go.mod": `module example.com/${name}\n\ngo 1.24\n`}),
];

/**
 * `workspace`: an npm workspace of `packages/*` and `apps/*` with a workflow that runs its scripts, and services of other
 * ecosystems beside it. `independent`: the same packages in folders of two levels, and nothing at the root.
 */
export function synthesise(folder, kind) {
  const isWorkspace = kind === "workspace";
  const write = (path, text) => {
    mkdirSync(dirname(join(folder, path)), {recursive: true});
    writeFileSync(join(folder, path), text);
  };
  if (isWorkspace) {
    write("package.json", json({name: "root", private: true, workspaces: ["packages/*", "apps/*"]}));
    write("package-lock.json", json({name: "root", lockfileVersion: 3, packages: {}}));
    write(".github/workflows/ci.yml", workflow("npm ci", "npm test --workspaces --if-present"));
  } else write(".github/workflows/ci.yml", workflow("for d in */*/; do (cd $d && make check); done"));
  for (let p = 0; p < PACKAGES; p++) {
    const other = OTHERS[p % 20];
    const group = other !== undefined ? "services" : p % 5 === 4 ? "apps" : "packages";
    const place = isWorkspace ? `${group}/p${p}` : `team${p % 40}/p${p}`;
    const manifests = other?.(`p${p}`) ?? nodePackage(p);
    for (const [name, text] of Object.entries(manifests)) write(`${place}/${name}`, text);
    const ends = other === undefined ? "ts" : ["py", "rs", "go"][p % 20];
    for (let f = Object.keys(manifests).length; f < FILES; f++)
      write(`${place}/${FOLDERS[f % FOLDERS.length]}/${f === 50 ? "prüfung" : "file"}${f}.${ends}`, "");
  }
  const author = ["-c", "user.name=B", "-c", "user.email=b@b"];
  for (const args of [
    ["init", "--quiet"],
    ["add", "--all"],
    [...author, "commit", "-qm", "Start"],
  ])
    if (spawnSync("git", args, {cwd: folder}).status !== 0) throw new Error(`git ${args[0]} failed`);
}

function nodePackage(p) {
  const scripts = {
    test: TESTS[p % TESTS.length],
    ...(p % 3 !== 0 && {lint: p % 2 === 0 ? "eslint ." : "biome check ."}),
    ...(p % 4 !== 0 && {typecheck: "tsc --noEmit", build: "tsc -p tsconfig.json"}),
    ...(p % 7 === 0 && {dev: "vite", prepare: "husky"}),
  };
  const devDependencies = {typescript: "^5.9.0", vitest: "^4.0.0", ...(p % 2 === 0 && {eslint: "^9.0.0"})};
  const dependencies = p > 40 ? {[`@root/p${p - 37}`]: "1.0.0"} : {};
  return {
    "package.json": json({
      name: `@root/p${p}`,
      version: "1.0.0",
      type: "module",
      scripts,
      dependencies,
      devDependencies,
    }),
    "tsconfig.json": json({extends: "../../tsconfig.base.json", include: ["src"]}),
  };
}

const workflow = (...runs) =>
  ["name: CI", "on: [push, pull_request]", "jobs:", "  check:", "    runs-on: ubuntu-latest", "    steps:"]
    .concat("      - uses: actions/checkout@v6", ...runs.map((run) => `      - run: ${JSON.stringify(run)}`), "")
    .join("\n");
