/** Scala with sbt or Mill. */

import {inside} from "../files/project.ts";
import {filesBelow, findFirst, foldersBelow, isInWorkflows, stageFactory} from "../proposals/candidate-stages.ts";
import {type CandidateStage, type Ecosystem, EMPTY_PROPOSAL} from "../proposals/ecosystem.ts";

const MILL = ["build.mill", "build.mill.scala", "build.sc"];

export const scala: Ecosystem = {
  name: "scala",
  title: "Scala",
  manifests: ["build.sbt", ...MILL],
  where: "anywhere",
  detect({project, root}) {
    const mill = findFirst(project, root, MILL);
    const both = findFirst(project, root, ["build.sbt"]);
    // With both, CI tells which one counts; the other is often there for an editor.
    const usesMill = isInWorkflows(project, /\bmill\b/) && !isInWorkflows(project, /\bsbt\b/);
    const sbt = mill !== null && usesMill ? null : both;
    const file = sbt ?? mill;
    if (file === null) return EMPTY_PROPOSAL;
    const style = findFirst(project, root, [".scalafmt.conf"]);
    const formatted = style === null ? null : {file: style, key: ".scalafmt.conf", why: "scalafmt is configured"};
    const key = file.slice(file.lastIndexOf("/") + 1);
    if (sbt === null) {
      const wrapper = project.has(inside(root, "mill")) ? "./mill" : "mill";
      const draft = stageFactory({
        cwd: root,
        tool: {name: wrapper === "mill" ? "mill" : "java", hint: "add the step `actions/setup-java` before Assay"},
      });
      const origin = {file, key, why: "a Mill build"};
      const lint =
        formatted === null ? [] : [draft("lint", `${wrapper} __.checkFormat`, formatted, {evidence: "tool" as const})];
      return {
        stages: [
          ...lint,
          draft("test", `${wrapper} __.test`, origin, {timeout: 900}),
          draft("build", `${wrapper} __.compile`, origin, {timeout: 600}),
        ],
        setup: [],
        notes: [],
      };
    }
    const draft = stageFactory({
      cwd: root,
      tool: {name: "sbt", hint: "add the steps `actions/setup-java` and `sbt/setup-sbt` before Assay"},
    });
    const plugins = filesBelow(project, inside(root, "project"), /\.(sbt|scala)$/);
    const has = (name: string): boolean => plugins.some((path) => project.text(path)?.includes(name));
    const origin = {file, key, why: "an sbt build"};
    const lint: CandidateStage[] =
      formatted !== null && has("sbt-scalafmt")
        ? [draft("lint", "sbt scalafmtCheckAll", formatted, {evidence: "tool"})]
        : [];
    return {
      stages: [
        ...lint,
        draft("test", "sbt test", origin, {timeout: 900}),
        draft("build", "sbt Test/compile", origin, {timeout: 600}),
      ],
      setup: [],
      notes: [],
      covers: foldersBelow(project, root, ["build.sbt"]),
    };
  },
};
