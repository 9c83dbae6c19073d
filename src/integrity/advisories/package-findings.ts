/** The findings about new packages: their known vulnerabilities, their age, and what could not be looked up. */
import type {IntegrityFinding} from "../../record/finding.ts";
import type {Advisory, PackageVersion} from "./advisory-tools.ts";
import type {NewPackages} from "./new-packages.ts";

export interface PackageAdvisory extends Advisory, PackageVersion {}

export interface ReleaseDate extends PackageVersion {
  readonly date: Date;
}

/** Advisories per package that are named; the others are counted. */
const MAX_TITLES = 2;
const MAX_TITLE = 120;
/** Package managers that delay new releases wait for one to seven days. */
const YOUNG_DAYS = 7;
const DAY_MS = 86_400_000;

export function packageFindings(
  {path, packages}: Pick<NewPackages, "path" | "packages">,
  {
    advisories,
    dates,
    label,
    today,
  }: {advisories: readonly PackageAdvisory[]; dates: readonly ReleaseDate[]; label: string; today: Date},
): IntegrityFinding[] {
  const place = {check: "advisories" as const, path, line: null};
  const vulnerable = packages.filter((one) => advisories.some((advisory) => isForPackage(advisory, one)));
  const youngPackages = dates.filter(({date}) => today.getTime() - date.getTime() < YOUNG_DAYS * DAY_MS);
  const noVulnerability = `\`${label}\` knows no vulnerability of ${describeCount(packages.length)}`;
  return [
    ...vulnerable.map((one): IntegrityFinding => {
      const packageAdvisories = advisories.filter((advisory) => isForPackage(advisory, one));
      const isMinor = packageAdvisories.every(({severity}) => severity === "low" || severity === "info");
      const message = `\`${one.name}\` ${one.version} has known vulnerabilities: ${titles(packageAdvisories)}`;
      const fix = "Use a version without them, or find out whether they matter here.";
      return {...place, level: isMinor ? "note" : "flag", message, fix};
    }),
    ...(vulnerable.length > 0 || packages.length === 0
      ? []
      : [{...place, level: "note" as const, message: noVulnerability, fix: "Nothing to do."}]),
    ...youngPackages.map(({name, version, date}): IntegrityFinding => {
      const day = date.toISOString().slice(0, 10);
      const message = `\`${name}\` ${version} was released on ${day}, less than ${YOUNG_DAYS} days ago`;
      return {...place, level: "note", message, fix: "Few people have used it so far: read its changes."};
    }),
  ];
}

/** `count` is null if the number of new packages is not known. */
export function notLookedUp({path}: Pick<NewPackages, "path">, count: number | null, why: string): IntegrityFinding {
  return {
    ...{check: "advisories", level: "note", path, line: null},
    message: `Known vulnerabilities of ${count === null ? "new packages" : describeCount(count)} were not looked up: ${why}`,
    fix: "Look them up before you merge.",
  };
}

const isForPackage = (advisory: PackageVersion, {name, version}: PackageVersion): boolean =>
  advisory.name === name && advisory.version === version;

const describeCount = (count: number): string => (count === 1 ? "the new package" : `the ${count} new packages`);

function titles(advisories: readonly Advisory[]): string {
  const shownAdvisories = advisories.slice(0, MAX_TITLES).map(({title, id, severity}) => {
    const details = [id, severity].filter(Boolean).join(", ");
    return `${title.slice(0, MAX_TITLE)}${details === "" ? "" : ` (${details})`}`;
  });
  const hiddenCount = advisories.length - shownAdvisories.length;
  return `${shownAdvisories.join("; ")}${hiddenCount > 0 ? `; and ${hiddenCount} more` : ""}`;
}
