/** Bundles the three entries of `lifecycle/` into `dist/`; `--check` builds elsewhere and fails when `dist/` is stale. */
import {execFileSync} from "node:child_process";
import {chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";

const ENTRIES = ["main", "post", "cli"];
const root = new URL("..", import.meta.url).pathname;
const check = process.argv.includes("--check");
const out = check ? mkdtempSync(join(tmpdir(), "assay-dist-")) : join(root, "dist");
mkdirSync(out, {recursive: true});

for (const entry of ENTRIES) {
  const file = join(out, `${entry}.js`);
  execFileSync(
    join(root, "node_modules/.bin/bun"),
    ["build", `lifecycle/${entry}.ts`, "--target=node", "--format=esm", `--outfile=${file}`],
    {
      cwd: root,
      stdio: ["ignore", "ignore", "inherit"],
    },
  );
  const shebang = entry === "cli" ? "#!/usr/bin/env node\n" : "";
  const code = readFileSync(file, "utf8").replace(/^#!.*\n/, "");
  writeFileSync(file, shebang + code);
  if (entry === "cli") chmodSync(file, 0o755);
}

if (check) {
  const stale = ENTRIES.filter((entry) => {
    const built = join(root, "dist", `${entry}.js`);
    return !existsSync(built) || readFileSync(built, "utf8") !== readFileSync(join(out, `${entry}.js`), "utf8");
  });
  rmSync(out, {recursive: true});
  if (stale.length > 0) {
    console.error(`dist is stale: ${stale.join(", ")}. Run \`npm run build\` and commit dist/.`);
    process.exit(1);
  }
  console.log("dist is fresh");
}
