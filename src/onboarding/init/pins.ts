/** The version of Assay that a workflow runs: a commit, which stays, or the moving tag of its major version. */
import {ASSAY, REUSABLE} from "./action-pins.ts";

const USES = /\b[\w.-]+\/assay(?:\/[\w./-]+)?@([\w./-]+)(?:[ \t]+#[ \t]*(.*))?/g;
const RELEASE = /^v(\d+)\.\d+\.\d+$/;

interface Pin {
  /** a commit, a tag or a branch */
  readonly ref: string;
  /** what the comment says of it; nobody checks that */
  readonly label: string;
}

/** The versions that a workflow's text names, each once. */
export function pinsIn(text: string): Pin[] {
  const pins = [...text.matchAll(USES)].map(([, ref = "", label = ""]) => ({ref, label: label.trim()}));
  return [...new Map(pins.map((pin) => [pin.ref, pin])).values()];
}

/** The versions that this version of `assay init` writes. */
export const ownPins = (): Pin[] => pinsIn(`${ASSAY}\n${REUSABLE}`);

/** The tag that each release of this major version moves to itself; null if this version is no release. */
export function majorTag(): string | null {
  const major = RELEASE.exec(ownPins()[0]?.label ?? "")?.[1];
  return major === undefined ? null : `v${major}`;
}

/** The workflow with a tag in place of Assay's commits. */
export const withTag = (text: string, tag: string): string =>
  text.replace(USES, (whole, ref: string) => `${whole.slice(0, whole.indexOf(`@${ref}`))}@${tag}`);
