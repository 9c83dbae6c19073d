/** The safety screen for the name of a script or target, and the results of all screens. */
import {nameSet} from "../../tools/names.ts";
import type {UnsafeKind} from "../../tools/tool-command.ts";
import {SERVER_NAME, UNSAFE_NAMES} from "./screen-rules.ts";

/**
 * The result for a line. `instead` is a safe variant of the check: one-shot for a watcher, read-only for a writer, the
 * installed tool for a download. `byName`: only the name of a script or target is unsafe. `unknown`: the line cannot be
 * parsed, so it is neither safe nor unsafe.
 */
export type Screening =
  | {readonly kind: "ok"}
  | {readonly kind: "placeholder"; readonly why: string}
  | {readonly kind: "unknown"; readonly why: string}
  | UnsafeScreening;

export interface UnsafeScreening {
  readonly kind: UnsafeKind;
  readonly why: string;
  readonly instead?: string;
  readonly byName?: true;
}

/** The result for one command, or for a name. */
export type CommandScreening = Exclude<Screening, {kind: "placeholder"}>;

export const OK: CommandScreening = {kind: "ok"};
/** Parts of a name that show that a writing tool only checks: `fmt-check`. */
export const READ_ONLY_NAME = nameSet("check verify diff dry dryrun lint test ci");
/** The verbs of a name that checks what its other parts name. */
const READS_FIRST = new Set(["check", "verify", "validate", "lint", "assert", "compare"]);
/** Parts of a name that show a check, whatever the other parts are. */
const CHECK_NAME = nameSet("test tests lint check checks typecheck types unit build verify validate ci coverage");
/** Parts of a name with which `dev` is only a mode. */
const ENDS = new Set(["prepare", "build", "compile", "test", "tests", "lint", "check", "types"]);
export const EFFECTS = {
  watch: "keeps running and waits for changes",
  mutates: "rewrites files",
  browser: "needs a browser, an emulator or a desktop",
  service: "needs a service or an account that is not available",
  release: "releases or pushes",
  server: "starts a server",
  download: "installs or downloads",
  privileged: "needs administrator rights",
} as const satisfies Record<UnsafeKind, string>;

/** Screens the name of a script or target whose body is unknown. */
export function screenName(name: string): CommandScreening {
  const parts = name
    .replace(/([a-z])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  const unsafeName = (kind: UnsafeKind): CommandScreening => ({
    kind,
    why: `its name says that it ${EFFECTS[kind]}`,
    byName: true,
  });
  for (const [kind, names] of UNSAFE_NAMES) {
    const part = parts.find((word) => names.has(word));
    if (part === undefined) continue;
    // `dev:prepare` prepares development, and then exits.
    if (["release", "releases", "prerelease"].includes(part) && ENDS.has(parts.at(-1) ?? "")) continue;
    // `check-version` reads what a release would write.
    if (
      ["version", "versions", "tag", "tags", "release", "releases", "changelog"].includes(part) &&
      READS_FIRST.has(parts[0] ?? "")
    )
      continue;
    if (kind === "watch" && part === "dev" && parts.at(-1) !== "dev" && parts.some((word) => ENDS.has(word))) continue;
    if (kind === "mutates" && part !== "fix" && parts.some((word) => READ_ONLY_NAME.has(word))) continue;
    return unsafeName(kind);
  }
  if (/[-_:.]ui$/i.test(name)) return unsafeName("watch");
  const isServer = parts.some((word) => SERVER_NAME.has(word)) && !parts.some((word) => CHECK_NAME.has(word));
  return isServer ? unsafeName("server") : OK;
}
