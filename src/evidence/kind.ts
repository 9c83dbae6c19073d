/** Says whose business a failure is: the code's, the environment's, the clock's, or nobody's because nothing was checked. */
import type {TestCounts} from "../record/evidence.ts";
import type {FailureKind} from "../words.ts";
import type {Problem} from "./blocks.ts";
import {HINT, placesWith} from "./hints.ts";
import {bodyAt, type Lines} from "./lines.ts";

/** Out of memory or disk: whatever else was printed, the run did not get to its end. */
const EXHAUSTED =
  /JavaScript heap out of memory|^Killed$|: Killed$|\bKilled\s+(?:\(|"|\w+ )|Out of memory: Kill|Cannot allocate memory|virtual memory exhausted|LLVM ERROR: out of memory|runtime: out of memory|java\.lang\.OutOfMemoryError|No space left on device|\bENOSPC\b|Disk quota exceeded|(?:exit(?:ed)? (?:code|status|with)(?: code)?:? |Error |\(exit code: )137\b|signal: 9, SIGKILL|signal: killed|internal compiler error: Killed/;

const TIMED_OUT =
  /timed out after|[Tt]imeout after|sending signal TERM|(?:exit(?:ed)? (?:code|status|with)(?: code)?:? |Error )124\b|[Cc]ommand timed out|The operation was cancell?ed|has timed out|exceeded (?:the )?(?:maximum |max )?(?:execution )?time|deadline exceeded|^\+{4,} Timeout \+{4,}|\bTimeout >\d|Failed: Timeout|\*\*\*Timeout|[Tt]imeout of \d+ ?ms exceeded|[Ee]xceeded timeout of|[Tt]est timed out|timed out in \d+ ?m?s|^Terminated$|no output (?:has been )?received in the last|TimeoutExpired|Timed out \d|test timeout/i;

const NETWORK =
  /\b(?:ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)\b|getaddrinfo|Could not resolve host|[Nn]ame resolution|Name or service not known|no such host|[Cc]onnection (?:refused|reset|timed out)|[Nn]etwork is unreachable|TLS handshake timeout|i\/o timeout|dial tcp|50[234] (?:Service Unavailable|Bad Gateway|Gateway)|Could not transfer artifact|in offline mode|Could not (?:GET|HEAD) '|Unknown host|UnknownHostException|ConnectException|NewConnectionError|Max retries exceeded|[Ff]ailed to (?:connect to|download|fetch) |unable to access 'https?:|could not connect to server|Cannot connect to the Docker daemon|Can't connect to (?:local )?MySQL|spurious network error|Could not read from remote repository/;

const MISSING_TOOL =
  /^(?:\S+: )*(?:line )?\d*:? ?[\w@./+-]+: (?:command )?not found$|command not found|is not recognized as an internal or external command|spawn \S+ ENOENT|env: .+: No such file or directory|[Mm]issing script|NO_SCRIPT|Couldn't find a script named|^error Command "[^"]*" not found|(?:exit(?:ed)? (?:code|status|with)(?: code)?:? |Error )127\b|\bpython[\d.]*(?:\.exe)?: No module named|Cannot find package '|ERR_MODULE_NOT_FOUND.*node_modules|Cannot find module '[^'./][^']*'\n?Require stack:.*config|No CMAKE_\w+_COMPILER could be found|Could not find a package configuration file|Could NOT find |No package '[^']+' found|was not found in the pkg-config search path|Unable to locate package|JAVA_HOME (?:is not|environment variable is not)|No compiler is provided|no such (?:sub)?command: |toolchain '[^']+' is not installed|linker `[^`]+` not found|\(running go \d|A compatible \.NET SDK was not found|error while loading shared libraries|cannot find -l|Executable doesn't exist at|Failed to launch (?:the )?browser|No (?:usable )?(?:Chrome|browser|binary).*found|Cannot find Chrome|Unsupported engine|could not find (?:java|a JDK)|No plugin found|PluginResolutionException|Plugin \S+ or one of its dependencies could not be resolved|Plugin \[.*\] was not found|The requested (?:profile|toolchain)|not installed\b/;

const MISSING_VARIABLE =
  /(?:environment|env)(?:ironment)? variables? .{0,80}(?:not set|missing|required|undefined|must be|not defined|not found|unset)|(?:[Mm]issing|[Rr]equired|undefined) (?:required )?(?:environment|env) var|unbound variable|parameter (?:null or )?not set|\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b["'`]? (?:is|was|must be|env).{0,20}(?:not set|set|missing|required|undefined|unset|not defined|empty)|KeyError: '[A-Z][A-Z0-9]*_[A-Z0-9_]+'|(?:[Mm]issing|[Ss]et|[Pp]rovide) [A-Z][A-Z0-9]*_[A-Z0-9_]{2,}/;

