/**
 * Makes the npm package from the sources: `node scripts/package.mjs [FOLDER]` prints the path of the archive. The manifest is
 * written here, so that users install no dependency: all of them are in the bundle.
 */
import {execFileSync} from "node:child_process";
import {cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync} from "node:fs";
import {join} from "node:path";

const root = join(import.meta.dirname, "..");
const out = process.argv[2] ?? join(root, "package");
const MAX_BYTES = 2_500_000;

const {version, description, license, engines} = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const manifest = {
  name: "@assay-run/assay",
  ...{version, description, license, engines},
  keywords: ["github-actions", "coding-agent", "verification", "ci"],
  repository: {type: "git", url: "git+https://github.com/assay-run/assay.git"},
  type: "module",
  bin: {assay: "dist/cli.js"},
  exports: {".": {types: "./dist/api.d.ts", default: "./dist/api.js"}, "./schemas/*.json": "./schemas/*.json"},
  files: ["dist", "schemas"],
  publishConfig: {access: "public", provenance: true},
};

const folder = join(out, "contents");
rmSync(folder, {recursive: true, force: true});
mkdirSync(folder, {recursive: true});
const build = ["scripts/build.mjs", "--package", join(folder, "dist")];
execFileSync(join(root, "node_modules/.bin/bun"), build, {cwd: root, stdio: "inherit"});
const types = ["src/cli/api.ts", "--declaration", "--emitDeclarationOnly", "--outDir", join(folder, "dist")];
const settings = ["--ignoreConfig", "--target", "es2022", "--module", "nodenext", "--types", "node", "--skipLibCheck"];
execFileSync(join(root, "node_modules/.bin/tsc"), [...types, ...settings], {cwd: root, stdio: "inherit"});
mkdirSync(join(folder, "schemas"));
for (const name of readdirSync(join(root, "docs/schemas"))) copySchema(join("docs/schemas", name), name);
copySchema("docs/verify.schema.json", "verify.1.json");
for (const name of ["LICENSE", "README.md"]) cpSync(join(root, name), join(folder, name));
writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);

/** On one line, because programs read it. */
function copySchema(from, name) {
  const schema = JSON.parse(readFileSync(join(root, from), "utf8"));
  writeFileSync(join(folder, "schemas", name), JSON.stringify(schema));
}

const packed = execFileSync("npm", ["pack", "--json", "--pack-destination", out], {
  cwd: folder,
  encoding: "utf8",
  stdio: ["ignore", "pipe", "ignore"],
});
const archive = join(out, /"filename":\s*"([^"]+)"/.exec(packed)?.[1] ?? "");
const {size} = statSync(archive);
if (size > MAX_BYTES) throw new Error(`the package has ${size} bytes, more than ${MAX_BYTES}`);
console.log(archive);
