/**
 * `npm run release -- --dry-run`: everything of a release that can be tried without publishing. The release itself is a tag `v…`,
 * which starts .github/workflows/release.yml.
 */
import {execFileSync} from "node:child_process";
import {mkdtempSync, readFileSync, rmSync, statSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";

const root = join(import.meta.dirname, "..");
const {version} = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
if (!process.argv.includes("--dry-run")) {
  console.error(`Nothing is published from a machine. Rehearse with --dry-run, then push the tag v${version}.`);
  process.exit(1);
}
const run = (cwd, program, ...args) =>
  execFileSync(program, args, {cwd, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"]}).trim();

const problems = [];
if (run(root, "git", "status", "--porcelain") !== "")
  problems.push("the working tree has changes that are not committed");
const changelog = readFileSync(join(root, "CHANGELOG.md"), "utf8");
const hasSection = changelog.includes(`## ${version}`);
console.log(`${hasSection ? "ok" : "later"}: CHANGELOG.md ${hasSection ? "has" : "needs"} a section for ${version}`);
run(root, "node_modules/.bin/bun", "scripts/build.mjs", "--check");
console.log("ok: dist is built from the sources");

const folder = mkdtempSync(join(tmpdir(), "assay-release-"));
try {
  const archive = run(root, process.execPath, "scripts/package.mjs", folder);
  console.log(`ok: the package has ${Math.ceil(statSync(archive).size / 1000)} kB`);
  writeFileSync(join(folder, "package.json"), "{}");
  run(folder, "npm", "install", "--offline", "--no-audit", "--no-fund", archive);
  const installed = run(folder, "npx", "--no-install", "assay", "--version");
  if (installed !== version) problems.push(`the installed command prints version ${installed}`);
  console.log(`ok: installed into an empty project, \`npx assay --version\` prints ${installed}`);
} finally {
  rmSync(folder, {recursive: true, force: true});
}
for (const problem of problems) console.error(`error: ${problem}`);
if (problems.length > 0) process.exit(1);
console.log(
  `The tag v${version} would publish the npm package, a release with the attested dist, and move the tag v${version.split(".")[0]}.`,
);
