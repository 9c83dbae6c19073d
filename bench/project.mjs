/** A TypeScript project for the bench's loop: modules that import each other in layers, a test file for every second one. */
import {mkdirSync, writeFileSync} from "node:fs";
import {dirname, join} from "node:path";

export const MODULES = 150;
export const TEST_FILES = 75;
/** Modules of one layer import two of the layer before. */
const LAYER = 15;

/** Pinned, so that two machines measure the same tools. No dependencies of Assay: the bench installs them into its cache. */
export const TOOLS = {eslint: "9.39.1", typescript: "5.9.3", "typescript-eslint": "8.48.0", vitest: "4.1.12"};

/** Writes the project below `folder`, without its dependencies. */
export function generate(folder) {
  const write = (path, text) => {
    mkdirSync(dirname(join(folder, path)), {recursive: true});
    writeFileSync(join(folder, path), text);
  };
  const json = (value) => `${JSON.stringify(value, null, 2)}\n`;
  const scripts = {
    typecheck: "tsc --noEmit",
    lint: "eslint .",
    test: "vitest run",
    build: "tsc -p tsconfig.build.json",
  };
  write(
    "package.json",
    json({name: "loop", version: "1.0.0", private: true, type: "module", scripts, devDependencies: TOOLS}),
  );
  const compilerOptions = {
    target: "es2022",
    module: "nodenext",
    moduleResolution: "nodenext",
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    rewriteRelativeImportExtensions: true,
    skipLibCheck: true,
    noUncheckedIndexedAccess: true,
    types: [],
  };
  write("tsconfig.json", json({compilerOptions, include: ["src", "tests"]}));
  const emitting = {
    noEmit: false,
    outDir: "dist",
    rootDir: "src",
    declaration: true,
    allowImportingTsExtensions: false,
  };
  write("tsconfig.build.json", json({extends: "./tsconfig.json", compilerOptions: emitting, include: ["src"]}));
  write("eslint.config.js", LINT);
  write(".gitignore", "node_modules/\ndist/\n");
  for (let number = 0; number < MODULES; number++) write(`src/m${number}.ts`, moduleOf(number));
  for (let at = 0; at < TEST_FILES; at++) write(`tests/m${at * 2}.test.ts`, testOf(at * 2));
}

const LINT = `import tseslint from "typescript-eslint";

export default tseslint.config(
  {ignores: ["dist/**", "eslint.config.js"]},
  ...tseslint.configs.strictTypeChecked,
  {languageOptions: {parserOptions: {project: "./tsconfig.json", tsconfigRootDir: import.meta.dirname}}},
  {rules: {"@typescript-eslint/restrict-template-expressions": "off"}},
);
`;

function importsOf(number) {
  const layer = Math.floor(number / LAYER);
  if (layer === 0) return [];
  const from = (layer - 1) * LAYER;
  return [from + (number % LAYER), from + ((number * 7 + 3) % LAYER)].filter((one, at, all) => all.indexOf(one) === at);
}

function moduleOf(number) {
  const imports = importsOf(number).map((other) => `import {total${other}} from "./m${other}.ts";`);
  const inner = importsOf(number).map((other) => `  sum += total${other}(order);`);
  const rules = Array.from({length: 6}, (_, at) => ruleOf(number, at));
  return `${imports.join("\n")}
export interface Line${number} {
  readonly sku: string;
  readonly cents: number;
  readonly count: number;
}

export interface Order${number} {
  readonly lines: readonly Line${number}[];
}

/** The lines of an order by their article, the dearest first. */
export function sorted${number}(order: Order${number}): Line${number}[] {
  const bySku = new Map<string, Line${number}>();
  for (const line of order.lines) {
    const before = bySku.get(line.sku);
    bySku.set(line.sku, before === undefined ? line : {...before, count: before.count + line.count});
  }
  return [...bySku.values()].sort((one, other) => other.cents * other.count - one.cents * one.count);
}

export function own${number}(order: Order${number}): number {
  return sorted${number}(order).reduce((sum, line) => sum + line.cents * line.count, 0);
}

/** With what the modules before make of the same order. */
export function total${number}(order: Order${number}): number {
  ${inner.length === 0 ? "const" : "let"} sum = own${number}(order);
${inner.join("\n")}
  return sum;
}

export async function quote${number}(order: Order${number}): Promise<string> {
  const total = await Promise.resolve(own${number}(order));
  const shown = sorted${number}(order).map(({sku, cents, count}) => \`\${sku}: \${count} x \${cents}\`);
  return [...shown, \`total \${total}\`].join("\\n");
}
${rules.join("")}`;
}

/** Code that has to be checked with types, and is like what is written by hand. */
function ruleOf(number, at) {
  return `
export type Discount${number}x${at} =
  | {readonly kind: "none"}
  | {readonly kind: "percent"; readonly percent: number}
  | {readonly kind: "fixed"; readonly cents: number; readonly from: number};

export function discounted${number}x${at}(order: Order${number}, discount: Discount${number}x${at}): number {
  const full = own${number}(order);
  switch (discount.kind) {
    case "none":
      return full;
    case "percent":
      return Math.round((full * (100 - discount.percent)) / 100) + ${at};
    case "fixed":
      return full >= discount.from ? Math.max(0, full - discount.cents) : full;
  }
}
`;
}

function testOf(number) {
  const line = (sku, cents, count) => `{sku: "${sku}", cents: ${cents}, count: ${count}}`;
  return `import {expect, test} from "vitest";
import {discounted${number}x0, own${number}, quote${number}, sorted${number}, total${number}} from "../src/m${number}.ts";

const order = {lines: [${line("b", 3, 1)}, ${line("a", number + 1, 2)}, ${line("a", number + 1, 1)}]};

test("m${number} adds up equal articles", () => {
  const lines = sorted${number}(order);
  expect(lines.map(({sku, count}) => sku + String(count)).sort()).toEqual(["a3", "b1"]);
  expect(own${number}(order)).toBe(${3 * (number + 1) + 3});
});

test("m${number} has a quote and a total", async () => {
  expect(await quote${number}(order)).toContain("total ${3 * (number + 1) + 3}");
  expect(total${number}(order)).toBeGreaterThanOrEqual(own${number}(order));
});

test("m${number} has a discount", () => {
  expect(discounted${number}x0(order, {kind: "percent", percent: 100})).toBe(0);
});
`;
}

/** What an agent makes of one module: wrong at first, then right. Neither is what the base has. */
export function change(number) {
  const text = moduleOf(number);
  const right = text.replace("sum = own", "sum = 0 + own");
  const wrong = right.replace("count: before.count + line.count", "count: before.count - line.count");
  if (right === text || wrong === right) throw new Error("the change changes nothing");
  return {path: `src/m${number}.ts`, wrong, right};
}
