/** Messages of failures that the code does not cause: no memory or time, a missing tool, nothing to check. */
import {TOOLS} from "../tools/all.ts";
import {isTold, type Telling, tellingOf} from "./telling.ts";

/** Out of memory or disk space: the run did not end normally, whatever else was printed. */
export const EXHAUSTED = tellingOf(
  `javascript heap out of memory, out of memory: kill, cannot allocate memory, virtual memory exhausted,
  llvm error: out of memory, runtime: out of memory, java.lang.outofmemoryerror, insufficient memory for the java runtime,
  jvm heap space is exhausted, daemon disappeared unexpectedly, container exited: oomkilled, no space left on device,
  enospc, disk quota exceeded, signal: killed, internal compiler error: killed`,
  /^Killed$|: Killed$|\bKilled\s+(?:\(|"|\w+ )/,
  /\b(?:ld|cc1\w*|collect2)\S* terminated with signal 9/,
  /(?:exit(?:ed)? (?:code|status|with)(?: code)?:? |Error |\(exit code: )137\b/,
  /signal: 9, SIGKILL/,
);

/**
 * An external timeout stopped the command. The time limit of a single test is not included, because the code may cause
 * it.
 */
export const TIMED_OUT = tellingOf(
  `timeout after, sending signal term, command timed out, the operation was canceled, the operation was cancelled,
  has timed out, deadline exceeded, no output received in the last, no output has been received in the last, timeoutexpired`,
  /(?<![Tt]est )timed out after(?! \d+ms)/,
  /(?:exit(?:ed)? (?:code|status|with)(?: code)?:? |Error )124\b/,
  /exceeded (?:the )?(?:maximum |max )?(?:execution )?time/,
  /^Terminated$|Timed out \d/,
);

const NETWORK = tellingOf(
  `getaddrinfo,
  could not resolve host, name resolution, name or service not known, no such host, connection refused, connection reset,
  connection timed out, network is unreachable, tls handshake timeout, i/o timeout, dial tcp, could not transfer artifact,
  in offline mode, could not get ', could not head ', unknown host, unknownhostexception, connectexception,
  newconnectionerror, max retries exceeded, unable to access 'http, could not connect to server,
  cannot connect to the docker daemon, can't connect to mysql, can't connect to local mysql,
  connection to server on socket, communications link failure, can't reach database server, broker may not be available,
  trying to connect to the docker daemon, error while fetching server api version, could not find a valid docker,
  could not find a working container, temporary failure resolving, read timed out, spurious network error,
  could not read from remote repository`,
  /\b(?:ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)\b/,
  /50[234] (?:Service Unavailable|Bad Gateway|Gateway)/,
  /[Ff]ailed to (?:connect to|download|fetch) /,
  /Connection to \S+:\d+ refused|DBConnection\.ConnectionError\) (?:tcp connect|connection not available)/,
  /reading https?:\/\/\S+: (?:40[137]|429|5\d\d) /,
);

const CERTIFICATE = tellingOf(
  `self-signed certificate, self signed certificate, unable to get issuer certificate, unable to get local issuer certificate,
  unable to verify the first certificate, certificate verify failed, certificate has expired,
  certificate signed by unknown authority, unable_to_verify_leaf_signature, self_signed_cert_in_chain,
  depth_zero_self_signed_cert, x509:, ssl certificate problem, pkix path building failed, invalid peer certificate`,
  /\b(?:CERT_[A-Z_]+|UNABLE_TO_\w*CERT\w*)\b/,
);

export type ConnectionCause = "certificate" | "network";

/** The reason that the output gives for a lost connection; null if it gives none. */
export function connectionCause(output: string): ConnectionCause | null {
  if (isTold(CERTIFICATE, output)) return "certificate";
  return isTold(NETWORK, output) ? "network" : null;
}

const MISSING_TOOL = tellingOf(
  `command not found, is not recognized as an internal or external command, missing script, no_script,
  couldn't find a script named, sdk location not found, could not find a package configuration file,
  was not found in the pkg-config search path, unable to locate package, java_home is not,
  java_home environment variable is not, no compiler is provided, a compatible .net sdk was not found,
  error while loading shared libraries, cannot find -l, executable doesn't exist at, failed to launch browser,
  failed to launch the browser, cannot find chrome, unsupported engine, could not find java, could not find a jdk,
  no plugin found, pluginresolutionexception, the requested profile, the requested toolchain, gyp err! find,
  unsupportedclassversionerror, is missing from your system, in locally installed gems, failed to build gem native extension`,
  /^(?:\S+: )*(?:line )?\d*:? ?[\w@./+-]+: (?:command )?not found$/,
  /spawn \S+ ENOENT|env: .+: No such file or directory/,
  /^error Command "[^"]*" not found/,
  /(?:exit(?:ed)? (?:code|status|with)(?: code)?:? |Error )127\b/,
  /\bpython[\d.]*(?:\.exe)?: No module named [^\s.]+$/,
  /Cannot find package '(?!@\/|[~#$./]|(?:src|app|lib|tests?)[/'])/,
  /ERR_MODULE_NOT_FOUND\]: Cannot find module '[^']*node_modules/,
  /Cannot find module '[^'./][^']*'\n?Require stack:.*config/,
  /No CMAKE_\w+_COMPILER could be found|Could NOT find |No package '[^']+' found/,
  /toolchain '[^']+' is not installed|linker `[^`]+` not found/,
  /\(running go \d|invalid (?:target|source) release: |release version \d+ not supported/,
  /No (?:usable )?(?:Chrome|browser|binary).*found/,
  /Plugin \S+ or one of its dependencies could not be resolved|Plugin \[.*\] was not found/,
  /not installed\b(?<!\b(?:if|when) .{0,80}not installed)/,
  /[\d.]+ or higher is required\. +You are running|Gem::Missing\w*Error/,
);

