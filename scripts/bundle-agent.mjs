/**
 * Joins the installed agent (`pi`) into a few files for the tests, run by bun: `bun scripts/bundle-agent.mjs PROGRAM FOLDER`. What the
 * agent needs only in a terminal, or for extensions, is loaded at its first use: otherwise it takes half of the time of each start.
 */

/** The functions that the agent imports from these modules. */
const LOADED_LATER = {
  "cli-highlight": ["highlight", "supportsLanguage"],
  "jiti/static": ["createJiti"],
};
/** An optional package, which is not installed. */
const ABSENT = "@opentelemetry/api";

const loadLater = {
  name: "load-later",
  setup(build) {
    const names = new Map();
    build.onResolve({filter: /^(?:cli-highlight|jiti\/static)$/}, ({path: name, importer}) => {
      const path = Bun.resolveSync(name, importer);
      names.set(path, name);
      return {path, namespace: "later"};
    });
    build.onLoad({filter: /./, namespace: "later"}, ({path}) => ({
      loader: "js",
      contents: LOADED_LATER[names.get(path)]
        .map((each) => `export const ${each} = (...all) => require(${JSON.stringify(path)}).${each}(...all);`)
        .join("\n"),
    }));
  },
};

const [program, folder] = process.argv.slice(2);
const made = await Bun.build({
  entrypoints: [program],
  outdir: folder,
  target: "node",
  format: "esm",
  splitting: true,
  external: [ABSENT],
  plugins: [loadLater],
});
if (!made.success) throw new AggregateError(made.logs, "the agent cannot be bundled");
