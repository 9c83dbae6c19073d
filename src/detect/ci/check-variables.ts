/** Chooses the variables of CI that a stage gets: those that may change the result of its check. */
import {isPlain} from "../scripts/shell-values.ts";
import type {CiScript} from "./jobs.ts";

/** Variables of a job or workflow that change the result of a check, by their names. */
const MATTERS =
  /^(CARGO_INCREMENTAL|CARGO_BUILD_TARGET|CARGO_TARGET_\w+|NODE_ENV|GOEXPERIMENT|CGO_ENABLED|GO111MODULE|PYTHONPATH|PYTHONWARNINGS|PYTHONDEVMODE|DJANGO_SETTINGS_MODULE|MIX_ENV|RAILS_ENV|RACK_ENV|APP_ENV|TZ|LANG|LC_ALL)$|^RUBYOPT$|(^|_)(\w*FLAGS|PROFILE|MODE|TESTS?|STRICT|BACKEND|THREADS)(_|$)/;
/** Variables of CI's machine: its programs, folders, memory, accounts, caches and mirrors. */
const OF_MACHINE =
  /^(CI|PATH|SHELL|ENV|BASH_ENV|TE?MP|TMPDIR|TERM|DISPLAY|DEBUG|CC|CXX|CPP|AR|LD|(C|CPP|CXX|LD)FLAGS|RUSTC_WRAPPER|PYTEST_ADDOPTS|LD_\w+|DYLD_\w+|GO(PROXY|PRIVATE|NO\w+|SUMDB|TOOLCHAIN))$|^(GITHUB|RUNNER|ACTIONS|GH|GRADLE|MAVEN|JAVA|SBT|JVM|AWS|AZURE|GCP|GOOGLE|DOCKER|COMPOSE|TURBO|NX|SCCACHE|CCACHE|VCPKG|CONAN|HOMEBREW|PIP|UV|POETRY|BUNDLE|NPM|YARN|PNPM|COREPACK|PUPPETEER|PLAYWRIGHT|CYPRESS|RUSTUP|GIT|SSH|XDG|DEBIAN|ANDROID|NUGET|CARGO_(NET|HTTP|TERM|HOME|REGISTR\w+))_/i;
const PART_OF_MACHINE =
  /(^|_)(TOKEN|SECRETS?|PASS\w*|PWD|CREDENTIALS?|\w*KEYS?|AUTH|USER\w*|LOGIN|URL|URI|HOST\w*|PORT|PROXY|REGISTRY|IMAGE|\w*CACHE|VERSION|\w*COLORS?|TELEMETRY|ANALYTICS|NOLOGO|HOME|BRANCH|REF|SHA|COMMIT|EMAIL|REPORT|COVERALLS|CODECOV|COVERAGE|SONAR|OUTPUT)(_|$)/i;

/** Variables of CI that start checks which need services or the network. */
const OF_SERVICES = /(^|_)(INTEGRATION|E2E|LIVE|NETWORK|DOCKER|BROWSER|DB|DATABASE)(_|$)/;

/** A limit of memory, which says something about CI's machine. */
const OF_MEMORY = /^--max[-_]old[-_]space[-_]size=\d+$/;

/** The variables with which CI runs the checks of a script. What a step sets is for its own commands. */
export function variablesOf({
  env,
  ownVariables = [],
  isOfArtifact,
}: Pick<CiScript, "env" | "ownVariables" | "isOfArtifact">): Record<string, string> {
  if (isOfArtifact === true) return {};
  return Object.fromEntries(
    Object.entries(env).filter(
      ([name, value]) =>
        isPlain(value) &&
        !OF_MEMORY.test(value) &&
        !OF_MACHINE.test(name) &&
        !PART_OF_MACHINE.test(name) &&
        (ownVariables.includes(name) ||
          // A path of CI's machine leads nowhere here.
          (MATTERS.test(name) && !OF_SERVICES.test(name) && !value.startsWith("/"))),
    ),
  );
}
