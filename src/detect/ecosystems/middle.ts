/** middle: the gates of `.middle/verify.toml`, each a separate check. */
import type {NotRun} from "../../record/plan.ts";
import {kindOf, kindOfName} from "../../tools/stage-kind.ts";
import {listOf, textAt, valueAt} from "../files/manifest-values.ts";
import type {CheckRow, Ecosystem, ProjectFolder, Proposal} from "../proposals/ecosystem.ts";
import {safeVariant} from "../proposals/screen.ts";
import {requiredTools} from "../proposals/task-runners.ts";

const FILE = ".middle/verify.toml";
const MAX_GATES = 100;
/** in seconds: the limit of a runner for a whole job */
const MAX_TIMEOUT_S = 6 * 3600;

export const middle: Ecosystem = {name: "middle", title: "middle", manifests: [FILE], where: "beside", detect};

function detect({project, root}: ProjectFolder): Proposal {
  const content = root === "." ? project.toml(FILE) : undefined;
  if (content === undefined) return {};
  const gates = listOf(valueAt(content, "gate"));
  if (gates.length === 0) {
    const fix = "add a `[[gate]]` with `name` and `command`, or name your commands in verify.json";
    return {notRun: [{about: FILE, why: "it has no gate", fix}]};
  }
  const notRun: NotRun[] = [];
  if (gates.length > MAX_GATES) {
    const fix = "join some of them, or name your commands in verify.json";
    notRun.push({about: FILE, why: `only the first ${MAX_GATES} of ${gates.length} gates are read`, fix});
  }
  const checks = gates.slice(0, MAX_GATES).flatMap((gate, index): CheckRow[] => {
    const label = textAt(gate, "name") ?? `gate ${index + 1}`;
    const line = textAt(gate, "command") ?? "";
    const about = `${FILE} ${label}`;
    if (line.trim() === "") {
      notRun.push({about, why: "the gate has no command", fix: "add `command` to the gate"});
      return [];
    }
    // A gate for certain phases is not required for every change.
    if (Array.isArray(valueAt(gate, "phases"))) {
      const fix = "remove `phases` from the gate, or add a stage with its command to verify.json";
      notRun.push({about, why: "the gate belongs to certain phases only", fix});
      return [];
    }
    const command = safeVariant(line);
    const kind = kindOfName(label) ?? kindOf(command) ?? "test";
    const why = `the gate \`${label}\` of middle${command === line ? "" : ", as a check that rewrites nothing"}`;
    const seconds = valueAt(gate, "timeout_seconds");
    return [
      {
        kind: kind === "check" ? "test" : kind,
        command,
        evidence: "named",
        tools: requiredTools(command),
        origin: {file: FILE, key: textAt(gate, "name") ?? FILE, why},
        optional: false,
        timeout: typeof seconds === "number" && seconds >= 1 ? Math.min(Math.ceil(seconds), MAX_TIMEOUT_S) : 300,
        label,
      },
    ];
  });
  return {checks, notRun};
}
