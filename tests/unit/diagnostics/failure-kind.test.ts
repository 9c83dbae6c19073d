/** Whose business a failure is, told from what was printed. */
import {describe, expect, it} from "vitest";
import {distill} from "../../../src/diagnostics/distill.ts";
import type {FailureKind} from "../../../src/record/words.ts";

const CASES: readonly (readonly [FailureKind, string, string])[] = [
  ["environment", "a program that is not installed", "> app@1.0.0 test\n> vitest run\n\nsh: 1: vitest: not found"],
  ["environment", "a script that is not there", 'npm error Missing script: "typecheck"\nnpm error\n'],
  ["environment", "a Python module run with -m", "/usr/bin/python3: No module named pytest"],
  [
    "environment",
    "a package of the config",
    "Error [ERR_MODULE_NOT_FOUND]: Cannot find package '@eslint/js' imported from /app/eslint.config.js",
  ],
  [
    "environment",
    "a variable, said by the program",
    "/app/config.js:3\n  throw new Error()\n\nError: DATABASE_URL is not set\n    at Object.<anonymous> (/app/config.js:3:30)\n\nNode.js v24.1.0",
  ],
  [
    "environment",
    "a variable, looked up in Python",
    "Traceback (most recent call last):\n  File \"a.py\", line 2, in <module>\n    x = os.environ['API_TOKEN']\nKeyError: 'API_TOKEN'",
  ],
  ["environment", "a variable of the shell", "./run.sh: line 3: API_KEY: unbound variable"],
  [
    "environment",
    "memory of Node",
    "FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory",
  ],
  ["environment", "memory of the compiler", "g++: fatal error: Killed signal terminated program cc1plus"],
  ["environment", "the disk", "main.c:1:1: error: expected ';'\nfatal: write error: No space left on device"],
  ["environment", "a registry", "[ERROR] Plugin org.example:x:1.0 or one of its dependencies could not be resolved"],
  [
    "environment",
    "a host, told behind the end of the build",
    "fetch:\n      [get] Getting: http://files.example/a.zip\n\nBUILD FAILED\n/app/build.xml:66: java.net.UnknownHostException: files.example\n\nTotal time: 1 second\n",
  ],
  [
    "code",
    "tests of CMake's runner, after libraries that nothing requires",
    "-- Could NOT find Doxygen (missing: DOXYGEN_EXECUTABLE)\n-- Configuring done (0.1s)\n2/2 Test #2: sums ...***Failed 0.00 sec\n50% tests passed, 1 tests failed out of 2\n",
  ],
  [
    "environment",
    "a library that CMake requires",
    "CMake Error at FindPackage.cmake:230 (message):\n  Could NOT find ZLIB (missing: ZLIB_LIBRARY)\n-- Configuring incomplete, errors occurred!\n",
  ],
  ["environment", "a database", "connection to server at 127.0.0.1, port 5432 failed: Connection refused"],
  ["environment", "a cargo subcommand", "error: no such command: `nextest`"],
  [
    "environment",
    "a download of go generate (mattn/go-runewidth)",
    '2026/11/30 13:08:36 Get "https://unicode.org/a.txt": dial tcp: lookup unicode.org: no such host\nexit status 1\nrunewidth.go:12: running "go": exit status 1\n',
  ],
  ["environment", "a system library", "/usr/bin/ld: cannot find -lfoo: No such file or directory"],
  [
    "environment",
    "the Android SDK",
    "* What went wrong:\nA problem occurred evaluating project ':app'.\n> SDK location not found. Define location with sdk.dir.",
  ],
  ["timeout", "the timeout program", "still running\ntimeout: sending signal TERM to command 'npm'"],
  [
    "code",
    "a test that ran out of its own time",
    '  0 passing (2s)\n  1 failing\n\n  1) slow:\n     Error: Timeout of 2000ms exceeded. For async tests, ensure "done()" is called\n      at listOnTimeout (node:internal/timers:573:17)',
  ],
  [
    "code",
    "the tests' own limit of go",
    "panic: test timed out after 1s\nrunning tests:\n\tTestHang (1s)\n\nFAIL\tapp\t1.003s",
  ],
  ["timeout", "a job that its service stopped", "FAIL src/a.test.ts\nError: The operation was canceled."],
  [
    "code",
    "tests that ran out of their own time, in other runners",
    " FAIL  a.test.ts > waits\nError: Test timed out in 5000ms.\n ❯ a.test.ts:3:1\n\n Test Files  1 failed (1)",
  ],
  [
    "code",
    "a test that ran out of its own time, in jest",
    '  ● waits\n\n    thrown: "Exceeded timeout of 5000 ms for a test.\n\n      at Object.test (a.test.js:3:1)\n\nTests: 1 failed, 1 total',
  ],
  ["code", "a test of CMake's runner that ran out of time", "1/1 Test #1: waits ...***Timeout 1.00 sec\n"],
  [
    "code",
    "an alias of the project that leads nowhere",
    " FAIL  a.test.ts [ a.test.ts ]\nError: Cannot find package '@/cart' imported from /app/a.test.ts\n ❯ a.test.ts:1:1\n\n Test Files  1 failed (1)",
  ],
  [
    "code",
    "an entry of the project's own imports",
    "Error [ERR_MODULE_NOT_FOUND]: Cannot find package '#lib' imported from /app/a.js",
  ],
  [
    "code",
    "a file of the project, asked for by an installed program",
    "Error [ERR_MODULE_NOT_FOUND]: Cannot find module '/app/src/cart.js' imported from /app/node_modules/x/run.js",
  ],
  [
    "environment",
    "a file of a package that is installed in part",
    "Error [ERR_MODULE_NOT_FOUND]: Cannot find module '/app/node_modules/x/run.js' imported from /app/a.js",
  ],
  [
    "environment",
    "the checksum of a package, npm",
    "npm error code EINTEGRITY\nnpm error sha512-a integrity checksum failed",
  ],
  [
    "environment",
    "the checksum of a package, pip",
    "ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE.",
  ],
  ["environment", "the checksum of a module, go", "verifying example.com/x@v1.0.0: checksum mismatch\nSECURITY ERROR"],
  ["environment", "the checksum of a crate", "error: checksum for `x v1.0.0` changed between lock files"],
  [
    "environment",
    "the checksum of an archive, yarn",
    "➤ YN0018: │ x@npm:1.0.0: The remote archive doesn't match the expected checksum",
  ],
  [
    "no-check",
    "the placeholder of npm init",
    '> echo "Error: no test specified" && exit 1\n\nError: no test specified',
  ],
  [
    "environment",
    "the checksum of an archive, poetry",
    "  - Installing requests (2.31.0): Failed\n\n  RuntimeError\n\n  Hash for requests (2.31.0) from archive requests-2.31.0-py3-none-any.whl not found in known hashes (was: sha256:aaaa)\n",
  ],
  [
    "environment",
    "the checksum of a gem",
    "Bundler found mismatched checksums. This is a potential security risk.\n  rack (3.0.0) sha256=aaaa\n",
  ],
  [
    "environment",
    "the checksum of a source, nix",
    "error: hash mismatch in fixed-output derivation '/nix/store/x-source.drv':\n         specified: sha256-AAAA=\n",
  ],
  [
    "code",
    "a test of go that ran out of its own time",
    "--- FAIL: TestSlow (1.00s)\n    a_test.go:9: context deadline exceeded\nFAIL\nFAIL\texample.com/shop\t1.003s\nFAIL\n",
  ],
  [
    "code",
    "a test of JUnit that ran out of its own time",
    "[ERROR] Tests run: 1, Failures: 0, Errors: 1, Skipped: 0, Time elapsed: 1.2 s <<< FAILURE! -- in shop.ATest\n[ERROR] shop.ATest.slow -- Time elapsed: 1.0 s <<< ERROR!\njava.util.concurrent.TimeoutException: slow() timed out after 1 second\n",
  ],
  ["no-check", "unittest without tests", "Ran 0 tests in 0.000s\n\nNO TESTS RAN"],
  [
    "code",
    "a lock file that does not match",
    "npm error code EUSAGE\nnpm error Missing: left-pad@1.3.0 from lock file",
  ],
  [
    "code",
    "dependencies that cannot be met",
    "npm error code ERESOLVE\nnpm error ERESOLVE unable to resolve dependency tree",
  ],
  ["code", "a module that a test cannot import", "E   ModuleNotFoundError: No module named 'app'"],
  ["code", "a header that is not there", "main.c:1:10: fatal error: nosuch.h: No such file or directory"],
  [
    "code",
    "one test without its service beside one that is wrong",
    " FAIL  a.test.ts > a > one\nError: connect ECONNREFUSED 127.0.0.1:5432\n ❯ a.test.ts:3:1\n\n FAIL  a.test.ts > a > two\nAssertionError: expected 1 to be 2\n ❯ a.test.ts:9:1\n\n Test Files  1 failed (1)",
  ],
  [
    "code",
    "a step that failed after one that went well without a service",
    '$ warm-up\ncurl: (7) Failed to connect to cache.example: Connection refused\nThe command "warm-up" exited with 0.\n$ check\nTypeError: x is not a function\nThe command "check" exited with 1.\n',
  ],
  ["code", "an unknown form", "hello\nTypeError: x is not a function\n    at /app/a.js:1:1"],
  ["code", "nothing at all", ""],
];

describe("the kind of a failure", () => {
  it.each(CASES)("%s: %s", (kind, _about, log) => {
    expect(distill({log, maxChars: 2000}).kind).toBe(kind);
  });
});
