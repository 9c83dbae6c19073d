/**
 * Bundles `lifecycle/` into `dist/`, run by bun. `--check` builds elsewhere and fails when `dist/` is stale; `--package FOLDER` builds
 * there for npm, with short names, because nobody reads a package's differences.
 */
import {chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {basename, dirname, join} from "node:path";
import {brotliCompressSync, brotliDecompressSync} from "node:zlib";
import {grammarFile, TEST_LANGUAGES} from "../src/test-code/languages.ts";

const root = join(import.meta.dir, "..");
const isCheck = process.argv.includes("--check");
const committed = join(root, "dist");
const packageAt = process.argv.indexOf("--package");
const isPackage = packageAt > 0;
const out = isPackage ? process.argv[packageAt + 1] : isCheck ? mkdtempSync(join(tmpdir(), "assay-dist-")) : committed;

/** The parser and the grammars of its languages: compressed, they are a tenth as large, and take milliseconds to unpack. */
const grammars = ["web-tree-sitter/web-tree-sitter.wasm", ...new Set(TEST_LANGUAGES.map(({grammar}) => grammar))].map(
  (file) => ({name: grammarFile(file), content: compress(join(root, "node_modules", file))}),
);
if (!isCheck) rmSync(out, {recursive: true, force: true});

/**
 * The ES modules of packages that give Node their CommonJS form: of jsonc-parser that one loads its parts by computed names, which no
 * bundler can follow; of yaml it is larger and slower to load, since nothing can be left out.
 */
const ES_MODULES = {
  "jsonc-parser": "jsonc-parser/lib/esm/main.js",
  yaml: "yaml/browser/dist/index.js",
};
const esModules = {
  name: "es-modules",
  setup(build) {
    build.onResolve({filter: /^(jsonc-parser|yaml)$/}, ({path}) => ({
      path: join(root, "node_modules", ES_MODULES[path]),
    }));
  },
};

/** Assay asks for no OIDC token; the client for it would load an HTTP library at each start of the action. */
const withoutOidc = {
  name: "without-oidc",
  setup(build) {
    build.onLoad({filter: /@actions\/core\/lib\/oidc-utils\.js$/}, () => ({
      contents: "export const OidcClient = undefined;",
      loader: "js",
    }));
  },
};

/** Assay reads the event itself. The library would read it again at its import, when the agent may have changed the file. */
const withoutEvent = {
  name: "without-event",
  setup(build) {
    build.onLoad({filter: /@actions\/github\/lib\/context\.js$/}, () => ({
      contents: "export class Context {}",
      loader: "js",
    }));
  },
};

/** Of GitHub's about 1,000 endpoints only those that `src/github/` calls, always as `rest.group.name(`. */
const usedEndpoints = {
  name: "used-endpoints",
  setup(build) {
    build.onLoad({filter: /plugin-rest-endpoint-methods\/dist-src\/generated\/endpoints\.js$/}, async ({path}) => {
      const {default: endpoints} = await import(path);
      const folder = join(root, "src/github");
      const source = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
      const used = {};
      for (const [, group, name] of source.join("\n").matchAll(/\brest\.(\w+)\.(\w+)/g)) {
        const endpoint = endpoints[group]?.[name];
        if (endpoint === undefined) throw new Error(`GitHub has no endpoint rest.${group}.${name}`);
        used[group] = {...used[group], [name]: endpoint};
      }
      return {contents: `export default ${JSON.stringify(used)}`, loader: "js"};
    });
  },
};

/** What GitHub's packages import of undici. Its other parts, such as WebSockets and mocks, are half of it. */
const usedHttpClient = {
  name: "used-http-client",
  setup(build) {
    build.onLoad({filter: /[\\/]undici[\\/]index\.js$/}, () => ({
      contents: `import Dispatcher from "./lib/dispatcher/dispatcher.js";
import methods from "./lib/api/index.js";
import ProxyAgent from "./lib/dispatcher/proxy-agent.js";
Object.assign(Dispatcher.prototype, methods);
export {ProxyAgent};
export {fetch} from "./lib/web/fetch/index.js";`,
      loader: "js",
    }));
    // Its parser of HTTP comes twice, and this one needs no special processor.
    build.onLoad({filter: /[\\/]undici[\\/]lib[\\/]llhttp[\\/]llhttp_simd-wasm\.js$/}, () => ({
      contents: `module.exports = require("./llhttp-wasm.js");`,
      loader: "js",
    }));
  },
};

/** zod would compile each schema at its first use, which takes 20 ms of each run and pays off only after thousands of records. */
const uncompiledSchemas = {
  name: "uncompiled-schemas",
  setup(build) {
    build.onLoad({filter: /[\\/]zod[\\/]v4[\\/]core[\\/]schemas\.js$/}, ({path}) => {
      const [before, after, ...more] = readFileSync(path, "utf8").split("const jit = !core.globalConfig.jitless;");
      if (after === undefined || more.length > 0) throw new Error("zod decides elsewhere whether it compiles a schema");
      return {contents: `${before}const jit = false;${after}`, loader: "js"};
    });
  },
};

/** Only the version goes into the bundle: another script or dependency in the manifest must not make `dist/` stale. */
const versionOnly = {
  name: "version-only",
  setup(build) {
    const manifest = join(root, "package.json");
    const {version} = JSON.parse(readFileSync(manifest, "utf8"));
    build.onLoad({filter: /[\\/]package\.json$/}, ({path}) =>
      path === manifest ? {contents: JSON.stringify({version}), loader: "json"} : undefined,
    );
  },
};

/** What a command loads only when it is needed. Each of these names is that of a file in `dist/`. */
const LATER = [
  "lifecycle/arguments",
  "src/cli/plan",
  "src/cli/plan-text",
  "src/cli/inspect",
  "src/cli/hook/run-verification",
  "src/cli/hook/decide",
  "src/detect/config/parse-config",
  "src/detect/files/parse-yaml",
];
/**
 * A log is read in less time than many small files take to load, so what starts the command line and what distils is one file each.
 * Planning is not: as one file it repeats what `verify` shares with it, which is a quarter of the package, and starts no faster.
 */
const WHOLE = ["lifecycle/cli", "src/cli/distill", "src/cli/api"];

const sourceOf = (name) => join(root, `${name}.ts`);
const apart = (names) => ({
  name: "apart",
  setup(build) {
    const files = new Map(names.map((name) => [sourceOf(name), `./${name.slice(name.lastIndexOf("/") + 1)}.js`]));
    build.onResolve({filter: /^\./}, ({path, importer, kind}) => {
      const file = kind === "dynamic-import" ? files.get(join(dirname(importer), path)) : undefined;
      return file === undefined ? undefined : {path: file, external: true};
    });
  },
});

async function bundle(names, options) {
  const made = await Bun.build({
    entrypoints: names.map(sourceOf),
    root,
    outdir: out,
    target: "node",
    format: "esm",
    splitting: options.splitting,
    minify: {whitespace: true, syntax: true, identifiers: isPackage},
    naming: {entry: "[name].js", chunk: "chunks/[hash].js"},
    metafile: true,
    plugins: [
      esModules,
      withoutOidc,
      withoutEvent,
      usedEndpoints,
      usedHttpClient,
      uncompiledSchemas,
      versionOnly,
      apart(options.apart),
    ],
  });
  if (!made.success || made.metafile === undefined) throw new AggregateError(made.logs, "the bundle could not be made");
  const nameOf = stableNames(made.metafile.outputs);
  for (const {path} of made.outputs) {
    const text = readFileSync(path, "utf8").replace(/\b[0-9a-z]{8}(?=\.js")/g, (hash) => nameOf.get(hash) ?? hash);
    const hash = basename(path, ".js");
    rmSync(path);
    writeFileSync(join(dirname(path), `${nameOf.get(hash) ?? hash}.js`), withLightBuiltIns(text));
  }
}

/**
 * Names each chunk after the entry or the largest file in it, so that a changed source rewrites its own chunk only: with a hash as
 * its name, each chunk that imports it would change too.
 */
function stableNames(outputs) {
  const chunks = Object.entries(outputs).flatMap(([path, {entryPoint, inputs}]) => {
    if (!path.includes("chunks/")) return [];
    const files = Object.keys(inputs).sort((one, other) => inputs[other].bytesInOutput - inputs[one].bytesInOutput);
    const source = entryPoint ?? files[0] ?? "bundler-runtime";
    const [, ofPackage] = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source) ?? [];
    const name = (ofPackage ?? basename(source, ".ts")).replaceAll(/[^a-z0-9]+/gi, "-").replace(/^-/, "");
    return [{hash: basename(path, ".js"), name, key: [...files].sort().join()}];
  });
  const names = new Map();
  for (const {hash, name} of chunks.sort((one, other) => (one.key < other.key ? -1 : 1))) {
    const earlier = [...names.values()].filter((one) => one.replace(/-\d+$/, "") === name).length;
    names.set(hash, earlier === 0 ? name : `${name}-${earlier + 1}`);
  }
  return names;
}

// What two entries share, and what a command loads only when asked for, become files of their own.
await bundle([...(isPackage ? [] : ["lifecycle/main", "lifecycle/post"]), ...LATER], {
  splitting: true,
  apart: ["src/cli/distill"],
});
// One at a time: bundled together, each of them would hold what only another one uses.
for (const name of WHOLE) {
  await bundle([name], {splitting: false, apart: [...LATER, "src/cli/distill"]});
}

mkdirSync(join(out, "grammars"));
for (const {name, content} of grammars) writeFileSync(join(out, "grammars", name), content);

const cli = join(out, "cli.js");
writeFileSync(cli, `#!/usr/bin/env node\n${readFileSync(cli, "utf8").replace(/^#!.*\n/, "")}`);
chmodSync(cli, 0o755);

if (isCheck) {
  const files = (folder) =>
    existsSync(folder)
      ? readdirSync(folder, {recursive: true, encoding: "utf8"}).filter((name) => /\.(?:js|br)$/.test(name))
      : [];
  const names = new Set([...files(out), ...files(committed)]);
  const text = (folder, name) => (existsSync(join(folder, name)) ? readFileSync(join(folder, name), "utf8") : null);
  const stale = [...names].filter((name) => text(out, name) !== text(committed, name));
  rmSync(out, {recursive: true});
  if (stale.length > 0) {
    console.error(`dist is stale (${stale.join(", ")}): run \`npm run build\` and commit dist/.`);
    process.exit(1);
  }
  console.log("dist is fresh");
}

/** The committed file if it unpacks to the same bytes, because compressing takes seconds for each grammar. */
function compress(file) {
  const content = readFileSync(file);
  const made = join(committed, "grammars", grammarFile(file));
  const earlier = existsSync(made) ? readFileSync(made) : null;
  try {
    if (earlier && brotliDecompressSync(earlier, {maxOutputLength: content.length}).equals(content)) return earlier;
  } catch {
    // It is damaged, or longer than the grammar.
  }
  return brotliCompressSync(content);
}

/**
 * An `import` of a built-in makes Node load all that hangs on it before the first line runs: with `node:fs` come its streams.
 * Taken from the object itself, a name brings only what it is.
 */
function withLightBuiltIns(text) {
  const light = text.replace(
    /import ?(?:\*as ([\w$]+)|\{([^}]*)\}|([\w$]+)) ?from"((?:node:)?[a-z0-9_]+(?:\/[a-z]+)?)";/g,
    (_, all, names, only, from) =>
      `var ${names === undefined ? (all ?? only) : `{${names.replaceAll(" as ", ":")}}`}=process.getBuiltinModule("${from}");`,
  );
  const left = /(?:import|export)[^;"']*from"(?!\.)[^"]*"/.exec(light);
  if (left !== null) throw new Error(`an import of a built-in has another form: ${left[0]}`);
  return light;
}
