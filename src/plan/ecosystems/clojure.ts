/** Clojure with Leiningen or the Clojure tools. */
import {drafting, filesBelow} from "../drafts.ts";
import {type Ecosystem, NOTHING} from "../ecosystem.ts";
import {inside} from "../view.ts";

export const clojure: Ecosystem = {
  name: "clojure",
  title: "Clojure",
  manifests: ["project.clj", "deps.edn"],
  where: "anywhere",
  detect({project, root}) {
    if (filesBelow(project, inside(root, "test"), /\.clj[cs]?$/).length === 0) return NOTHING;
    const lein = inside(root, "project.clj");
    if (project.has(lein)) {
      const draft = drafting({
        cwd: root,
        tool: {name: "lein", hint: "add the step `DeLaGuardo/setup-clojure` before Assay"},
      });
      return {
        stages: [draft("test", "lein test", {file: lein, key: "defproject", why: "a Leiningen project with tests"})],
        setup: [],
        notes: [],
      };
    }
    const file = inside(root, "deps.edn");
    const text = project.text(file) ?? "";
    const alias = /:test\s*\{/.test(text);
    if (!alias) return NOTHING;
    const draft = drafting({
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
