/** Scala with sbt or Mill. */
import {inside} from "../files/project.ts";
import {filesBelow, findFirst, foldersBelow, isInWorkflows, originOf} from "../proposals/candidate-stages.ts";
import type {Ecosystem, ProjectFolder, Proposal} from "../proposals/ecosystem.ts";

const MILL = ["build.mill", "build.mill.scala", "build.sc"];
const MANIFESTS = ["build.sbt", ...MILL];
export const scala: Ecosystem = {name: "scala", title: "Scala", manifests: MANIFESTS, where: "anywhere", detect};

const SBT = {name: "sbt", hint: "add the steps `actions/setup-java` and `sbt/setup-sbt` before Assay"};
const STYLE = {configs: [".scalafmt.conf"], configured: "scalafmt"};

function detect({project, root}: ProjectFolder): Proposal {
  const mill = findFirst(project, root, MILL);
  const sbt = findFirst(project, root, ["build.sbt"]);
  // If both exist, CI shows which one counts. The other is often there for an editor.
  const usesMill = isInWorkflows(project, /\bmill\b/) && !isInWorkflows(project, /\bsbt\b/);
  if (mill !== null && (usesMill || sbt === null)) {
    const wrapper = project.has(inside(root, "mill")) ? "./mill" : "mill";
    return {
      tool: {name: wrapper === "mill" ? "mill" : "java", hint: "add the step `actions/setup-java` before Assay"},
      origin: originOf(mill, "a Mill build"),
      checks: [
        {kind: "lint", command: `${wrapper} __.checkFormat`, ...STYLE},
        {kind: "test", command: `${wrapper} __.test`, timeout: 900},
        {kind: "build", command: `${wrapper} __.compile`, timeout: 600},
      ],
    };
  }
  if (sbt === null) return {};
  const plugins = filesBelow(project, inside(root, "project"), /\.(sbt|scala)$/);
  const canFormat = plugins.some((path) => project.text(path)?.includes("sbt-scalafmt"));
  return {
    tool: SBT,
    origin: originOf(sbt, "an sbt build"),
    checks: [
      {kind: "lint", command: "sbt scalafmtCheckAll", ...STYLE, when: canFormat},
      {kind: "test", command: "sbt test", timeout: 900},
      {kind: "build", command: "sbt Test/compile", timeout: 600},
    ],
    covers: foldersBelow(project, root, ["build.sbt"]),
  };
}
