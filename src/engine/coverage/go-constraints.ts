/** Decides which Go files a build on this machine excludes, by names and `//go:build` (`go help buildconstraint`). */
import {baseName} from "../../shell/program.ts";

/** The target of a build, with Go's names. */
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
/** Tags that depend on the toolchain, which is unknown here. */
const UNKNOWN = /^(?:cgo|gc|gccgo|race|msan|asan|go\d.*|goexperiment\..*|.*crypto)$/;

const NODE_SYSTEMS: Readonly<Record<string, string>> = {win32: "windows", sunos: "solaris"};
const NODE_ARCHITECTURES: Readonly<Record<string, string>> = {
  x64: "amd64",
  ia32: "386",
  mipsel: "mipsle",
  loong64: "loong64",
};

/** The machine's target, from Node's names, with the tags of a go command. */
export function goTarget(machine: {platform: string; arch: string}, words: readonly string[]): GoTarget {
  const {platform, arch} = machine;
  const tags = words.flatMap((word, i) => {
    const option = /^--?tags(?:=(.*))?$/.exec(word);
    return option === null ? [] : (option[1] ?? words[i + 1] ?? "").split(/[\s,]+/);
  });
  return {os: NODE_SYSTEMS[platform] ?? platform, arch: NODE_ARCHITECTURES[arch] ?? arch, tags: new Set(tags)};
}

/** False if this build certainly excludes the file. `text` is null for a deleted file. */
export function isBuilt(path: string, text: string | null, target: GoTarget): boolean {
  if (!path.endsWith(".go")) return true;
  const parts = baseName(path)
    .replace(/\.go$/, "")
    .replace(/_test$/, "")
    .split("_")
    .slice(1);
  const [last = "", previous = ""] = parts.toReversed();
  const isOther = (tag: string) => evaluate([tag], target) === false;
  if (ARCHITECTURES.has(last) && (isOther(last) || (SYSTEMS.has(previous) && isOther(previous)))) return false;
  if (SYSTEMS.has(last) && isOther(last)) return false;
  const header = (text ?? "").slice(0, 20_000).split(/^package\s/m)[0] ?? "";
  const [, line] = /^\/\/go:build (.+)$/m.exec(header) ?? [];
  return line === undefined || evaluate(line.match(/\(|\)|!|&&|\|\||[\w.]+/g) ?? [], target) !== false;
}

type MaybeTrue = boolean | null;

/** Evaluates an expression such as `a && (b || !c)`; null if it depends on an unknown tag, or is invalid. */
function evaluate(tokens: readonly string[], {os, arch, tags}: GoTarget): MaybeTrue {
  let at = 0;
  const tag = (name: string): MaybeTrue => {
    if (tags.has(name) || name === os || name === arch || (name === "unix" && UNIX.has(os))) return true;
    if (name === "linux" && os === "android") return true;
    return UNKNOWN.test(name) ? null : false;
  };
  const not = (value: MaybeTrue): MaybeTrue => (value === null ? null : !value);
  const factor = (): MaybeTrue => {
    const token = tokens[at++] ?? "";
    if (token === "!") return not(factor());
    if (token !== "(") return tag(token);
    const value = any();
    at++;
    return value;
  };
  const all = (): MaybeTrue => chain("&&", factor);
  const any = (): MaybeTrue => chain("||", all);
  /**
   * `false` decides a chain of `&&`, `true` a chain of `||`; otherwise one unknown operand makes the result unknown.
   */
  const chain = (operator: "&&" | "||", operand: () => MaybeTrue): MaybeTrue => {
    const deciding = operator === "||";
    let value = operand();
    while (tokens[at] === operator) {
      at++;
      const next = operand();
      value = value === deciding || next === deciding ? deciding : value === null || next === null ? null : !deciding;
    }
    return value;
  };
  return any();
}
