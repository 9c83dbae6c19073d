/** Finds installed packages that fail to build: the machine lacks what they need, and the code of the project does not. */

const FAILED_BUILD = /Failed (?:building wheel for|to build) (?<name>[\w.-]{1,100})/;
/** The project itself is built from its folder, without an archive. */
const ARCHIVE =
  /(?:Downloading|Using cached) (?:\S{1,300}\/)?(?<name>[\w.-]{1,100})-\d[\w.+!-]{0,60}\.(?:tar\.(?:gz|bz2|xz)|zip)\b/;

/** The patterns of the lines that `failsToBuildPackage` reads. */
export const BUILD_LINES: readonly RegExp[] = [FAILED_BUILD, ARCHIVE];

/** True if a package fails to build that was downloaded as source code. */
export function failsToBuildPackage(lines: readonly string[]): boolean {
  const failedBuilds = namesIn(lines, FAILED_BUILD);
  return failedBuilds.size > 0 && [...namesIn(lines, ARCHIVE)].some((name) => failedBuilds.has(name));
}

/** Package names differ in case and separators from the names of their archives (PEP 503). */
function namesIn(lines: readonly string[], pattern: RegExp): Set<string> {
  return new Set(
    lines.flatMap(
      (line) =>
        pattern
          .exec(line)
          ?.groups?.["name"]?.toLowerCase()
          .replace(/[._-]+/g, "-") ?? [],
    ),
  );
}
