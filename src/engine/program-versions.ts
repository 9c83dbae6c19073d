/** Asks the programs of this machine for their versions, and compares them with CI's. */
import {execFile} from "node:child_process";
import {mkdtempSync, readFileSync, realpathSync} from "node:fs";
import {rm} from "node:fs/promises";
import {tmpdir} from "node:os";
import {dirname, join, relative} from "node:path";
import {promisify} from "node:util";
import {parse as parseJson} from "jsonc-parser";
import {type CiVersion, noteOtherVersions} from "../detect/ci/tool-versions.ts";
import {textEntries} from "../detect/files/manifest-values.ts";
import {findProgram} from "../process/isolation.ts";
import type {Note} from "../record/plan.ts";
import {programsWith} from "../tools/all-commands.ts";

const VERSION_MS = 10_000;
/** Programs with a command `version` instead of the option `--version`. */
const VERSION_WORD = programsWith("command version");
/** Where programs find themselves and their settings. No other variable of the caller is passed on. */
const PASSED_ON = ["PATH", "HOME", "RUSTUP_HOME", "CARGO_HOME", "PYENV_ROOT", "JAVA_HOME", "GOROOT"];

/** The repository, whose programs are not started, and the variables of the caller. */
interface ProgramSearch {
  readonly folder: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
}

/** The path of a program and the version that it prints; null if it prints none. */
export interface FoundProgram {
  readonly path: string;
  readonly version: string | null;
}

/**
 * Finds a program in PATH, and asks for its version in an empty folder. A program of the repository in `folder` is not
 * started. Null if there is none.
 */
export async function findVersion(name: string, {folder, variables}: ProgramSearch): Promise<FoundProgram | null> {
  const path = findProgram(name, {cwd: folder, path: variables["PATH"] ?? ""});
  if (path === null) return null;
  if (name.includes("/") || !relative(folder, path).startsWith("..")) return {path, version: null};
  const known = versionWithoutStart(name, path);
  if (known !== null) return {path, version: known};
  const env = Object.fromEntries(PASSED_ON.map((passed) => [passed, variables[passed]]));
  const cwd = mkdtempSync(join(tmpdir(), "assay-version-"));
  const answer = await promisify(execFile)(path, [VERSION_WORD.has(name) ? "version" : "--version"], {
    ...{cwd, env: {...env, CI: "true", COREPACK_ENABLE_DOWNLOAD_PROMPT: "0"}},
    ...{timeout: VERSION_MS, killSignal: "SIGKILL"},
  }).catch(() => null);
  await rm(cwd, {recursive: true, force: true, maxRetries: 3});
  return {path, version: /\d+(?:\.\d+)+[\w.+-]*/.exec(`${answer?.stdout}${answer?.stderr}`)?.[0] ?? null};
}

/** Of this process's own program, and of a package with the name of the program: the start of npm takes longer than many a test. */
function versionWithoutStart(name: string, path: string): string | null {
  try {
    const program = realpathSync(path);
    if (program === process.execPath) return process.versions.node;
    const manifest: unknown = parseJson(readFileSync(join(dirname(program), "../package.json"), "utf8"));
    const values = textEntries(manifest);
    return values.get("name") === (name === "npx" ? "npm" : name) ? (values.get("version") ?? null) : null;
  } catch {
    return null;
  }
}

/** The versions of these programs, of those that are installed and print one. The programs have started on return. */
export async function installedVersions(
  names: Iterable<string>,
  place: ProgramSearch,
): Promise<ReadonlyMap<string, string>> {
  const found = await Promise.all(
    [...new Set(names)].map(async (name) => ({name, at: await findVersion(name, place)})),
  );
  return new Map(found.flatMap(({name, at}) => (at?.version == null ? [] : [[name, at.version]])));
}

/** A note for each toolchain of CI whose installed version is another one. */
export async function compareWithCi(ofCi: readonly CiVersion[], place: ProgramSearch): Promise<Note[]> {
  return noteOtherVersions(
    ofCi,
    await installedVersions(
      ofCi.map(({program}) => program),
      place,
    ),
  );
}
