/** .NET: solutions first, then single projects. */
import {posix} from "node:path";
import {isOfKind} from "../../git/paths.ts";
import {mapOf, valueAt} from "../files/manifest-values.ts";
import {folderOf, type Project, resolveFrom} from "../files/project.ts";
import {filesBelow, findFirst, isInWorkflows, originOf} from "../proposals/candidate-stages.ts";
import type {Ecosystem, InstallRow, ProjectFolder, Proposal} from "../proposals/ecosystem.ts";

const MANIFESTS = ["*.sln", "*.slnx", "*.csproj", "*.fsproj", "*.vbproj"];
export const dotnet: Ecosystem = {name: "dotnet", title: ".NET", manifests: MANIFESTS, where: "anywhere", detect};

const DOTNET = {name: "dotnet", hint: "add the step `actions/setup-dotnet` before Assay"};
const PROJECT = [".csproj", ".fsproj", ".vbproj"];
const SOLUTION = [".sln", ".slnx"];
/**
 * Packages that a test project references. Its name counts, too, because versions and packages may be declared in other
 * files.
 */
const TEST_PACKAGE = /Microsoft\.NET\.Test\.Sdk|MSTest\.Sdk|xunit|NUnit|TUnit|<IsTestProject>\s*true/i;
/** Solutions that are not the main one. */
const SECONDARY = /sample|example|demo|bench|perf|legacy|docs?\b|template|playground/i;

function detect({project, root}: ProjectFolder): Proposal {
  const files = project.inFolder(root);
  const solutions = files.filter((path) => isOfKind(path, SOLUTION));
  const main = mainOf(solutions) ?? mainOf(files.filter((path) => isOfKind(path, PROJECT)));
  if (main === null) return {};
  const isSolution = isOfKind(main, SOLUTION);
  if (isSolution && isOfC(project, main)) return {};
  const name = posix.basename(main);
  // In a folder with several of them, the command must name one.
  const isAmbiguous = files.filter((path) => isOfKind(path, [...SOLUTION, ...PROJECT])).length > 1;
  const target = isAmbiguous ? ` ${/^[\w.-]+$/.test(name) ? name : `'${name.replaceAll("'", "")}'`}` : "";
  const why = isSolution ? "a .NET solution" : "a .NET project";
  const members = isSolution ? projectsOf(project, root, main) : [main];
  const hasTests = members.some(
    (path) => /tests?\.(cs|fs|vb)proj$/i.test(path) || TEST_PACKAGE.test(project.text(path) ?? ""),
  );
  const nestedProjects = filesBelow(project, root, [...SOLUTION, ...PROJECT])
    .map(folderOf)
    .filter((folder) => folder !== root);
  return {
    tool: DOTNET,
    origin: originOf(main, why),
    checks: [
      {
        kind: "lint",
        command: `dotnet format${target} --verify-no-changes`,
        why: "a workflow checks the format of this project",
        when: isInWorkflows(project, /dotnet format/),
      },
      {kind: "test", command: `dotnet test${target}`, why: `${why} with tests`, when: hasTests},
      {kind: "build", command: `dotnet build${target}`},
    ],
    installs: [restore(project, root, target), ...restoreTools(project, root)],
    notes: solutions.length > 1 ? [{about: main, text: `selected out of ${solutions.length} solutions`}] : [],
    covers: isSolution ? [...members.map(folderOf), ...nestedProjects] : [],
  };
}

/** True for a Visual Studio solution with projects in C or C++ only; `dotnet` cannot build those. */
function isOfC(project: Project, solution: string): boolean {
  const text = project.text(solution) ?? "";
  return /\.vcx?proj\b/i.test(text) && !/\.(cs|fs|vb)proj\b/i.test(text);
}

/** The folder's main solution or project: no sample, the older and more widely supported format, the shortest name. */
function mainOf(paths: readonly string[]): string | null {
  const mainPaths = paths.filter((path) => !SECONDARY.test(posix.basename(path)));
  const eligible = mainPaths.length > 0 ? mainPaths : paths;
  const rank = (path: string): number => (path.endsWith(".slnx") ? 1 : 0) * 1000 + path.length;
  return [...eligible].sort((a, b) => rank(a) - rank(b))[0] ?? null;
}

/** The projects that a solution names; if none of them exists, all projects below it. */
function projectsOf(project: Project, root: string, solution: string): string[] {
  const text = project.text(solution) ?? "";
  const namedProjects = [...text.matchAll(/"([^"\n]{1,300}\.(?:cs|fs|vb)proj)"/g)].map(([, path = ""]) =>
    resolveFrom(root, path.replaceAll("\\", "/")),
  );
  const existingProjects = namedProjects.filter((path) => project.has(path));
  return existingProjects.length > 0 ? existingProjects : filesBelow(project, root, PROJECT);
}

function restore(project: Project, root: string, target: string): InstallRow {
  const lock = filesBelow(project, root, ["packages.lock.json"])[0];
  return {
    command: `dotnet restore${target}${lock === undefined ? "" : " --locked-mode"}`,
    inputs: [
      "/**/*.{csproj,fsproj,vbproj,props,targets,sln,slnx}",
      "/**/packages.lock.json",
      "/**/{nuget,NuGet}.{config,Config}",
      "/global.json",
    ],
    ...(lock !== undefined && {origin: originOf(lock, "installed from the lock file", "dependencies")}),
  };
}

function restoreTools(project: Project, root: string): InstallRow[] {
  const file = findFirst(project, root, [".config/dotnet-tools.json", "dotnet-tools.json"]);
  if (file === null || mapOf(valueAt(project.json(file), "tools")).size === 0) return [];
  const origin = originOf(file, `tools of ${folderOf(file)}`, "tools");
  return [{command: "dotnet tool restore", inputs: [`/${file}`], origin}];
}
