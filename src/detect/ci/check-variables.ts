/** Chooses the variables of CI that a stage gets: all whose values the file says, except those of CI's machine. */
import {namesTest} from "../../tools/names.ts";
import type {CiScript} from "./jobs.ts";

/** Variables of CI's machine: its programs, folders, memory, installers and caches. */
const OF_MACHINE = namesTest(
  "CI PATH SHELL ENV BASH_ENV TMP TEMP TMPDIR TERM DISPLAY CC CXX CPP AR LD RUSTC_WRAPPER LD_* DYLD_*",
  "GOPROXY GOPRIVATE GONO* GOSUMDB GOTOOLCHAIN GITHUB_* RUNNER_* ACTIONS_* GH_* TURBO_* NX_* SCCACHE_*",
  "CCACHE_* VCPKG_* CONAN_* HOMEBREW_* PIP_* UV_* POETRY_* BUNDLE_* NPM_* YARN_* PNPM_* COREPACK_*",
  "PUPPETEER_* PLAYWRIGHT_* CYPRESS_* RUSTUP_* SSH_* XDG_* DEBIAN_* ANDROID_* NUGET_* CARGO_NET_*",
  "CARGO_HTTP_* CARGO_TERM_* CARGO_HOME_* CARGO_REGISTR*",
);
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
    !OF_MACHINE(name.toUpperCase()) &&
    !ASIDE.test(name) &&
    value.length < LONGEST_VALUE &&
    !VALUE_OF_MACHINE.test(value);
  return Object.fromEntries(Object.entries(env).filter(isKept));
}
