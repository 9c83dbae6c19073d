/** Haskell with Cabal or Stack. */
import {findFirst, foldersBelow, isInWorkflows, originOf} from "../proposals/candidate-stages.ts";
import type {Ecosystem, ProjectFolder, Proposal} from "../proposals/ecosystem.ts";

const MANIFESTS = ["cabal.project", "stack.yaml", "*.cabal"];
export const haskell: Ecosystem = {name: "haskell", title: "Haskell", manifests: MANIFESTS, where: "anywhere", detect};

const CABAL = {
  tool: {name: "cabal", hint: "add the step `haskell-actions/setup` before Assay"},
  why: "a Cabal project",
  test: "cabal test all",
  build: "cabal build all",
  install: "cabal update && cabal build all --only-dependencies --enable-tests",
};
const STACK: typeof CABAL = {
  tool: {name: "stack", hint: "add the step `haskell-actions/setup` with `enable-stack: true` before Assay"},
  why: "a Stack project",
  test: "stack test",
  build: "stack build",
  install: "stack build --only-dependencies --test",
};
const HLINT = {name: "hlint", hint: "install hlint before Assay"};
const SUITE = /^test-suite\s|^\s*tests:\s*$/m;

function detect({project, root}: ProjectFolder): Proposal {
  const stack = findFirst(project, root, ["stack.yaml"]);
  const cabal = project.inFolder(root).find((path) => path.endsWith(".cabal"));
  const workspace = findFirst(project, root, ["cabal.project"]);
  // Cabal can read Stack's files, but Stack cannot read Cabal's. Without cabal.project, a stack.yaml means Stack.
  const usesCabal = cabal !== undefined && isInWorkflows(project, /\bcabal (v2-|new-)?(build|test)\b/);
  const isStack = stack !== null && workspace === null && !usesCabal;
  const file = isStack ? stack : (workspace ?? cabal ?? null);
  if (file === null) return {};
  const nestedPackages = foldersBelow(project, root, ["*.cabal"]);
  const packages = [root, ...nestedPackages].flatMap((folder) =>
    project.inFolder(folder).filter((path) => /\.cabal$|package\.yaml$/.test(path)),
  );
  const hasTests = packages.slice(0, 100).some((path) => SUITE.test(project.text(path) ?? ""));
  const {tool, why, test, build, install} = isStack ? STACK : CABAL;
  return {
    tool,
    origin: originOf(file, why),
    shared: {timeout: 900},
    checks: [
      {kind: "lint", command: "hlint .", configs: [".hlint.yaml"], tools: [HLINT]},
      {kind: "test", command: test, when: hasTests},
      {kind: "build", command: build},
    ],
    installs: [
      {
        command: install,
        timeout: 1800,
        inputs: ["/**/*.cabal", "cabal.project*", "stack.yaml*", "/**/package.yaml"],
      },
    ],
    covers: file === cabal && workspace === null ? [] : nestedPackages,
  };
}
