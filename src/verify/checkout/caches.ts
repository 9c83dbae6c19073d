/** The caches that are copied from the base's checkout into a candidate's, and why a change to the code cannot make them stale. */
import {join} from "node:path";
import {BUILD_INFO} from "../commands/incremental.ts";
import {listDependencies} from "./cargo-target.ts";
import {filesBelow} from "./folders.ts";

/** The folders in which a stage of the base has just ended. `passes` runs a command in the stage's environment. */
export interface LeftoverFiles {
  readonly checkout: string;
  readonly home: string;
  /** the stage's folder below the checkout */
  readonly cwd: string;
  readonly passes: (command: string) => Promise<boolean>;
}

export interface Cache {
  readonly within: "checkout" | "home";
  /** the cache's folder below that */
  readonly path: (leftover: LeftoverFiles) => string;
  /** The files below the cache's folder to copy; empty if that is not safe, or if there is no such cache. */
  readonly list: (leftover: LeftoverFiles & {readonly folder: string}) => Promise<string[]>;
}

/**
 * These caches are not copied. Node's compile cache (written by tsc and eslint) identifies a module by its path, which differs in
 * each checkout: measured, it has no hits, and hits would save tsc 0.07 s. ruff, pytest, Python's `.pyc` and .NET's `obj` use
 * file times. ESLint, Prettier and mypy check a file without its dependencies, or trust their own list of these. golangci-lint
 * reads settings and generated files that are not in its key. Gradle, Nx, Turborepo, Jest and Vitest cache test results under
 * inputs that the change declares. ccache is nearly sound, but it is enabled by default in no tool.
 */
export const CACHES: readonly Cache[] = [
  {
    // An entry's key is the hash of all its inputs, of files by their content (cmd/go/internal/work, buildActionID).
    within: "home",
    path: () => ".cache/go-build",
    async list({folder, passes}) {
      const files = await filesBelow(folder);
      return files.length > 0 && (await passes(PREPARE_GO_CACHE)) ? filesBelow(folder) : [];
    },
  },
  {
    within: "checkout",
    path: ({cwd}) => join(cwd, "target"),
    list: listDependencies,
  },
  {
    // Only affected runs read it, and they prove nothing. The compiler identifies a file by its content's hash, and compares settings.
    within: "checkout",
    path: () => BUILD_INFO,
    list: ({folder}) => filesBelow(folder),
  },
];

/**
 * Two kinds of entries in Go's cache do not depend on content alone. Test results do not depend on files outside the module
 * (`go help test`), so `go clean -testcache` expires them. C and assembler headers in another folder are in no key. That is safe
 * as long as the key contains the package's folder, which differs in each checkout; `-trimpath` removes it. If the base mentions
 * that option, nothing is copied. `git grep` exits with 1 if there is no match.
 */
const PREPARE_GO_CACHE = `git grep -qF -e -trimpath -- ':(top)' ':(exclude,top)*.md' ':(exclude,top,glob)**/vendor/**' && exit 1 || [ $? = 1 ]
case "$(go env GOFLAGS)" in *-trimpath*) exit 1 ;; esac
go clean -testcache`;
