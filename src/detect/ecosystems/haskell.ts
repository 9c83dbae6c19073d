/** Haskell with Cabal or Stack. */

import {inside} from "../files/project.ts";
import {findFirst, foldersBelow, isInWorkflows, stageFactory} from "../proposals/candidate-stages.ts";
import {type Ecosystem, EMPTY_PROPOSAL} from "../proposals/ecosystem.ts";

const CABAL = {name: "cabal", hint: "add the step `haskell-actions/setup` before Assay"};
const STACK = {name: "stack", hint: "add the step `haskell-actions/setup` with `enable-stack: true` before Assay"};
const SUITE = /^test-suite\s|^\s*tests:\s*$/m;

export const haskell: Ecosystem = {
  name: "haskell",
  title: "Haskell",
  manifests: ["cabal.project", "stack.yaml", "*.cabal"],
  where: "anywhere",
  detect({project, root}) {
    const stack = findFirst(project, root, ["stack.yaml"]);
    const own = project.inFolder(root).find((path) => path.endsWith(".cabal"));
    const shared = findFirst(project, root, ["cabal.project"]);
    // Cabal reads what Stack reads, but not the other way round: without a file of Cabal's own, Stack is what is meant.
    const saysCabal = own !== undefined && isInWorkflows(project, /\bcabal (v2-|new-)?(build|test)\b/);
    const isStack = stack !== null && shared === null && !saysCabal;
    const file = isStack ? stack : (shared ?? own ?? null);
    if (file === null) return EMPTY_PROPOSAL;
    const inner = foldersBelow(project, root, ["*.cabal"]);
    const packages = [root, ...inner].flatMap((folder) =>
      project.inFolder(folder).filter((path) => /\.cabal$|package\.yaml$/.test(path)),
    );
    const tested = packages.slice(0, 100).some((path) => SUITE.test(project.text(path) ?? ""));
    const draft = stageFactory({cwd: root, tool: isStack ? STACK : CABAL, timeout: 900});
    const key = file.slice(file.lastIndexOf("/") + 1);
    const origin = {file, key, why: isStack ? "a Stack project" : "a Cabal project"};
    const hlint = findFirst(project, root, [".hlint.yaml"]);
    return {
      stages: [
        ...(hlint === null
          ? []
          : [
              draft(
                "lint",
                "hlint .",
                {file: hlint, key: ".hlint.yaml", why: "hlint is configured"},
                {evidence: "tool", tools: [{name: "hlint", hint: "install hlint before Assay"}]},
              ),
            ]),
        ...(tested ? [draft("test", isStack ? "stack test" : "cabal test all", origin)] : []),
        draft("build", isStack ? "stack build" : "cabal build all", origin),
      ],
      setup: [
        {
          command: isStack
            ? "stack build --only-dependencies --test"
            : "cabal update && cabal build all --only-dependencies --enable-tests",
          cwd: root,
          timeout: 1800,
          inputs: ["**/*.cabal", inside(root, "cabal.project*"), inside(root, "stack.yaml*"), "**/package.yaml"],
          provides: [],
          tools: [isStack ? STACK : CABAL],
          origin,
        },
      ],
      notes: [],
      covers: file === own && shared === null ? [] : inner,
    };
  },
};
