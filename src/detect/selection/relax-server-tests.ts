/** Finds the tests that CI only runs next to a process that an earlier step left running. */
import type {Note} from "../../record/plan.ts";
import type {CandidateStage, CiCall} from "../proposals/ecosystem.ts";
import {skipNote} from "./place.ts";
import {finalTools, toolsOfLine} from "./stage-tools.ts";

/** The reason that `steps.ts` gives for such a command. */
const BESIDE_SERVER =
  /^CI (?:(?:starts `.*` in the background|pulls `.*` for a container|(?:puts the project into its machine|downloads files) with `.*`) before it|gives it a screen.*)$/s;

/** Makes tests optional that CI only runs next to such a process, because here they fail whatever the change is. */
export function relaxServerTests(
  stages: readonly CandidateStage[],
  calls: readonly CiCall[],
): {stages: CandidateStage[]; notes: Note[]} {
  const notes: Note[] = [];
  if (!calls.some(({why}) => BESIDE_SERVER.test(why ?? ""))) return {stages: [...stages], notes};
  const relaxed = stages.map((stage) => {
    const why = stage.kind === "test" ? whyBesideServer(stage, calls) : null;
    if (why === null) return stage;
    notes.push({...skipNote(stage, ""), text: `\`${stage.command}\` is optional: ${why}`});
    return {...stage, optional: true};
  });
  return {stages: relaxed, notes};
}

function whyBesideServer(stage: CandidateStage, calls: readonly CiCall[]): string | null {
  const tools = finalTools(stage);
  const anywhere = calls.filter(
    ({isCheck, runs}) => isCheck && runs.flatMap(toolsOfLine).some((tool) => tools.has(tool)),
  );
  // CI may also start the script alone that this command runs before the tests.
  const own = new Set(toolsOfLine(stage.command));
  const direct = anywhere.filter(({cwd, text}) => cwd === stage.cwd && toolsOfLine(text).some((tool) => own.has(tool)));
  const inFolder = direct.length > 0 ? direct : anywhere.filter(({cwd}) => cwd === stage.cwd);
  // A script of CI may enter the folder.
  const callsOfTool = inFolder.length > 0 ? inFolder : anywhere;
  if (callsOfTool.some(({why}) => why === null)) return null;
  return callsOfTool.map(({why}) => why ?? "").find((why) => BESIDE_SERVER.test(why)) ?? null;
}
