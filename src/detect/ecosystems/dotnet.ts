/** .NET: solutions first, else single projects. */
import {posix} from "node:path";
import {mapOf, valueAt} from "../files/manifest-values.ts";
import {folderOf, inside, type Project} from "../files/project.ts";
import {filesBelow, isInWorkflows, stageFactory} from "../proposals/candidate-stages.ts";
import {type CandidateSetup, type Ecosystem, EMPTY_PROPOSAL} from "../proposals/ecosystem.ts";

const DOTNET = {name: "dotnet", hint: "add the step `actions/setup-dotnet` before Assay"};
const PROJECT = /\.(cs|fs|vb)proj$/;
const SOLUTION = /\.slnx?$/;
/** What a test project references; its name counts too, since versions and packages may be kept elsewhere. */
const TEST_PACKAGE = /Microsoft\.NET\.Test\.Sdk|MSTest\.Sdk|xunit|NUnit|TUnit|<IsTestProject>\s*true/i;
/** Solutions that are not the main one. */
const ASIDE = /sample|example|demo|bench|perf|legacy|docs?\b|template|playground/i;

export const dotnet: Ecosystem = {
  name: "dotnet",
  title: ".NET",
  manifests: ["*.sln", "*.slnx", "*.csproj", "*.fsproj", "*.vbproj"],
  where: "anywhere",
  detect({project, root}) {
    const here = project.inFolder(root);
    const solutions = here.filter((path) => SOLUTION.test(path));
    const main = mainOf(solutions) ?? mainOf(here.filter((path) => PROJECT.test(path)));
    if (main === null) return EMPTY_PROPOSAL;
    const isSolution = SOLUTION.test(main);
    if (isSolution && isOfC(project, main)) return EMPTY_PROPOSAL;
    const name = main.slice(main.lastIndexOf("/") + 1);
    // With several of them in one folder, the tool wants to be told which.
    const several = here.filter((path) => SOLUTION.test(path) || PROJECT.test(path)).length > 1;
    const target = several ? ` ${/^[\w.-]+$/.test(name) ? name : `'${name.replaceAll("'", "")}'`}` : "";
    const draft = stageFactory({cwd: root, tool: DOTNET});
    const origin = {file: main, key: name, why: isSolution ? "a .NET solution" : "a .NET project"};
    const members = isSolution ? projectsOf(project, root, main) : [main];
    const tests = members.find(
      (path) => /tests?\.(cs|fs|vb)proj$/i.test(path) || TEST_PACKAGE.test(project.text(path) ?? ""),
    );
    return {
      stages: [
        ...(isInWorkflows(project, /dotnet format/)
          ? [
              draft("lint", `dotnet format${target} --verify-no-changes`, {
                ...origin,
                why: "a workflow checks the format of this project",
              }),
            ]
          : []),
        ...(tests === undefined
          ? []
          : [draft("test", `dotnet test${target}`, {...origin, why: `${origin.why} with tests`})]),
        draft("build", `dotnet build${target}`, origin),
      ],
      setup: [restore(project, root, target, main), ...tools(project, root)],
      notes: solutions.length > 1 ? [{about: main, text: `of ${solutions.length} solutions this one is taken`}] : [],
      covers: isSolution ? [...members.map(folderOf), ...foldersOfProjects(project, root)] : [],
    };
  },
};

/** A solution of Visual Studio for projects in C or C++ alone; the `dotnet` tool builds none of them. */
function isOfC(project: Project, solution: string): boolean {
  const text = project.text(solution) ?? "";
  return /\.vcx?proj\b/i.test(text) && !/\.(cs|fs|vb)proj\b/i.test(text);
}

/** The solution or project that stands for the folder: none of the samples, the older and more widely read format, the shortest name. */
function mainOf(paths: readonly string[]): string | null {
  const plain = paths.filter((path) => !ASIDE.test(path.slice(path.lastIndexOf("/") + 1)));
  const among = plain.length > 0 ? plain : paths;
  const rank = (path: string): number => (path.endsWith(".slnx") ? 1 : 0) * 1000 + path.length;
  return [...among].sort((a, b) => rank(a) - rank(b))[0] ?? null;
}

/** The projects that a solution names; all below it where it names none that is there. */
function projectsOf(project: Project, root: string, solution: string): string[] {
  const text = project.text(solution) ?? "";
  const named = [...text.matchAll(/"([^"\n]{1,300}\.(?:cs|fs|vb)proj)"/g)].map(([, path = ""]) =>
    posix.normalize(posix.join(root, path.replaceAll("\\", "/"))),
  );
  const there = named.filter((path) => project.has(path));
  return there.length > 0 ? there : filesBelow(project, root, PROJECT);
}

function foldersOfProjects(project: Project, root: string): string[] {
  const folders = filesBelow(project, root, /\.((cs|fs|vb)proj|slnx?)$/).map(folderOf);
  return folders.filter((folder) => folder !== root);
}

function restore(project: Project, root: string, target: string, main: string): CandidateSetup {
  const lock = filesBelow(project, root, /(^|\/)packages\.lock\.json$/)[0];
  return {
    command: `dotnet restore${target}${lock === undefined ? "" : " --locked-mode"}`,
    cwd: root,
    inputs: [
      "**/*.{csproj,fsproj,vbproj,props,targets,sln,slnx}",
      "**/packages.lock.json",
      "**/{nuget,NuGet}.{config,Config}",
      "global.json",
    ],
    provides: [],
    tools: [DOTNET],
    origin:
      lock === undefined
        ? {file: main, key: main.slice(main.lastIndexOf("/") + 1), why: "packages that it references"}
        : {file: lock, key: "dependencies", why: "restored from the lock file"},
  };
}

function tools(project: Project, root: string): CandidateSetup[] {
  const file = [inside(root, ".config/dotnet-tools.json"), inside(root, "dotnet-tools.json")].find((path) =>
    project.has(path),
  );
  if (file === undefined || mapOf(valueAt(project.json(file), "tools")).size === 0) return [];
  return [
    {
      command: "dotnet tool restore",
      cwd: root,
      inputs: [file],
      provides: [],
      tools: [DOTNET],
      origin: {file, key: "tools", why: `tools of ${folderOf(file)}`},
    },
  ];
}
