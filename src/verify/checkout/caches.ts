/** The caches that go from the base's checkout into a candidate's, and why no change to the code can make them stale. */
import {join} from "node:path";
import {BUILD_INFO} from "../commands/incremental.ts";
import {listDependencies} from "./cargo-target.ts";
import {filesBelow} from "./folders.ts";

/** Where a stage of the base has just ended. `passes` runs a command there, as that stage ran, and says whether it ended well. */
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
  readonly path: (left: LeftoverFiles) => string;
  /** Its files that may go on, below its folder; none where that would not be safe, or where there is no such cache. */
  readonly list: (o: LeftoverFiles & {readonly folder: string}) => Promise<string[]>;
}

/**
 * What is not here, and why. Node's compile cache (tsc and eslint write one) knows a module by its path, and each checkout has
 * another: measured, nothing is found again, and 0.07 s for tsc if it were. ruff, pytest, Python's `.pyc` and .NET's `obj` go by a
 * file's time. ESLint, Prettier and mypy know a file by itself, or trust their own notes of what it depends on. golangci-lint
 * reads settings and generated files that its key leaves out. Gradle's, Nx's and Turborepo's caches keep what a test gave, under inputs that the
 * change declares, and so do Jest's and Vitest's own. ccache is nearly sound, and nobody's default.
 */
export const CACHES: readonly Cache[] = [
  {
    // An entry's key is the hash of all that went into it, files by their content (cmd/go/internal/work, buildActionID).
    within: "home",
    path: () => ".cache/go-build",
    async list({folder, passes}) {
      const files = await filesBelow(folder);
      return files.length > 0 && (await passes(FIT_FOR_OTHERS)) ? filesBelow(folder) : [];
    },
  },
  {
    within: "checkout",
    path: ({cwd}) => join(cwd, "target"),
    list: listDependencies,
  },
  {
    // Read by first looks only, which claim nothing. The compiler knows a file by the hash of its content, and settings by themselves.
    within: "checkout",
    path: () => BUILD_INFO,
    list: ({folder}) => filesBelow(folder),
  },
];

/**
 * Two things in Go's cache are not known by their content. What a test gave is kept although files outside of the module are
 * not looked at (`go help test`): `go clean -testcache` makes it count no more. And headers of C and of the assembler that lie in
 * another folder are in no key. That does no harm while the key has the package's own folder, for each checkout has another;
 * `-trimpath` takes it out. Where the base speaks of that, nothing is carried. `git grep` ends with 1 where it finds nothing.
 */
const FIT_FOR_OTHERS = `git grep -qF -e -trimpath -- ':(top)' ':(exclude,top)*.md' ':(exclude,top,glob)**/vendor/**' && exit 1 || [ $? = 1 ]
case "$(go env GOFLAGS)" in *-trimpath*) exit 1 ;; esac
go clean -testcache`;
