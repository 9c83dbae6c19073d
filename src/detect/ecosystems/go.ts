/** Go: modules, each checked separately, because `./...` ends where another module begins. */
import {posix} from "node:path";
import {valueAt} from "../files/manifest-values.ts";
import {inside, isBelow, type Project} from "../files/project.ts";
import {filesBelow, findFirst, foldersBelow, isInWorkflows, originOf} from "../proposals/candidate-stages.ts";
import type {Ecosystem, ProjectFolder, Proposal} from "../proposals/ecosystem.ts";

export const go: Ecosystem = {name: "go", title: "Go", manifests: ["go.mod"], where: "anywhere", detect};

const GO = {name: "go", hint: "add the step `actions/setup-go` before Assay"};
const LINTER = "golangci-lint";
const CONFIGS = [".golangci", "golangci"].flatMap((stem) =>
  ["yml", "yaml", "toml", "json"].map((extension) => `${stem}.${extension}`),
);

function detect({project, root}: ProjectFolder): Proposal {
  const file = inside(root, "go.mod");
  // The go command itself skips folders that begin with `_`.
  if (root.split("/").some((part) => part.startsWith("_"))) return {};
  const nestedModules = foldersBelow(project, root, ["go.mod"]);
  const sources = filesBelow(project, root, [".go"]).filter(
    (path) => !nestedModules.some((folder) => isBelow(path, folder)),
  );
  const onlyPinsTools = root !== "." && !sources.some((path) => !/(^|\/)tools?\.go$/.test(path));
  if (sources.length === 0 || onlyPinsTools)
    return {notes: [{about: file, text: "skipped: the module only pins tools"}]};
  const config = posix.basename(findFirst(project, root, CONFIGS) ?? ".");
  // golangci-lint finds only the names that begin with a dot.
  const option = config.startsWith(".") ? "" : ` -c ${config}`;
  const isVendored = project.has(inside(root, "vendor/modules.txt"));
  const hasTests = sources.some((path) => path.endsWith("_test.go"));
  const install = {
    command: "go mod download",
    inputs: ["go.mod", "go.sum", ...(root === "." ? [] : ["/go.work"])],
  };
  return {
    tool: GO,
    origin: originOf(file, "a Go module", "module"),
    checks: [
      {kind: "typecheck", command: "go vet ./...", ...(skipsVet(project) ? {optional: true} : {})},
      {kind: "lint", command: `golangci-lint run${option}`, configs: CONFIGS, tools: [linterOf(project, root)]},
      {kind: "test", command: "go test ./...", when: hasTests},
      {kind: "build", command: "go build ./..."},
    ],
    installs: !isVendored && project.has(inside(root, "go.sum")) ? [install] : [],
  };
}

function linterOf(project: Project, root: string) {
  const command = installLinter(golangciLintMajor(project, root), "latest");
  return {name: LINTER, hint: `install it in a step before Assay: \`${command}\``};
}

/** The command that installs a version of golangci-lint. The module path contains the major version. */
export const installLinter = (major: number, version: string): string =>
  `go install github.com/golangci/golangci-lint${major === 1 ? "" : `/v${major}`}/cmd/golangci-lint@${version}`;

/** The major version that the configuration file of a folder is for. Only version 2 names itself in it. */
export function golangciLintMajor(project: Project, root: string): 1 | 2 {
  const file = findFirst(project, root, CONFIGS);
  if (file === null) return 2;
  // JSON is YAML, too.
  const entries = file.endsWith(".toml") ? project.toml(file) : project.yaml(file);
  return String(valueAt(entries, "version") ?? "1") === "1" ? 1 : 2;
}

/**
 * True if CI runs Go's commands, but neither vet nor anything that may start it, such as a script or make. CI then does
 * not fail on vet's complaints. `go test` runs the checks that are nearly always right (`go help test`).
 */
function skipsVet(project: Project): boolean {
  return isInWorkflows(project, /\bgo (test|build)\b/) && !isInWorkflows(project, MAY_RUN_VET);
}

const MAY_RUN_VET =
  /\bvet\b|golangci|staticcheck|revive|\b(make|just|task|mage|goyek|bazel|earthly|dagger|pre-commit|tox|nox|docker)\b|\.(sh|bash|py)\b|script|(^|[;&|]|run:) *\.\/|uses: *(\.\/|\S+\/\.github\/workflows\/)/m;
