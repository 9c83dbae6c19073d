/** The caches that a candidate gets from its base, with the real tools: what is unchanged is not built again, and a bug is found. */
import {spawnSync} from "node:child_process";
import {cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync} from "node:fs";
import {homedir, tmpdir} from "node:os";
import {dirname, join} from "node:path";
import {afterAll, beforeAll, describe, expect, it} from "vitest";
import {openDependencyCache} from "../../src/engine/checkout/dependency-cache.ts";
import {isSweep} from "../sweep.ts";
import {missing, TOOLS_PATH} from "./tools.ts";

const PATIENCE = 300_000;
const {signal} = new AbortController();
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "assay-warm-"));
});
afterAll(() => rmSync(folder, {recursive: true, force: true, maxRetries: 3}));

/** Where commands run: a checkout, and the home of its stages. */
interface Place {
  readonly checkout: string;
  readonly home: string;
}

function run({checkout, home}: Place, command: string, env: Readonly<Record<string, string>> = {}) {
  const {status, stdout, stderr} = spawnSync("bash", ["-e", "-c", command], {
    ...{cwd: checkout, encoding: "utf8"},
    env: {PATH: TOOLS_PATH, HOME: home, ...env},
  });
  return {status, text: `${stdout}${stderr}`};
}

/** Writes the files as if they had been there long before everything else. */
function place(name: string, files: Readonly<Record<string, string>>): Place {
  const [checkout, home] = [join(folder, name), join(folder, `${name}-home`)];
  mkdirSync(home);
  for (const [path, text] of Object.entries(files)) {
    const file = join(checkout, path);
    mkdirSync(dirname(file), {recursive: true});
    writeFileSync(file, text);
    utimesSync(file, 1e9, 1e9);
  }
  return {checkout, home};
}

const toolTitle = (name: string): string => {
  const absent = missing([name]);
  return absent.length === 0 ? name : `${name} (not on this machine)`;
};

describe.skipIf(missing(["cargo"]).length > 0)(toolTitle("cargo"), () => {
  it("builds no dependency again, and takes no changed file for an unchanged one, however old it is", {
    timeout: PATIENCE,
  }, async () => {
    const dependency = place("dep", {
      "Cargo.toml": '[package]\nname = "dep"\nversion = "1.0.0"\nedition = "2021"\n',
      "build.rs":
        'fn main() { std::fs::write(format!("{}/two.rs", std::env::var("OUT_DIR").unwrap()), "2").unwrap(); }\n',
      "src/lib.rs": 'pub fn two() -> i32 { include!(concat!(env!("OUT_DIR"), "/two.rs")) }\n',
    });
    const asRepository = "git init -q && git add -A && git -c user.name=T -c user.email=t@example.com commit -qm One";
    expect(run(dependency, asRepository)).toEqual({status: 0, text: ""});
    const project = (answer: number) => ({
      "Cargo.toml":
        '[package]\nname = "own"\nversion = "1.0.0"\nedition = "2021"\n' +
        `[dependencies]\ndep = {git = "file://${dependency.checkout}"}\nbeside = {path = "beside"}\n`,
      "beside/Cargo.toml": '[package]\nname = "beside"\nversion = "1.0.0"\nedition = "2021"\n',
      "beside/src/lib.rs": `pub fn answer() -> i32 { ${answer} }\n`,
      "src/lib.rs": "#[test]\nfn adds() { assert_eq!(beside::answer(), 40 + dep::two()); }\n",
    });
    const env = {
      CARGO_HOME: join(folder, "cargo-home"),
      RUSTUP_HOME: process.env["RUSTUP_HOME"] ?? join(homedir(), ".rustup"),
      ...Object.fromEntries(Object.entries(process.env).filter(([name]) => name === "RUSTUP_TOOLCHAIN")),
    };
    const test = (where: Place) => run(where, "cargo test --lib", env);
    const base = place("cargo-base", project(42));
    const onBase = test(base);
    expect(onBase.text).toContain("Compiling dep");
    expect(onBase.status).toBe(0);

    const cache = openDependencyCache(join(folder, "cargo-warm"));
    await cache.save({...base, cwd: ".", passes: async () => true, signal});
    const [right, wrong, naive] = [42, 41, 41].map((answer, index) => place(`cargo-${index}`, project(answer)));
    if (right === undefined || wrong === undefined || naive === undefined) throw new Error("no candidates");
    for (const candidate of [right, wrong, naive])
      cpSync(join(base.checkout, "Cargo.lock"), join(candidate.checkout, "Cargo.lock"));
    for (const candidate of [right, wrong]) await cache.restore({...candidate, signal});
    for (const [candidate, status] of [
      [right, 0],
      [wrong, 101],
    ] as const) {
      const seen = test(candidate);
      expect(seen.text).toContain("Compiling own");
      expect(seen.text).toContain("Compiling beside");
      expect(seen.text).not.toContain("Compiling dep");
      expect(seen.status).toBe(status);
    }
    // The trap that this is about is there: with the whole of the base's folder, Cargo calls the wrong one right.
    run(naive, `cp -a ${base.checkout}/target target`);
    expect(test(naive).status).toBe(0);
  });
});

if (isSweep)
  describe.skipIf(missing(["go"]).length > 0)(toolTitle("go"), () => {
    it("builds the standard library once, and the candidate's own packages each time", {
      timeout: PATIENCE,
    }, async () => {
      const project = (body: string) => ({
        "go.mod": "module example.com/own\n\ngo 1.21\n",
        "own.go": `package own\n\nimport "unicode/utf8"\n\nfunc Length(s string) int { ${body} }\n`,
      });
      const right = "return utf8.RuneCountInString(s)";
      const build = (where: Place) => run(where, "go build -v ./...", {GOTOOLCHAIN: "local"});
      const base = place("go-base", project(right));
      run(base, "git init -q && git add -A");
      expect(build(base)).toMatchObject({status: 0, text: expect.stringContaining("unicode/utf8\n")});

      const cache = openDependencyCache(join(folder, "go-warm"));
      const passes = async (command: string) => run(base, command, {GOTOOLCHAIN: "local"}).status === 0;
      await cache.save({...base, cwd: ".", passes, signal});
      const [same, wrong] = [place("go-same", project(right)), place("go-wrong", project(right.replace("(s)", "(1)")))];
      for (const candidate of [same, wrong]) await cache.restore({...candidate, signal});
      expect(build(same)).toEqual({status: 0, text: "example.com/own\n"});
      expect(build(wrong)).toMatchObject({status: 1, text: expect.stringContaining("cannot use 1")});
      // What tests gave on the base counts no more: nanoseconds since 1970, as `go clean -testcache` writes them.
      const expired = join(same.home, ".cache/go-build/testexpire.txt");
      expect(existsSync(expired)).toBe(true);
      expect(Number(readFileSync(expired, "utf8")) / 1e6).toBeGreaterThan(Date.now() - PATIENCE);
    });
  });