/** Folders and names of common development headers. A header of the project may be missing because of the change. */
const HEADER = /fatal error: '?(?:([\w.-]+)\/\S+|([\w-]+)\.h)(?:' file not found|: No such file)/;
const SYSTEM_HEADERS = new Set(
  "openssl curl libxml libxslt gl gtk glib cairo pango ft2build readline boost gssapi krb5 systemd uuid mysql postgresql python zlib bzlib lzma ffi libpq-fe sqlite3 jpeglib ncurses curses expat gmp mpfr jni".split(
    " ",
  ),
);

/** True for a missing header of the machine. */
export function lacksHeader(line: string): boolean {
  const [, folder, name] = HEADER.exec(line) ?? [];
  return SYSTEM_HEADERS.has((folder ?? name ?? "").toLowerCase());
}

/** A library of the machine that a build or a program needs. */
const MISSING_LIBRARY = tellingOf(
  `library not loaded:, a required package was not found, required packages were not found, pg_config not found,
  pg_config executable not found, can not find valid pkg-config, could not find directory of openssl,
  could not find chrome, could not find chromium, could not find firefox, host system is missing dependencies,
  missing the dependency:`,
  /(?:^|[\s'"(])lib[\w.+-]+\.so[\d.]*: cannot open shared object|version `GLIBC\w*_[\d.]+' not found/,
  /no \S+ in java\.library\.path|The system library `[^`]+` required/,
  /ERROR: (?:(?:Dependency|.*\blibrary) ["'][^"']+["']|Program ["'][\w+-]+["']) not found/,
  /configure: error: (?!cannot find (?:sources|required aux|install-sh|input)).*(?:not found|required|not find|installed)/,
  /configure: error: (?!cannot find ).*(?:no acceptable|were not met|not available|missing)/,
  /custom build command for `[\w-]+ v[^`(]+`$|npm (?:ERR!|error) path \S*\/node_modules\/\S/,
);

/** The machine has no display, language, device or permission that a program needs. */
const MACHINE = tellingOf(
  `no display name and no $display, missing x server, no qt platform plugin could be, headlessexception,
  without having a xserver, unsupported locale setting, configured to use ascii as encoding, permissions to use kvm,
  requires hardware acceleration, no nvidia driver, no cuda-capable device, cuda driver version is insufficient`,
  /(?:can't open|cannot open|could not connect to|unable to open) (?:X )?display/i,
  /\/dev\/\w.*[Pp]ermission denied|[Pp]ermission denied.* ['"]?\/dev\/\w/,
);

/**
 * A server of packages, images or sources refuses, or the file system does. Tests of the project's own servers print the
 * same words, and in the sandbox each wrong absolute path is read-only, so these count only if no test points at the code.
 */
const REFUSED = tellingOf(
  `toomanyrequests, 429 client error, 429 too many requests, rate limit exceeded, could not read username,
  authentication failed for 'http, permission denied (publickey, host key verification failed, eaddrinuse,
  retry(total=0, read-only file system`,
  /\bcode E(?:401|403|429|5\d\d)\b/,
  /(?:npm (?:ERR!|error)|Client Error:|Server Error:) (?:429|5\d\d) |bad response .* 5\d\d/,
  /HTTP error (?:401|403|407|429|5\d\d) while getting/,
  /^E: (?:Failed to fetch|Could not get lock|The repository|Unable to (?:fetch|acquire))|^MemoryError\b/,
);

const MISSING_VARIABLE = tellingOf(
  "unbound variable, parameter not set, parameter null or not set",
  /env(?:ironment)? variables? .{0,80}(?:not set|missing|required|undefined|must be|not defined|not found|unset)/,
  /(?:[Mm]issing|[Rr]equired|undefined) (?:required )?(?:environment|env) var/,
  /\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b["'`]? (?:is|was|must be|env).{0,20}(?:set|missing|required|undefined|defined|empty)/,
  /KeyError: '[A-Z][A-Z0-9]*_[A-Z0-9_]+'|(?:[Mm]issing|[Ss]et|[Pp]rovide) [A-Z][A-Z0-9]*_[A-Z0-9_]{2,}/,
);

/** A downloaded package differs from the one that its author published. */
const CHECKSUM = tellingOf(
  `eintegrity, integrity check failed, integrity checksum failed, integrity verification failed, do not match the hashes,
  checksum mismatch, failed to verify the checksum, match the expected checksum, tarball_integrity,
  dependency verification failed, checksummismatch, mismatched checksums, hash sum mismatch, hash mismatch for,
  hash mismatch in, not found in known hashes, content hash validation failed`,
  /checksum for `.*` changed|[Cc]hecksum (?:validation|verification) .*failed/,
);

/** Something outside the code is missing or wrong. */
export const ENVIRONMENT: readonly Telling[] = [
  NETWORK,
  MISSING_TOOL,
  {texts: [], patterns: TOOLS.flatMap(({notInstalled}) => notInstalled ?? [])},
  MISSING_VARIABLE,
  MISSING_LIBRARY,
  MACHINE,
  CHECKSUM,
];

/** The same, in an output without a failure that points at the code. */
export const REFUSALS: readonly Telling[] = [CERTIFICATE, REFUSED];

/** The first line that tells what outside the code is missing or wrong; null if none does. */
export function environmentLine(output: string): string | null {
  const causes = [EXHAUSTED, ...ENVIRONMENT, ...REFUSALS];
  const lines = output.split("\n").map((line) => line.trim());
  return lines.find((line) => causes.some((cause) => isTold(cause, line)) || lacksHeader(line)) ?? null;
}

export const NOTHING_CHECKED = tellingOf(
  `error: no test specified, no test files found, no tests ran, no tests collected, no test suite,
  couldn't find any files to test, couldn’t find any files to test, no tests found, no tests were found, no tests executed,
  no tests were executed, no files matching the pattern, no test modules found, there are no .py[i] files,
  no packages to test, matched no packages, no specs found, not implemented yet`,
  /\bno tests? (?:specified|configured|yet|defined|found)\b/i,
  /all of the files matching .* are ignored|TODO: (?:add )?(?:tests?|lint)/i,
);
