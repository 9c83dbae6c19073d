/** Go: modules, each checked by itself, since `./...` ends where another module begins. */

import {inside, isBelow, type Project} from "../files/project.ts";
import {filesBelow, findFirst, foldersBelow, isInWorkflows, stageFactory} from "../proposals/candidate-stages.ts";
import {type Ecosystem, EMPTY_PROPOSAL} from "../proposals/ecosystem.ts";

const GO = {name: "go", hint: "add the step `actions/setup-go` before Assay"};
const LINTER = {
  name: "golangci-lint",
  hint: "add the step `golangci/golangci-lint-action` with `install-only: true` before Assay",
};
const CONFIGS = [".golangci", "golangci"].flatMap((stem) =>
  ["yml", "yaml", "toml", "json"].map((end) => `${stem}.${end}`),
);

export const go: Ecosystem = {
  name: "go",
  title: "Go",
  manifests: ["go.mod"],
  where: "anywhere",
  detect({project, root}) {
    const file = inside(root, "go.mod");
    // The go command itself passes over folders that begin with `_`.
    if (root.split("/").some((part) => part.startsWith("_"))) return EMPTY_PROPOSAL;
    const inner = foldersBelow(project, root, ["go.mod"]);
    const sources = filesBelow(project, root, /\.go$/).filter((path) => !inner.some((folder) => isBelow(path, folder)));
    const isOnlyTools = root !== "." && !sources.some((path) => !/(^|\/)tools?\.go$/.test(path));
    if (sources.length === 0 || isOnlyTools)
      return {...EMPTY_PROPOSAL, notes: [{about: file, text: "passed over: the module only pins tools"}]};
    const draft = stageFactory({cwd: root, tool: GO});
    const origin = {file, key: "module", why: "a Go module"};
    const tested = sources.find((path) => path.endsWith("_test.go"));
    const config = findFirst(project, root, CONFIGS);
    const option =
      config !== null && !config.slice(config.lastIndexOf("/") + 1).startsWith(".")
        ? ` -c ${config.slice(config.lastIndexOf("/") + 1)}`
        : "";
    const isVendored = project.has(inside(root, "vendor/modules.txt"));
    return {
      stages: [
        draft("typecheck", "go vet ./...", origin, isVetLeftOut(project) ? {optional: true} : {}),
        ...(config === null
          ? []
          : [
              draft(
                "lint",
                `golangci-lint run${option}`,
                {file: config, key: config.slice(config.lastIndexOf("/") + 1), why: "golangci-lint is configured"},
                {evidence: "tool", tools: [LINTER]},
              ),
            ]),
        ...(tested === undefined ? [] : [draft("test", "go test ./...", origin)]),
        draft("build", "go build ./...", origin),
      ],
      setup:
        isVendored || !project.has(inside(root, "go.sum"))
          ? []
          : [
              {
                command: "go mod download",
                cwd: root,
                inputs: [file, inside(root, "go.sum"), ...(root === "." ? [] : ["go.work"])],
                provides: [],
                tools: [GO],
                origin,
              },
            ],
      notes: [],
    };
  },
};

/**
 * True if CI runs Go's commands but neither vet nor anything that may start it, such as a script or make. The complaints of vet
 * do not fail CI then. `go test` runs the checks that are nearly always right (`go help test`).
 */
function isVetLeftOut(project: Project): boolean {
  const runsGo = isInWorkflows(project, /\bgo (test|build)\b/);
  return runsGo && !isInWorkflows(project, MAY_RUN_VET);
}

const MAY_RUN_VET =
  /\bvet\b|golangci|staticcheck|revive|\b(make|just|task|mage|goyek|bazel|earthly|dagger|pre-commit|tox|nox|docker)\b|\.(sh|bash|py)\b|script|(^|[;&|]|run:) *\.\/|uses: *(\.\/|\S+\/\.github\/workflows\/)/m;
