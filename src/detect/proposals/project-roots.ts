/** Finds the folders of a tree that hold a project, leaving out those that only look like one. */

import {memoize} from "../../shell/memoize.ts";
import {folderOf, inside, type Project} from "../files/project.ts";
import type {Ecosystem} from "./ecosystem.ts";

/** Folders whose manifests are material, not projects: fixtures of tests, templates, examples, copies of others' code. */
const NO_PROJECT = new Set(
  (
    "fixture fixtures __fixtures__ testdata test-data test_data test-fixtures test_fixtures template templates __templates__ " +
    "example examples sample samples demo demos playground playgrounds sandbox vendor vendored third_party third-party thirdparty " +
    "3rdparty external externals deps node_modules __mocks__ mocks __tests__ test tests spec specs e2e snapshots __snapshots__ " +
    "bench benches benchmark benchmarks perf integration integration-tests integration_tests dist build out target .git .venv venv " +
    "bower_components pods carthage boilerplate boilerplates skeleton skeletons starter starters scaffold archive legacy generated " +
    "tutorial tutorials bricks golden goldens test-goldens testsuite test_suite test-suite perftest"
  ).split(" "),
);
/** The same by a part of the name: `with-script-example`, `runtime-tests`, `dev-docs`. */
const NO_PROJECT_LIKE =
  /^(docs?|documentation)$|^tests?[-_]|[-_.](docs?|documentation|examples?|samples?|fixtures?|templates?|demos?|playgrounds?)$|^(runtime|integration|e2e|acceptance|smoke|browser|system)[-_]?tests?$/i;
/** Folders that serve the project beside them: what is told of it, what it is built with, what tries it from outside. */
const SERVES =
  /^(site|website|web-?site|www|support|tools|scripts?|hack|contrib|misc|etc|ci|dev|_tools|\w+[-_]tests?|docs[-_]\w+)$/i;
/** The native half of an application whose own manifest stands above it; it builds only with that one's tools and a device kit. */
const NATIVE_HALF = /(^|\/)(android|ios|macos|windows|linux)$/;
/** More projects than this are a sign of material, too; the rest is told in a note. */
export const MAX_ROOTS = 200;

/** True when a folder lies in (or is) one whose manifests do not count. */
export const isSampleFolder: (folder: string) => boolean = memoize(
  (folder) =>
    folder !== "." && (isSampleFolder(folderOf(folder)) || isMaterialName(folder.slice(folder.lastIndexOf("/") + 1))),
);

const isMaterialName = (name: string): boolean =>
  NO_PROJECT.has(name.toLowerCase()) || NO_PROJECT_LIKE.test(name) || name.startsWith(".");

/** True when a folder lies in (or is) one that serves the project beside it, and is none where that one has checks. */
export function isSupportFolder(folder: string): boolean {
  return folder.split("/").some((part) => SERVES.test(part));
}

/** The roots of one ecosystem, the outermost first. */
export function findRoots(project: Project, ecosystem: Ecosystem): string[] {
  const found = new Set<string>();
  for (const pattern of ecosystem.manifests) {
    if (pattern.includes("/")) {
      const [folder, name] = [folderOf(pattern), pattern.slice(pattern.lastIndexOf("/") + 1)];
      if (project.inFolder(folder).some((path) => matches(name, path.slice(folder.length + 1)))) found.add(".");
    } else {
      for (const path of project.named(pattern)) {
        const folder = folderOf(path);
        if (!isSampleFolder(folder) && !isNativeHalf(project, folder)) found.add(folder);
      }
    }
  }
  const depth = new Map([...found].map((folder) => [folder, folder === "." ? 0 : folder.split("/").length]));
  return [...found].sort((a, b) => (depth.get(a) ?? 0) - (depth.get(b) ?? 0) || (a < b ? -1 : 1));
}

function isNativeHalf(project: Project, folder: string): boolean {
  if (!NATIVE_HALF.test(folder)) return false;
  const above = folderOf(folder);
  return ["pubspec.yaml", "package.json"].some((name) => project.has(inside(above, name)));
}

function matches(pattern: string, name: string): boolean {
  if (!pattern.includes("*")) return pattern === name;
  const [head = "", ...tail] = pattern.split("*");
  const last = tail.at(-1) ?? "";
  return name.length >= head.length + last.length && name.startsWith(head) && name.endsWith(last);
}
