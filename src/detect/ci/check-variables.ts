/** Chooses the variables of CI that a stage gets: all whose values the file says, except those of CI's machine. */
import type {CiScript} from "./jobs.ts";

/** Variables of CI's machine: its programs, folders, memory, installers and caches. */
const OF_MACHINE =
  /^(CI|PATH|SHELL|ENV|BASH_ENV|TE?MP|TMPDIR|TERM|DISPLAY|CC|CXX|CPP|AR|LD|RUSTC_WRAPPER|LD_\w+|DYLD_\w+|GO(PROXY|PRIVATE|NO\w+|SUMDB|TOOLCHAIN))$|^(GITHUB|RUNNER|ACTIONS|GH|TURBO|NX|SCCACHE|CCACHE|VCPKG|CONAN|HOMEBREW|PIP|UV|POETRY|BUNDLE|NPM|YARN|PNPM|COREPACK|PUPPETEER|PLAYWRIGHT|CYPRESS|RUSTUP|SSH|XDG|DEBIAN|ANDROID|NUGET|CARGO_(NET|HTTP|TERM|HOME|REGISTR\w+))_/i;
/** Parts of the names of others that say nothing about the check: caches, reports and the look of the output. */
const ASIDE = /(^|_)(PROXY|REGISTRY|\w*CACHE|\w*COLORS?|TELEMETRY|ANALYTICS|NOLOGO|HOME|COVERALLS|CODECOV|SONAR)(_|$)/i;
/** A limit of memory, and a folder of CI's machine. */
const VALUE_OF_MACHINE = /^--max[-_]old[-_]space[-_]size=\d+$|^[/~]|[\n$]/;
const LONGEST_VALUE = 500;

/**
 * The variables with which CI runs the checks of a script. They are public, because the file has their values: one from
 * a secret has none.
 */
export function variablesOf({env, isOfArtifact}: Pick<CiScript, "env" | "isOfArtifact">): Record<string, string> {
  if (isOfArtifact === true) return {};
  const isKept = ([name, value]: readonly [string, string]): boolean =>
    !OF_MACHINE.test(name) && !ASIDE.test(name) && value.length < LONGEST_VALUE && !VALUE_OF_MACHINE.test(value);
  return Object.fromEntries(Object.entries(env).filter(isKept));
}
