/** Requests a report from node:test, by a reporter of Assay in addition to the usual one. */

/** Node's default reporter: TAP outside a terminal until Node 23. */
const PRINTS = `import {stdout, versions} from "node:process"; import {spec, tap} from "node:test/reporters";
const reporter = parseInt(versions.node) < 23 && !stdout.isTTY ? tap : spec;
export {reporter as default};
`;

/**
 * Prints nothing, and never throws, because that would end the run. It is loaded before the first test, and removes the
 * request from the environment, so that no test sees it, and programs that a test starts write no report.
 */
const writesTo = (file: string): string => `import {writeFileSync} from "node:fs"; import {env} from "node:process";
const others = (env.NODE_OPTIONS ?? "").replace(/ ?--test-reporter=data:\\S+ --test-reporter-destination=stdout/g, "");
if (others === "") delete env.NODE_OPTIONS; else env.NODE_OPTIONS = others;
const seen = [];
let isWhole = true;
const safely = (act) => { try { act(); } catch { isWhole = false; } };
const textOf = (what) => (typeof what === "string" ? what.slice(0, 2000) : "");
export {write as default};
async function* write(events) {
  for await (const {type, data} of events) {
    if (type === "test:summary") seen.push({type, file: data.file});
    if (type === "test:enqueue" && data.nesting === 0 && data.file?.endsWith(data.name)) seen.push({type, file: data.file});
    if (type === "test:start") seen.push({type, name: data.name, nesting: data.nesting, file: data.file});
    if (type === "test:pass" || type === "test:fail") safely(() => {
      const {nesting, skip, todo, details: {type: kind, error} = {}} = data;
      const isSpared = [skip, todo].some((mark) => mark !== undefined && mark !== false);
      const message = textOf(error?.cause?.message ?? error?.cause) || textOf(error?.message);
      seen.push({type, nesting, isSpared, isSuite: kind === "suite", why: error?.failureType, message});
    });
  }
  safely(() => isWhole && writeFileSync(${JSON.stringify(file)}, JSON.stringify(seen)));
}
`;

/** A module as one word that neither a shell nor Node's parser of NODE_OPTIONS splits. */
function moduleOf(code: string): string {
  const text = encodeURIComponent(code.trim()).replace(/[!~*'()]/g, (c) => `%${c.charCodeAt(0).toString(16)}`);
  return `data:text/javascript,${text}`;
}

/** Options of Node 18.17 and later, for NODE_OPTIONS: with a second reporter, the first must be named too. */
export const nodeTestWords = (file: string): string[] =>
  [PRINTS, writesTo(file)].flatMap((code) => [
    `--test-reporter=${moduleOf(code)}`,
    "--test-reporter-destination=stdout",
  ]);
