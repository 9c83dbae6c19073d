/** Clojure with Leiningen or the Clojure tools. */

import {inside, type Project} from "../files/project.ts";
import {filesBelow, stageFactory} from "../proposals/candidate-stages.ts";
import {type Ecosystem, EMPTY_PROPOSAL} from "../proposals/ecosystem.ts";

export const clojure: Ecosystem = {
  name: "clojure",
  title: "Clojure",
  manifests: ["project.clj", "deps.edn"],
  where: "anywhere",
  detect({project, root}) {
    const lein = inside(root, "project.clj");
    const parts = partsOf(project, root, lein);
    if (parts.length === 0 && filesBelow(project, inside(root, "test"), /\.clj[cs]?$/).length === 0)
      return EMPTY_PROPOSAL;
    if (project.has(lein)) {
      const draft = stageFactory({
        cwd: root,
        tool: {name: "lein", hint: "add the step `DeLaGuardo/setup-clojure` before Assay"},
      });
      return {
        stages: [draft("test", "lein test", {file: lein, key: "defproject", why: "a Leiningen project with tests"})],
        setup: [],
        notes: [],
        covers: parts,
      };
    }
    const file = inside(root, "deps.edn");
    const text = project.text(file) ?? "";
    const alias = /:test\s*\{/.test(text);
    if (!alias) return EMPTY_PROPOSAL;
    const draft = stageFactory({
      cwd: root,
      tool: {name: "clojure", hint: "add the step `DeLaGuardo/setup-clojure` before Assay"},
    });
    const option = /:exec-fn\b/.test(text) ? "-X:test" : "-M:test";
    return {
      stages: [draft("test", `clojure ${option}`, {file, key: ":test", why: "an alias for tests"})],
      setup: [],
      notes: [],
    };
  },
};

/** The folders whose tests the root's own `lein test` runs, by an alias for the plug-in that goes through them. */
function partsOf(project: Project, root: string, file: string): string[] {
  const text = project.text(file) ?? "";
  const list = /:sub\s*\[([^\]]*)\]/.exec(text)?.[1];
  if (list === undefined || !/"test"\s*\["sub"\s+"test"\]/.test(text)) return [];
  const named = [...list.matchAll(/"([\w./-]+)"/g)].map(([, folder = ""]) => inside(root, folder));
  return named.filter((folder) => project.has(inside(folder, "project.clj")));
}
