/** Clojure with Leiningen or the Clojure tools. */
import {inside, type Project} from "../files/project.ts";
import {hasFileBelow, originOf} from "../proposals/candidate-stages.ts";
import type {Ecosystem, ProjectFolder, Proposal} from "../proposals/ecosystem.ts";

const MANIFESTS = ["project.clj", "deps.edn"];
export const clojure: Ecosystem = {name: "clojure", title: "Clojure", manifests: MANIFESTS, where: "anywhere", detect};

const HINT = "add the step `DeLaGuardo/setup-clojure` before Assay";

function detect({project, root}: ProjectFolder): Proposal {
  const leiningen = inside(root, "project.clj");
  const parts = partsOf(project, root, leiningen);
  if (parts.length === 0 && !hasFileBelow(project, inside(root, "test"), /\.clj[cs]?$/)) return {};
  if (project.has(leiningen)) {
    return {
      tool: {name: "lein", hint: HINT},
      origin: originOf(leiningen, "a Leiningen project with tests", "defproject"),
      checks: [{kind: "test", command: "lein test"}],
      covers: parts,
    };
  }
  const file = inside(root, "deps.edn");
  const text = project.text(file) ?? "";
  const command = /:exec-fn\b/.test(text) ? "clojure -X:test" : "clojure -M:test";
  return {
    tool: {name: "clojure", hint: HINT},
    origin: originOf(file, "an alias for tests", ":test"),
    checks: [{kind: "test", command, when: /:test\s*\{/.test(text)}],
  };
}

/** The folders whose tests `lein test` in the root also runs, through an alias for the plug-in lein-sub. */
function partsOf(project: Project, root: string, file: string): string[] {
  const text = project.text(file) ?? "";
  const list = /:sub\s*\[([^\]]*)\]/.exec(text)?.[1];
  if (list === undefined || !/"test"\s*\["sub"\s+"test"\]/.test(text)) return [];
  const folders = [...list.matchAll(/"([\w./-]+)"/g)].map(([, folder = ""]) => inside(root, folder));
  return folders.filter((folder) => project.has(inside(folder, "project.clj")));
}
