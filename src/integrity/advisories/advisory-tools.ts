/** Programs that look up known vulnerabilities, how to ask each about a few packages, and how to read its answer. */
import {listOf, mapOf, textAt, textsOf, valueAt} from "../../detect/files/manifest-values.ts";

/** The names of https://ossf.github.io/osv-schema/#defined-ecosystems */
export type PackageEcosystem = "npm" | "PyPI" | "crates.io" | "Packagist" | "RubyGems" | "Go";

export interface PackageVersion {
  readonly name: string;
  readonly version: string;
}

export interface Advisory {
  readonly name: string;
  readonly id: string;
  readonly title: string;
  /** as its source names it; null if it does not */
  readonly severity: string | null;
}

export interface ToolAnswer {
  readonly advisories: readonly Advisory[];
  /** names that the program could not look up */
  readonly unknown?: readonly string[];
}

export interface AdvisoryTool {
  readonly program: string;
  /** its usual name */
  readonly label: string;
  readonly ecosystems: readonly PackageEcosystem[];
  readonly args: readonly string[];
  /**
   * The files that the program reads. They are always written from scratch, because a file of the change could tell the
   * program what to leave out.
   */
  readonly files: (
    packages: readonly PackageVersion[],
    ecosystem: PackageEcosystem,
  ) => Readonly<Record<string, string>>;
  /** Reads the program's answer; null if the document is none. A program may end with 1 if it found something. */
  readonly read: (document: unknown) => ToolAnswer | null;
  /** how to ask its registry when a version was released */
  readonly dates?: {
    readonly argv: (one: PackageVersion) => readonly [string, ...string[]];
    readonly read: (document: unknown, one: PackageVersion) => Date | null;
  };
}

/** Without a network, npm would wait for more than a minute. */
const NPM_LIMITS = ["--fetch-retries=0", "--fetch-timeout=20000"];

/** The first program that exists on the machine is used. */
export const ADVISORY_TOOLS: readonly AdvisoryTool[] = [
  {
    program: "npm",
    label: "npm audit",
    ecosystems: ["npm"],
    args: ["audit", "--json", "--package-lock-only", "--ignore-scripts", ...NPM_LIMITS],
    files: npmFiles,
    read: readNpmAudit,
    dates: {
      argv: ({name}) => ["npm", "view", name, "time", "--json", ...NPM_LIMITS],
      read: (document, {version}) => dateOf(textAt(document, version)),
    },
  },
  {
    program: "pip-audit",
    label: "pip-audit",
    ecosystems: ["PyPI"],
    args: ["--format=json", "--disable-pip", "--no-deps", "--progress-spinner=off", "--requirement=requirements.txt"],
    files: (packages) => ({"requirements.txt": packages.map(({name, version}) => `${name}==${version}\n`).join("")}),
    read: readPipAudit,
  },
  {
    program: "cargo-audit",
    label: "cargo audit",
    ecosystems: ["crates.io"],
    args: ["audit", "--json", "--file", "Cargo.lock"],
    files: (packages) => ({"Cargo.lock": `version = 3\n${packages.map(cargoPackage).join("")}`}),
    read: readCargoAudit,
  },
  {
    program: "osv-scanner",
    label: "osv-scanner",
    ecosystems: ["npm", "PyPI", "crates.io", "Packagist", "RubyGems", "Go"],
    args: ["scan", "--format=json", "--lockfile=osv-scanner:packages.json"],
    files: (packages, ecosystem) => ({
      "packages.json": JSON.stringify({
        results: [{packages: packages.map(({name, version}) => ({package: {name, version, ecosystem}}))}],
      }),
    }),
    read: readOsvScanner,
  },
];