const ENVIRONMENT: readonly RegExp[] = [NETWORK, MISSING_TOOL, MISSING_VARIABLE];

const NOTHING_CHECKED =
  /Error: no test specified|\bno tests? (?:specified|configured|yet|defined|found)\b|No test files found|no tests ran|no tests collected|no test suite|Couldn.t find any files to test|No tests (?:were )?(?:found|executed)|NO TESTS RAN|No files matching the pattern|No test modules found|all of the files matching .* are ignored|There are no \.py\[i\] files|no packages to test|matched no packages|No specs found|TODO: (?:add )?(?:tests?|lint)|not implemented yet/i;

/** Tools whose reports are not about the code: they pass on that something below them failed, or show any crash at all. */
const MESSENGERS = new Set([
  "unknown",
  "java",
  "python",
  "node",
  "npm",
  "pnpm",
  "yarn",
  "pip",
  "shell",
  "make",
  "cargo",
]);

/** Each entry of EXHAUSTED holds one of these. */
const MAY_BE_EXHAUSTED = /emory|OutOfMemory|illed|Kill|ENOSPC|space left|quota|137/;

/** A quick look that spares most lines the lists above: each of their entries holds one of these. */
const MAY_TELL =
  /memory|kill|space|ENOSPC|quota|exit|error|time|terminated|deadline|\bE[A-Z]{6,}|getaddr|resol|\bnot |\bno |host|connect|unreach|dial|50[234]|artifact|offline|could|cannot|can't|max retries|failed|access|remote|missing|NO_SCRIPT|spawn|env|python|unable|JAVA_HOME|\(running go|shared lib|executable|unsupported|plugin|requested|unbound|parameter|[A-Z]_[A-Z]|matched|todo/i;

/** What is said on the way and stops nothing. */
const PASSING_REMARK = /^(?:\s|\[)*(?:debug|info|notice|note|warn|warning|npm warn)\b|^$/i;

/** Given that it failed. Where a checker or a test points at the code, it is the code, unless memory, disk or time ran out under it. */
export function kindOf(o: {
  lines: Lines;
  hints: Int32Array;
  problems: readonly Problem[];
  tests: TestCounts | null;
}): FailureKind {
  const said = (hint: number, sieve: RegExp): string[] =>
    placesWith(hint, o.hints)
      .filter((at) => !o.lines.passing.has(at))
      .map((at) => bodyAt(o.lines, at))
      .filter((body) => sieve.test(body) && !PASSING_REMARK.test(body));
  if (said(HINT.exhausted, MAY_BE_EXHAUSTED).some((body) => EXHAUSTED.test(body))) return "environment";
  if (o.problems.some((problem) => pointsAtCode(o.lines, problem))) return "code";
  const telling = said(HINT.telling, MAY_TELL);
  const says = (pattern: RegExp): boolean => telling.some((body) => pattern.test(body));
  if (says(TIMED_OUT)) return "timeout";
  if (ENVIRONMENT.some(says)) return "environment";
  const noneRan = o.tests !== null && o.tests.passed + o.tests.failed + o.tests.skipped === 0;
  return noneRan || says(NOTHING_CHECKED) ? "no-check" : "code";
}

function pointsAtCode(lines: Lines, problem: Problem): boolean {
  const {diagnostic, from, to} = problem;
  if (diagnostic.severity !== "error" || MESSENGERS.has(diagnostic.tool)) return false;
  if (diagnostic.testId === undefined && (diagnostic.file === undefined || diagnostic.line === undefined)) return false;
  for (let at = from; at <= Math.min(to, from + 80); at++) {
    const body = bodyAt(lines, at);
    if (TIMED_OUT.test(body) || ENVIRONMENT.some((pattern) => pattern.test(body))) return false;
  }
  return true;
}
