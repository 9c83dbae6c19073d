/** Haskell with Cabal or Stack. */

import type {Project} from "../files/project.ts";
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
const SUITE = /^test-suite\s|^\s*tests:\s*$/im;

/** The source folders that the packages name. Other folders may have test data that breaks the rules on purpose. */
function sourceFolders(project: Project, root: string): string {
  const folders = project.inFolder(root).flatMap((path) => {
    const text = path.endsWith(".cabal") ? (project.text(path) ?? "") : "";
    return Array.from(text.matchAll(/^[ \t]*hs-source-dirs:[ \t]*(?:\n[ \t]+)?([\w./, \t-]+)$/gim), ([, names = ""]) =>
      names.split(/[\s,]+/),
    ).flat();
  });
  const plain = [...new Set(folders)].filter((name) => /^\w[\w./-]*$/.test(name) && !["", "."].includes(name));
  return plain.length === 0 ? "." : plain.join(" ");
}

function detect({project, root}: ProjectFolder): Proposal {
  const stack = findFirst(project, root, ["stack.yaml"]);
  const cabal = project.inFolder(root).find((path) => path.endsWith(".cabal"));
  const workspace = findFirst(project, root, ["cabal.project"]);
  // Cabal can read Stack's files, but Stack cannot read Cabal's. CI shows the one in use; without CI and without
  // cabal.project, a stack.yaml means Stack.
  // Generated workflows keep the program's name in a variable.
  const usesCabal = (cabal ?? workspace) && isInWorkflows(project, /(\bcabal|\$CABAL) (v2-|new-)?(build|test)\b/);
  const usesStack = !usesCabal && isInWorkflows(project, /^[^#\n]*\bstack (build|test)\b/m);
  const isStack = stack !== null && (usesStack || (workspace === null && !usesCabal));
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
      {kind: "lint", command: `hlint ${sourceFolders(project, root)}`, configs: [".hlint.yaml"], tools: [HLINT]},
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
