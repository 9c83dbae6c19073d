/** Messages of failures that the code does not cause: no memory or time, a missing tool, nothing to check. */
import {TOOLS} from "../tools/all.ts";

/** Out of memory or disk space: the run did not end normally, whatever else was printed. */
export const EXHAUSTED =
  /JavaScript heap out of memory|^Killed$|: Killed$|\bKilled\s+(?:\(|"|\w+ )|Out of memory: Kill|Cannot allocate memory|virtual memory exhausted|LLVM ERROR: out of memory|runtime: out of memory|java\.lang\.OutOfMemoryError|insufficient memory for the Java Runtime|JVM heap space is exhausted|daemon disappeared unexpectedly|\b(?:ld|cc1\w*|collect2)\S* terminated with signal 9|^container exited: OOMKilled\b|No space left on device|\bENOSPC\b|[Dd]isk quota exceeded|(?:exit(?:ed)? (?:code|status|with)(?: code)?:? |Error |\(exit code: )137\b|signal: 9, SIGKILL|signal: killed|internal compiler error: Killed/;

/**
 * An external timeout stopped the command. The time limit of a single test is not included, because the code may cause
 * it.
 */
export const TIMED_OUT =
  /(?<![Tt]est )timed out after(?! \d+ms)|[Tt]imeout after|sending signal TERM|(?:exit(?:ed)? (?:code|status|with)(?: code)?:? |Error )124\b|[Cc]ommand timed out|The operation was cancell?ed|has timed out|exceeded (?:the )?(?:maximum |max )?(?:execution )?time|deadline exceeded|^Terminated$|no output (?:has been )?received in the last|TimeoutExpired|Timed out \d/;

const NETWORK =
  /\b(?:ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)\b|getaddrinfo|Could not resolve host|[Nn]ame resolution|Name or service not known|no such host|[Cc]onnection (?:refused|reset|timed out)|[Nn]etwork is unreachable|TLS handshake timeout|i\/o timeout|dial tcp|50[234] (?:Service Unavailable|Bad Gateway|Gateway)|Could not transfer artifact|in offline mode|Could not (?:GET|HEAD) '|Unknown host|UnknownHostException|ConnectException|NewConnectionError|Max retries exceeded|[Ff]ailed to (?:connect to|download|fetch) |unable to access 'https?:|could not connect to server|Cannot connect to the Docker daemon|Can't connect to (?:local )?MySQL|connection to server on socket|Connection to \S+:\d+ refused|Communications link failure|Can't reach database server|DBConnection\.ConnectionError\) (?:tcp connect|connection not available)|Broker may not be available|trying to connect to the Docker daemon|Error while fetching server API version|Could not find a (?:valid Docker|working container)|Temporary failure resolving|Read timed out|spurious network error|reading https?:\/\/\S+: (?:40[137]|429|5\d\d) |Could not read from remote repository/;

const CERTIFICATE =
  /self[- ]signed certificate|unable to (?:get (?:local )?issuer|verify the first) certificate|certificate (?:verify failed|has expired|signed by unknown authority)|\b(?:CERT_[A-Z_]+|UNABLE_TO_\w*CERT\w*|UNABLE_TO_VERIFY_LEAF_SIGNATURE|SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT)\b|x509: |SSL certificate problem|PKIX path building failed|invalid peer certificate/;

export type ConnectionCause = "certificate" | "network";

/** The reason that the output gives for a lost connection; null if it gives none. */
export function connectionCause(output: string): ConnectionCause | null {
  if (CERTIFICATE.test(output)) return "certificate";
  return NETWORK.test(output) ? "network" : null;
}

const MISSING_TOOL =
  /^(?:\S+: )*(?:line )?\d*:? ?[\w@./+-]+: (?:command )?not found$|command not found|is not recognized as an internal or external command|spawn \S+ ENOENT|env: .+: No such file or directory|[Mm]issing script|NO_SCRIPT|Couldn't find a script named|^error Command "[^"]*" not found|(?:exit(?:ed)? (?:code|status|with)(?: code)?:? |Error )127\b|\bpython[\d.]*(?:\.exe)?: No module named [^\s.]+$|Cannot find package '(?!@\/|[~#$./]|(?:src|app|lib|tests?)[/'])|ERR_MODULE_NOT_FOUND\]: Cannot find module '[^']*node_modules|Cannot find module '[^'./][^']*'\n?Require stack:.*config|No CMAKE_\w+_COMPILER could be found|SDK location not found|NDK (?:is )?not configured|Could not find a package configuration file|Could NOT find |No package '[^']+' found|was not found in the pkg-config search path|Unable to locate package|JAVA_HOME (?:is not|environment variable is not)|No compiler is provided|no such (?:sub)?command: |toolchain '[^']+' is not installed|linker `[^`]+` not found|\(running go \d|A compatible \.NET SDK was not found|error while loading shared libraries|cannot find -l|Executable doesn't exist at|Failed to launch (?:the )?browser|No (?:usable )?(?:Chrome|browser|binary).*found|Cannot find Chrome|Unsupported engine|could not find (?:java|a JDK)|No plugin found|PluginResolutionException|Plugin \S+ or one of its dependencies could not be resolved|Plugin \[.*\] was not found|The requested (?:profile|toolchain)|not installed\b(?<!\b(?:if|when) .{0,80}not installed)|gyp ERR! find |invalid (?:target|source) release: |release version \d+ not supported|UnsupportedClassVersionError|[\d.]+ or higher is required\. +You are running|is missing from your system|in locally installed gems|Gem::Missing\w*Error|Failed to build gem native extension/;

/** Headers of common development packages. A header of the project may be missing because of the change. */
const SYSTEM_HEADER =
  /fatal error: '?(?:(?:openssl|curl|libxml|libxslt|X11|GL|gtk|glib|cairo|pango|ft2build|freetype\d*|readline|alsa|pulse|SDL\d?|boost|sasl|gssapi|krb5|systemd|uuid|mysql|postgresql|gdk|gio|libusb-[\d.]+)\/\S+|(?:[Pp]ython|zlib|bzlib|lzma|ffi|libpq-fe|mysql|sqlite3|jpeglib|tiffio|ncurses|curses|expat|gmp|mpfr|jni|glib|cairo|ft2build|lber|libudev|portaudio|sndfile|zstd|lz4|snappy-c|cups|pcap|gdal|hdf5|netcdf)\.h)(?:' file not found|: No such file)/;

/** A library of the machine that a build or a program needs. */
const MISSING_LIBRARY =
  /(?:^|[\s'"(])lib[\w.+-]+\.so[\d.]*: cannot open shared object|Library not loaded: |version `GLIBC\w*_[\d.]+' not found|no \S+ in java\.library\.path|ERROR: (?:(?:Dependency|.*\blibrary) ["'][^"']+["']|Program ["'][\w+-]+["']) not found|configure: error: (?!cannot find (?:sources|required aux|install-sh|input)).*(?:not found|no acceptable|were not met|not available|missing|required|not find|installed)|A required package was not found|required packages were not found|pg_config (?:executable )?not found|Can not find valid pkg-config|Could not find (?:directory of OpenSSL|Chrom(?:e|ium)\b|Firefox\b)|custom build command for `[\w-]+ v[^`(]+`$|npm (?:ERR!|error) path \S*\/node_modules\/\S|The system library `[^`]+` required|Host system is missing dependencies|missing the dependency: /;

/** The machine has no display, language, device or permission that a program needs. */
const MACHINE =
  /(?:[Cc]an't open|[Cc]annot open|[Cc]ould not connect to|[Uu]nable to open) (?:X )?display|no display name and no \$DISPLAY|Missing X server|no Qt platform plugin could be|HeadlessException|without having a XServer|unsupported locale setting|configured to use ASCII as encoding|\/dev\/\w.*[Pp]ermission denied|[Pp]ermission denied.* ['"]?\/dev\/\w|permissions to use KVM|requires hardware acceleration|[Nn]o NVIDIA driver|no CUDA-capable device|CUDA driver version is insufficient/;

/**
 * A server of packages, images or sources refuses, or the file system does. Tests of the project's own servers print the
 * same words, and in the sandbox each wrong absolute path is read-only, so these count only if no test points at the code.
 */
const REFUSED =
  /toomanyrequests|\bcode E(?:401|403|429|5\d\d)\b|(?:npm (?:ERR!|error)|Client Error:|Server Error:) (?:429|5\d\d) |429 (?:Client Error|Too Many Requests)|HTTP error (?:401|403|407|429|5\d\d) while getting|rate limit exceeded|bad response .* 5\d\d|could not read Username|Authentication failed for 'http|Permission denied \(publickey|Host key verification failed|EADDRINUSE|Retry\(total=0,|^E: (?:Failed to fetch|Could not get lock|The repository|Unable to (?:fetch|acquire))|^MemoryError\b|[Rr]ead-only file system/;

const MISSING_VARIABLE =
  /(?:environment|env)(?:ironment)? variables? .{0,80}(?:not set|missing|required|undefined|must be|not defined|not found|unset)|(?:[Mm]issing|[Rr]equired|undefined) (?:required )?(?:environment|env) var|unbound variable|parameter (?:null or )?not set|\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b["'`]? (?:is|was|must be|env).{0,20}(?:not set|set|missing|required|undefined|unset|not defined|empty)|KeyError: '[A-Z][A-Z0-9]*_[A-Z0-9_]+'|(?:[Mm]issing|[Ss]et|[Pp]rovide) [A-Z][A-Z0-9]*_[A-Z0-9_]{2,}/;

/** A downloaded package differs from the one that its author published. */
const CHECKSUM =
  /\bEINTEGRITY\b|[Ii]ntegrity (?:check(?:sum)?|verification) failed|DO NOT MATCH THE HASHES|[Cc]hecksum mismatch|checksum for `.*` changed|failed to verify the checksum|match the expected checksum|TARBALL_INTEGRITY|Dependency verification failed|[Cc]hecksum (?:validation|verification) .*failed|ChecksumMismatch|mismatched checksums|Hash Sum mismatch|[Hh]ash mismatch (?:for|in) |not found in known hashes|content hash validation failed/;

/** Something outside the code is missing or wrong. */
export const ENVIRONMENT: readonly RegExp[] = [
  NETWORK,
  MISSING_TOOL,
  ...TOOLS.flatMap(({notInstalled}) => notInstalled ?? []),
  MISSING_VARIABLE,
  MISSING_LIBRARY,
  SYSTEM_HEADER,
  MACHINE,
  CHECKSUM,
];

/** The same, in an output without a failure that points at the code. */
export const REFUSALS: readonly RegExp[] = [CERTIFICATE, REFUSED];

export const NOTHING_CHECKED =
  /Error: no test specified|\bno tests? (?:specified|configured|yet|defined|found)\b|No test files found|no tests ran|no tests collected|no test suite|Couldn.t find any files to test|No tests (?:were )?(?:found|executed)|NO TESTS RAN|No files matching the pattern|No test modules found|all of the files matching .* are ignored|There are no \.py\[i\] files|no packages to test|matched no packages|No specs found|TODO: (?:add )?(?:tests?|lint)|not implemented yet/i;
