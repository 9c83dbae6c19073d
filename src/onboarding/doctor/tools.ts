/** Checks that the programs of a plan are on this machine. */
import {INSTALLED_BY_CI} from "../../detect/ci/job-installs.ts";
import {inside} from "../../detect/files/project.ts";
import type {FoundProgram} from "../../engine/program-versions.ts";
import type {Plan} from "../../record/plan.ts";
import {type Finding, okFinding} from "../finding.ts";

interface Need {
  readonly name: string;
  readonly hint: string;
  readonly stages: readonly string[];
  readonly isOptional: boolean;
}

/** Each program once, with the stages that need it. */
function needsOf(plan: Plan): Need[] {
  const needs = new Map<string, Need>();
  const users = [
    ...plan.setup.map((step) => ({tools: step.tools, by: "set-up", isOptional: false})),
    ...plan.stages.map((stage) => ({tools: stage.tools, by: stage.name, isOptional: stage.optional})),
  ];
  for (const {tools, by, isOptional} of users)
    for (const {name, hint} of tools) {
      const need = needs.get(name) ?? {name, hint, stages: [], isOptional: true};
      const stages = need.stages.includes(by) ? need.stages : [...need.stages, by];
      needs.set(name, {...need, stages, isOptional: need.isOptional && isOptional});
    }
  return [...needs.values()];
}

/** One finding per program. `find` searches PATH; programs that the setup installs are not there yet. */
export async function toolFindings(options: {
  plan: Plan;
  find: (name: string) => Promise<FoundProgram | null>;
  read: (path: string) => string | null;
}): Promise<Finding[]> {
  const needs = await Promise.all(
    needsOf(options.plan).map(async (need) => ({need, at: await options.find(need.name)})),
  );
  // If the project has its own environment, a tool installed on the machine does not count.
  const isOfProject = ({hint}: Need) => options.plan.setup.length > 0 && /\bset-up (?:installs|reads)\b/.test(hint);
  // What CI's own install line puts into the environment, no manifest has to name.
  const isFilled = options.plan.setup.some(({origin}) => origin.why === INSTALLED_BY_CI);
  const mayBeInstalled = (need: Need) =>
    isFilled && options.plan.stages.some(({name, path}) => need.stages.includes(name) && path.length > 0);
  // The lines of the set-up, and the files that they give to an installer. What `.[extra]` brings is not looked up.
  const setUpTexts = options.plan.setup.flatMap(({command, cwd}) => [
    command,
    ...command.split(/\s+/).map((word) => options.read(inside(cwd, word)) ?? ""),
  ]);
  const isNamed = (name: string) =>
    setUpTexts.some((text) => text.includes(".[") || text.split(/[^\w.-]+/).includes(name));
  return needs.map(({need, at}) => {
    const stages = need.stages.slice(0, 5).join(", ") + (need.stages.length > 5 ? ", …" : "");
    if (at !== null && !isOfProject(need))
      return okFinding(need.name, `${at.version ?? "version unknown"} (${at.path}), for ${stages}`);
    const isInstalled = options.plan.setup.length > 0 && /\bset-up installs\b/.test(need.hint);
    if (!isInstalled && mayBeInstalled(need) && !isNamed(need.name))
      return {
        about: need.name,
        state: "unknown",
        text: `not found here, and the set-up does not name it, for ${stages}`,
        next: need.hint,
      };
    if (isInstalled || mayBeInstalled(need))
      return {
        about: need.name,
        state: "unknown",
        text: `the setup ${isInstalled ? "installs" : "may install"} it, for ${stages}`,
        next: "run `assay verify`, which runs the setup and reports a tool that is still missing",
      };
    return {
      about: need.name,
      state: need.isOptional ? "advice" : "missing",
      text: `not installed, so ${stages} cannot run${need.isOptional ? " (optional)" : ""}`,
      next: need.hint,
    };
  });
}

/** The plan's notes on stages whose command cannot fail or whose output is rewritten. */
export function unreliableCommandFindings({stages, notes}: Plan): Finding[] {
  const unreliableStages = stages.filter(
    ({swallowedIn, rewrittenBy}) => swallowedIn !== undefined || rewrittenBy !== undefined,
  );
  return notes
    .filter(({about, text}) =>
      unreliableStages.some(({name, command}) => name === about && text.includes(`\`${command}\``)),
    )
    .map(({about, text}) => ({
      about,
      state: "advice",
      text,
      next: "let the command end with the exit code of its check, and print the unchanged output of its runner",
    }));
}
