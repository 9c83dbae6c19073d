/** Tells options and variables of checks that decide about speed, form and output only, or that make a check stricter. */
import {INTEGRITY} from "./all-integrity.ts";
import {NODE_OPTIONS} from "./node-options.ts";

const OFF = /^(?:false|0|off|no|none|\{\}|''|"")$/;
/** Options that check less when they are off. */
const STRICTER =
  /strict|forbid|fail|cov|check|^--no[A-Z]|disallow|warn|error|^--ci$|race|exact|deprecated|unused|leaks|Js$|catch/i;
/** Options whose value is a program: one of the repository decides what is reported. */
const PROGRAMS = /reporter|format|runner|pool|import|loader|require|environment|^-[fRo]$/i;
const OWN_FILE = /^(?:\.{0,2}\/|.*\.[cm]?[jt]s$)/;
const ROWS = INTEGRITY.flatMap(({commandOptions}) => commandOptions ?? []);

/** False for an option of a known tool that can leave out checks, or that nobody knows. */
export function isHarmlessOption(tool: string, option: string, value: string): boolean {
  const row = ROWS.find(({tools}) => tools.test(tool));
  if (row === undefined) return true;
  const [name = "", ownValue] = option.split(/=(.*)/s);
  const given = ownValue ?? value;
  // Warnings become errors.
  if (name === "-W") return /^error/.test(given);
  const isHarmlessValue = row.isHarmlessValue?.(name, given) ?? null;
  if (isHarmlessValue !== null) return isHarmlessValue;
  if (!row.harmless.test(name)) return false;
  const isOff = STRICTER.test(name) && OFF.test(given) && !/max/.test(name);
  return !isOff && !(PROGRAMS.test(name) && OWN_FILE.test(given));
}

/** True for a check whose options are listed here. */
export const hasKnownOptions = (tool: string): boolean => ROWS.some(({tools}) => tools.test(tool));

/** Variables that do not decide what a check reports. */
const HARMLESS_VARIABLES =
  /^(?:CI|NODE_ENV|TZ|LANG|LANGUAGE|LC_\w+|(?:FORCE|NO)_COLOR|CLICOLOR\w*|TERM|COLUMNS|RUST_(?:BACKTRACE|LOG|MIN_STACK)|CARGO_(?:TERM_\w+|INCREMENTAL|NET_\w+|TARGET_DIR|BUILD_JOBS)|PYTHON(?:UNBUFFERED|DONTWRITEBYTECODE|HASHSEED|UTF8|IOENCODING|FAULTHANDLER)|DEBUG|LOG_LEVEL|GOMAXPROCS|CGO_\w+|GO111MODULE|GOTOOLCHAIN|GOEXPERIMENT|COVERAGE_\w+|\w*CACHE\w*|HOME|TMPDIR|DISPLAY|UV_\w+|JAVA_HOME|\w+_(?:URL|HOST|PORT|USER|PASSWORD|TOKEN|KEY|DSN)|PGPASSWORD|PORT|HOST|DATABASE\w*|DJANGO_SETTINGS_MODULE|BABEL_ENV|TS_NODE_\w+|UV_THREADPOOL_SIZE|JEST_JUNIT\w*|QT_\w+|MPL\w+|BROWSERSLIST\w*|npm_config_\w+|CC|CXX|AR|LD)$/i;
/** Options of Node and of the JVM that do not load code. */
const HARMLESS_VALUES: Readonly<Record<string, RegExp>> = {
  NODE_OPTIONS: new RegExp(
    `^(?:--(?:${NODE_OPTIONS}|import|loader|require)(?:=| )(?![./])\\S*\\s*|--(?:${NODE_OPTIONS})\\s*)*$`,
  ),
  PYTHONPATH: /^(?:\.|\.\/?(?:src|lib)|src|lib|\$\{?PWD\}?|\$\(pwd\)|:|\$\{?PYTHONPATH\}?)*$/,
  PYTHONWARNINGS: /^(?:error|default)/,
  RUSTFLAGS: /^(?:-D\s*\w+\s*)*$/,
  RUSTDOCFLAGS: /^(?:-D\s*\S+\s*)*$/,
  MAVEN_OPTS: /^(?:-X\S+\s*)*$/,
  GOFLAGS: /^(?:-mod=\w+|-buildvcs=\w+)?$/,
};

/** False for a variable in front of a check that can decide what it reports. */
export const isHarmlessVariable = (name: string, value: string): boolean =>
  HARMLESS_VALUES[name]?.test(value) ?? HARMLESS_VARIABLES.test(name);