/** https://docs.npmjs.com/cli/configuring-npm/package-lock-json */
function npmFiles(packages: readonly PackageVersion[]): Record<string, string> {
  const dependencies = Object.fromEntries(packages.map(({name, version}) => [name, version]));
  const entries = packages.map(({name, version}) => [`node_modules/${name}`, {version}]);
  const root = {name: "packages", version: "0.0.0", dependencies};
  const locked = {lockfileVersion: 3, requires: true, packages: {"": root, ...Object.fromEntries(entries)}};
  return {"package.json": JSON.stringify(root), "package-lock.json": JSON.stringify(locked)};
}

/** https://docs.npmjs.com/cli/commands/npm-audit: a text in `via` names another package that is the cause. */
function readNpmAudit(document: unknown): ToolAnswer | null {
  const packages = valueAt(document, "vulnerabilities");
  if (valueAt(document, "auditReportVersion") !== 2) return null;
  const advisories = [...mapOf(packages)].flatMap(([name, entry]) =>
    listOf(valueAt(entry, "via")).flatMap((via) => {
      const title = textAt(via, "title");
      if (title === null || (textAt(via, "dependency") ?? name) !== name) return [];
      return [{name, id: (textAt(via, "url") ?? "").replace(/.*\//, ""), title, severity: textAt(via, "severity")}];
    }),
  );
  return {advisories};
}

/** https://github.com/pypa/pip-audit#examples */
function readPipAudit(document: unknown): ToolAnswer | null {
  const packages = valueAt(document, "dependencies");
  if (!Array.isArray(packages)) return null;
  const advisories = listOf(packages).flatMap((entry) =>
    listOf(valueAt(entry, "vulns")).map((one) => ({
      name: textAt(entry, "name") ?? "",
      id: textAt(one, "id") ?? "",
      title: firstSentence(textAt(one, "description") ?? ""),
      severity: null,
    })),
  );
  const skipped = listOf(packages).filter((entry) => textAt(entry, "skip_reason") !== null);
  return {advisories, unknown: skipped.map((entry) => textAt(entry, "name") ?? "")};
}

const cargoPackage = ({name, version}: PackageVersion): string =>
  `\n[[package]]\nname = ${JSON.stringify(name)}\nversion = ${JSON.stringify(version)}\nsource = "registry+https://github.com/rust-lang/crates.io-index"\n`;

/** https://docs.rs/rustsec/latest/rustsec/report/struct.Report.html */
function readCargoAudit(document: unknown): ToolAnswer | null {
  const vulnerabilities = valueAt(document, "vulnerabilities", "list");
  if (!Array.isArray(vulnerabilities)) return null;
  const advisories = listOf(vulnerabilities).map((one) => ({
    name: textAt(one, "package", "name") ?? "",
    id: textAt(one, "advisory", "id") ?? "",
    title: textAt(one, "advisory", "title") ?? "",
    severity: null,
  }));
  return {advisories};
}

/** https://google.github.io/osv-scanner/output/#json */
function readOsvScanner(document: unknown): ToolAnswer | null {
  const results = valueAt(document, "results");
  if (!Array.isArray(results)) return null;
  const advisories = listOf(results)
    .flatMap((result) => [...listOf(valueAt(result, "packages"))])
    .flatMap((entry) =>
      listOf(valueAt(entry, "vulnerabilities")).map((one) => ({
        name: textAt(entry, "package", "name") ?? "",
        id:
          [textAt(one, "id") ?? "", ...textsOf(valueAt(one, "aliases"))].find((id) => id.startsWith("GHSA")) ??
          textAt(one, "id") ??
          "",
        title: firstSentence(textAt(one, "summary") ?? textAt(one, "details") ?? ""),
        severity: textAt(one, "database_specific", "severity")?.toLowerCase() ?? null,
      })),
    );
  return {advisories};
}

function dateOf(text: string | null): Date | null {
  const date = new Date(text ?? "");
  return Number.isNaN(date.getTime()) ? null : date;
}

const firstSentence = (text: string): string => (/^[^\n]*?[.](?=\s|$)|^[^\n]*/.exec(text)?.[0] ?? "").slice(0, 160);
