/** Finds the folders of a tree that are projects, without those that only contain manifests as samples. */

import {memoize} from "../../shell/memoize.ts";
import {baseName} from "../../shell/program.ts";
import {globPattern} from "../files/file-list.ts";
import {folderOf, inside, type Project} from "../files/project.ts";
import type {Ecosystem} from "./ecosystem.ts";

/** Folders whose manifests are not projects: test fixtures, templates, examples, vendored code. */
const SAMPLE_FOLDERS = new Set(
  (
    "fixture fixtures __fixtures__ testdata test-data test_data test-fixtures test_fixtures template templates __templates__ " +
    "example examples sample samples demo demos playground playgrounds sandbox vendor vendored third_party third-party thirdparty " +
    "3rdparty external externals deps node_modules __mocks__ mocks __tests__ test tests spec specs e2e snapshots __snapshots__ " +
    "bench benches benchmark benchmarks perf integration integration-tests integration_tests dist build out target .git .venv venv " +
    "bower_components pods carthage boilerplate boilerplates skeleton skeletons starter starters scaffold archive legacy generated " +
    "tutorial tutorials bricks golden goldens test-goldens testsuite test_suite test-suite perftest"
  ).split(" "),
);
/** Patterns for sample folders: `with-script-example`, `runtime-tests`, `dev-docs`. */
const SAMPLE_FOLDER_PATTERN =
  /^(docs?|documentation)$|^tests?[-_]|[-_.](docs?|documentation|examples?|samples?|fixtures?|templates?|demos?|playgrounds?)$|^(runtime|integration|e2e|acceptance|smoke|browser|system)[-_]?tests?$/i;
/** Folders that support another project: its website, its build tools, its end-to-end tests. */
const SUPPORT_FOLDER =
  /^(site|website|web-?site|www|support|tools|scripts?|hack|contrib|misc|etc|ci|dev|_tools|\w+[-_]tests?|docs[-_]\w+)$/i;
/**
 * The native part of an app whose manifest is in the folder above; it builds only with the app's tools and a device
 * SDK.
 */
const NATIVE_PART = /(^|\/)(android|ios|macos|windows|linux)$/;
/** No project has more configuration files of one format. */
const MAX_MANIFESTS = 50;
/** More projects than this are probably samples too; a note gives their number. */
export const MAX_ROOTS = 200;

/** True for a sample folder and every folder below one: their manifests do not count. */
export const isSampleFolder: (folder: string) => boolean = memoize(
  (folder) => folder !== "." && (isSampleFolder(folderOf(folder)) || isSampleName(baseName(folder))),
);

const isSampleName = (name: string): boolean =>
  SAMPLE_FOLDERS.has(name.toLowerCase()) || SAMPLE_FOLDER_PATTERN.test(name) || name.startsWith(".");

/** True for a support folder and every folder below one: it is not a project if the supported project has checks. */
export function isSupportFolder(folder: string): boolean {
  return folder.split("/").some((part) => SUPPORT_FOLDER.test(part));
}

/** The roots of one ecosystem, the outermost first. */
export function findRoots(project: Project, ecosystem: Ecosystem): string[] {
  const roots = new Set<string>();
  for (const pattern of ecosystem.manifests) {
    if (pattern.includes("/")) {
      const manifest = globPattern(pattern);
      if (project.inFolder(folderOf(pattern)).some((path) => manifest.test(path))) roots.add(".");
    } else {
      for (const folder of project.named(pattern).map(folderOf))
        if (!isSampleFolder(folder) && !isPart(project, folder) && !isCatalogue(project, folder, pattern))
          roots.add(folder);
    }
  }
  const depths = new Map([...roots].map((folder) => [folder, folder === "." ? 0 : folder.split("/").length]));
  return [...roots].sort((a, b) => (depths.get(a) ?? 0) - (depths.get(b) ?? 0) || (a < b ? -1 : 1));
}

/**
 * True for one of many files that are named after what they describe: `registry/gleam.toml` next to `registry/go.toml`.
 */
function isCatalogue(project: Project, folder: string, manifest: string): boolean {
  const ending = /\.(toml|json|ya?ml)$/.exec(manifest)?.[0];
  if (folder === "." || ending === undefined) return false;
  return project.inFolder(folder).filter((path) => path.endsWith(ending)).length > MAX_MANIFESTS;
}

function isPart(project: Project, folder: string): boolean {
  if (!NATIVE_PART.test(folder)) return false;
  return ["pubspec.yaml", "package.json"].some((name) => project.has(inside(folderOf(folder), name)));
}
