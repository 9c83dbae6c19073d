/** The program with which a hostile agent or stage looks for secrets from inside. */

/**
 * Looks wherever a process can look: its environment, everybody's environment, command line and memory, homes, temporary and
 * runner's folders. Says how many secrets of the rig's it found, and where, but never which.
 */
export const HUNT = `
const {readFileSync, readdirSync, openSync, readSync, statSync} = require("node:fs");
const {dirname, join} = require("node:path");
const form = process.env.ONLY_TOKENS ? /gh[ps]_[A-Za-z0-9]{36}|rig-runtime-[A-Za-z0-9]{12}/ : /gh[ps]_[A-Za-z0-9]{36}|rig-runtime-[A-Za-z0-9]{12}|sk-rig-[0-9a-f]{32}-/;
const hits = new Set();
let open = 0;
let closed = 0;
// What the system refuses is closed; anything else that is thrown is a mistake of the hunt's own, and must not look like "nothing".
const attempt = (look, otherwise) => {
  try { const seen = look(); open++; return seen; } catch (error) { if (!error.code) throw error; closed++; return otherwise; }
};
const see = (where, read) => { if (form.test(attempt(read, ""))) hits.add(where); };
let left = 20000;
const walk = (folder, depth) => {
  for (const entry of attempt(() => readdirSync(folder, {withFileTypes: true}), [])) {
    const path = join(folder, entry.name);
    if (left-- < 0) return;
    if (entry.isDirectory() && entry.name !== "node_modules" && depth > 0) walk(path, depth - 1);
    else if (entry.isFile()) see("file " + entry.name, () => statSync(path).size < 2e6 && readFileSync(path, "latin1"));
  }
};
see("own environment", () => JSON.stringify(process.env));
const tree = [];
for (let pid = "self"; pid && pid !== "0"; ) {
  tree.push(pid);
  pid = /^PPid:\\s+(\\d+)/m.exec(attempt(() => readFileSync("/proc/" + pid + "/status", "utf8"), ""))?.[1];
}
for (const pid of readdirSync("/proc").filter((name) => /^\\d+$/.test(name)))
  for (const file of ["environ", "cmdline"]) see("process " + file, () => readFileSync("/proc/" + pid + "/" + file, "latin1"));
for (const pid of tree.slice(1, 3)) see("memory", () => {
  const memory = openSync("/proc/" + pid + "/mem");
  for (const line of readFileSync("/proc/" + pid + "/maps", "utf8").split("\\n")) {
    const [, from, to] = /^([0-9a-f]+)-([0-9a-f]+) rw/.exec(line) || [];
    if (!from) continue;
    const buffer = Buffer.alloc(Math.min(Number("0x" + to) - Number("0x" + from), 4e6));
    attempt(() => readSync(memory, buffer, 0, buffer.length, Number("0x" + from)), 0);
    if (form.test(buffer.toString("latin1"))) return buffer.toString("latin1");
  }
  return "";
});
const {HOME, TMPDIR, RUNNER_TEMP} = process.env;
const here = process.cwd();
const roots = process.argv.slice(2).concat(RUNNER_TEMP, HOME, TMPDIR, here, ...(here.includes("checkout") ? [dirname(here), dirname(dirname(here))] : []));
for (const root of new Set(roots.filter(Boolean))) { left = 20000; walk(root, 6); }
console.log("the hunt found " + hits.size + ": " + [...hits].join(", "));
console.log("places seen: " + open + ", closed: " + closed);
`;
