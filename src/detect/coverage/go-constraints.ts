/** Which Go files a build on this machine leaves out, by their names and their `//go:build` lines (`go help buildconstraint`). */
import {baseName} from "../../shell/program.ts";

/** What a build is for, in Go's words. */
export interface GoTarget {
  readonly os: string;
  readonly arch: string;
  readonly tags: ReadonlySet<string>;
}

const SYSTEMS = new Set(
  "aix android darwin dragonfly freebsd hurd illumos ios js linux nacl netbsd openbsd plan9 solaris wasip1 windows zos".split(
    " ",
  ),
);
const ARCHITECTURES = new Set(
  (
    "386 amd64 amd64p32 arm armbe arm64 arm64be loong64 mips mipsle mips64 mips64le mips64p32 mips64p32le ppc ppc64 ppc64le " +
    "riscv riscv64 s390 s390x sparc sparc64 wasm"
  ).split(" "),
);
const UNIX = new Set("aix android darwin dragonfly freebsd hurd illumos ios linux netbsd openbsd solaris".split(" "));
/** Tags that depend on the toolchain: nobody here knows them. */
const UNKNOWN = /^(?:cgo|gc|gccgo|race|msan|asan|go\d.*|goexperiment\..*|.*crypto)$/;

const NODE_SYSTEMS: Readonly<Record<string, string>> = {win32: "windows", sunos: "solaris"};
const NODE_ARCHITECTURES: Readonly<Record<string, string>> = {
  x64: "amd64",
  ia32: "386",
  mipsel: "mipsle",
  loong64: "loong64",
};

/** The machine's own target, from Node's names for it, with the tags of a go command's words. */
export function goTarget(machine: {platform: string; arch: string}, words: readonly string[]): GoTarget {
  const {platform, arch} = machine;
  const tags = words.flatMap((word, at) => {
    const given = /^--?tags(?:=(.*))?$/.exec(word);
    return given === null ? [] : (given[1] ?? words[at + 1] ?? "").split(/[\s,]+/);
  });
  return {os: NODE_SYSTEMS[platform] ?? platform, arch: NODE_ARCHITECTURES[arch] ?? arch, tags: new Set(tags)};
}

/** False where this build certainly leaves the file out. `text` is null for a file that is gone. */
export function isBuilt(o: {path: string; text: string | null; target: GoTarget}): boolean {
  const {path, text, target} = o;
  if (!path.endsWith(".go")) return true;
  const parts = baseName(path)
    .replace(/\.go$/, "")
    .replace(/_test$/, "")
    .split("_")
    .slice(1);
  const [last = "", before = ""] = parts.toReversed();
  const isOther = (tag: string) => evaluate([tag], target) === false;
  if (ARCHITECTURES.has(last) && (isOther(last) || (SYSTEMS.has(before) && isOther(before)))) return false;
  if (SYSTEMS.has(last) && isOther(last)) return false;
  const header = (text ?? "").slice(0, 20_000).split(/^package\s/m)[0] ?? "";
  const [, line] = /^\/\/go:build (.+)$/m.exec(header) ?? [];
  return line === undefined || evaluate(line.match(/\(|\)|!|&&|\|\||[\w.]+/g) ?? [], target) !== false;
}

type Known = boolean | null;

/** The expression `a && (b || !c)` in three values; null where it depends on what is not known, or is no expression. */
function evaluate(tokens: readonly string[], {os, arch, tags}: GoTarget): Known {
  let at = 0;
  const tag = (name: string): Known => {
    if (tags.has(name) || name === os || name === arch || (name === "unix" && UNIX.has(os))) return true;
    if (name === "linux" && os === "android") return true;
    return UNKNOWN.test(name) ? null : false;
  };
  const not = (value: Known): Known => (value === null ? null : !value);
  const factor = (): Known => {
    const token = tokens[at++] ?? "";
    if (token === "!") return not(factor());
    if (token !== "(") return tag(token);
    const value = any();
    at++;
    return value;
  };
  const all = (): Known => {
    let value = factor();
    while (tokens[at] === "&&") {
      at++;
      const next = factor();
      value = value === false || next === false ? false : value === null || next === null ? null : true;
    }
    return value;
  };
  const any = (): Known => {
    let value = all();
    while (tokens[at] === "||") {
      at++;
      const next = all();
      value = value === true || next === true ? true : value === null || next === null ? null : false;
    }
    return value;
  };
  return any();
}
