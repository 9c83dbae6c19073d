/** Small projects to work on: what is in them, as files for the first commit. */
import {readdirSync, readFileSync} from "node:fs";
import {join} from "node:path";
import {writeFileAt} from "./model.ts";
import type {Files} from "./origin.ts";

/** Says into a stage's output which tree the stage stands on; the checker of the promises compares it. */
const SAY_TREE = 'echo "rig: the tree is $(git rev-parse "HEAD^{tree}")"';

/** One stage of a `verify.json`, with the defaults that the rig's projects want. */
export interface OwnStage {
  readonly name: string;
  readonly command: string;
  readonly [key: string]: unknown;
}

/**
 * A project without dependencies: a sum, its test, and a `verify.json` with two stages, `syntax` and `test`. Other keys
 * of `verify.json` come from `verify`, other files from `files`; a path that is null there is left out.
 */
export function plain(options: {verify?: Record<string, unknown>; files?: Files} = {}): Files {
  const stages: OwnStage[] = [
    {name: "syntax", command: `${SAY_TREE} && node --check src/sum.js`, kind: "typecheck", timeout: 60},
    {name: "test", command: `${SAY_TREE} && node --test`, kind: "test", timeout: 60},
  ];
  const files: Files = {
    "README.md": "# Sums\n\nAdds numbers.\n",
    "package.json": `${JSON.stringify({name: "sums", version: "1.0.0", private: true, type: "module"}, null, 2)}\n`,
    "src/sum.js": "export const sum = (one, other) => one + other;\n",
    "tests/sum.test.js": [
      'import assert from "node:assert/strict";',
      'import {test} from "node:test";',
      'import {sum} from "../src/sum.js";',
      "",
      'test("sums add up", () => assert.equal(sum(1, 2), 3));',
      "",
    ].join("\n"),
    "verify.json": `${JSON.stringify({stages, setup: false, ...options.verify}, null, 2)}\n`,
    ...options.files,
  };
  return Object.fromEntries(Object.entries(files).filter(([, content]) => content !== null));
}

/** What the agent of a `plain` project writes: a product with its test, right or wrong. */
export const PRODUCT_FILES = {
  right: "export const product = (one, other) => one * other;\n",
  wrong: "export const product = (one, other) => one + other;\n",
  test: [
    'import assert from "node:assert/strict";',
    'import {test} from "node:test";',
    'import {product} from "../src/product.js";',
    "",
    'test("products multiply", () => assert.equal(product(2, 3), 6));',
    "",
  ].join("\n"),
};

const TEST = writeFileAt("tests/product.test.js", PRODUCT_FILES.test);
/** What the agent of a `plain` project does for a product. */
export const WRITES = {
  right: [writeFileAt("src/product.js", PRODUCT_FILES.right), TEST],
  wrong: [writeFileAt("src/product.js", PRODUCT_FILES.wrong), TEST],
};

/**
 * A project with real TypeScript, ESLint and Vitest behind a lock file, and no `verify.json`: its stages are to be
 * detected. Its install takes some seconds.
 */
export function typescript(options: {files?: Files} = {}): Files {
  const root = new URL("../fixtures/projects/typescript/", import.meta.url).pathname;
  const entries = readdirSync(root, {recursive: true, withFileTypes: true}).filter((entry) => entry.isFile());
  const files = entries.map((entry): [string, string] => {
    const file = join(entry.parentPath, entry.name);
    return [file.slice(root.length), readFileSync(file, "utf8")];
  });
  // somebody may have installed it in place
  const own = files.filter(([path]) => !path.startsWith("node_modules/"));
  return {...Object.fromEntries(own), ...options.files};
}
