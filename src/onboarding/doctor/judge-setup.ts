/** Checks what the judge's calls need: a key in its job, a valid address, and the rule files of `verify.json`. */
import type {JudgeConfig} from "../../detect/config/judge-config.ts";
import {mapOf, valueAt} from "../../detect/files/manifest-values.ts";
import type {Project} from "../../detect/files/project.ts";
import {ENDPOINTS} from "../../judge/providers/endpoints.ts";
import {codeSpan} from "../../markdown/escape.ts";
import type {Finding} from "../finding.ts";
import {findWorkflow} from "../init/workflow-file.ts";
import {judgeKey} from "../judge-key.ts";
import {runsAssay, stepsOf} from "./workflow.ts";

/** The default rule file is read only if it exists. */
const DEFAULT_RULES = "AGENTS.md";

/** The job that asks the judge's model. */
interface JudgeJob {
  readonly file: string;
  readonly name: string;
  /** it calls Assay's workflow, which accepts few keys and has no job for the judge */
  readonly isCaller: boolean;
  readonly environment: ReadonlyMap<string, unknown>;
}

/** `variables` are those of this machine. */
export function judgeSetupFindings(options: {
  judge: JudgeConfig;
  project: Project;
  variables: Readonly<Record<string, string | undefined>>;
}): Finding[] {
  const {judge, project} = options;
  const job = findJudgeJob(project);
  return [
    ...(job === null ? [] : key(judge, job)),
    ...address({...options, job}),
    ...judge.rules
      .filter((path) => path !== DEFAULT_RULES && !project.has(path))
      .map(
        (path): Finding => ({
          about: "judge rules",
          state: "missing",
          text: `${codeSpan(path)} does not exist, so the judge does not know its rules`,
          next: "correct `judge.rules` in verify.json, or add the file",
        }),
      ),
  ];
}

/** In separate jobs it is the job `judge`. Without that job, the agent's job asks the judge. */
function findJudgeJob(project: Project): JudgeJob | null {
  const file = findWorkflow(project);
  const workflow = file === null ? undefined : project.yaml(file);
  if (file === null || workflow === undefined) return null;
  const jobs = [...mapOf(valueAt(workflow, "jobs"))];
  const caller = jobs.find(([, job]) => runsAssay(job));
  if (caller !== undefined) {
    const [name, job] = caller;
    return {file, name, isCaller: true, environment: mapOf(valueAt(job, "secrets"))};
  }
  const steps = jobs.flatMap(([name, job]) => stepsOf(job).map((step) => ({name, job, step})));
  const stepOf = (part: string) =>
    steps.find(({step}) => runsAssay(step) && (valueAt(step, "with", "job") ?? "all") === part);
  const judgeStep = stepOf("judge") ?? stepOf("work") ?? stepOf("all");
  if (judgeStep === undefined) return null;
  const places = [workflow, judgeStep.job, judgeStep.step];
  const environment = new Map(places.flatMap((place) => [...mapOf(valueAt(place, "env"))]));
  return {file, name: judgeStep.name, isCaller: false, environment};
}

function key(judge: JudgeConfig, {file, name: job, isCaller, environment}: JudgeJob): Finding[] {
  const name = judgeKey(judge);
  if (name === null) return [];
  const about = "judge key";
  if ((environment.get(name) ?? "") !== "")
    return [
      {
        about,
        state: "unknown",
        text: `${name} is passed to the job \`${job}\`; whether the secret exists cannot be checked from here`,
        next: `check that \`gh secret list\` shows ${name}`,
      },
    ];
  const line = `${name}: \${{ secrets.${name} }}`;
  return [
    {
      about,
      // an agent can have credentials other than a key
      state: judge.provider === "agent" ? "advice" : "missing",
      text: `${file} does not pass ${name} to the job \`${job}\`, so nothing is judged`,
      next: isCaller
        ? "remove the workflow, run `assay init` again, and repeat your changes to it"
        : `add \`${line}\` under \`env:\` of the step that runs Assay in the job \`${job}\``,
    },
  ];
}

function address(options: Parameters<typeof judgeSetupFindings>[0] & {job: JudgeJob | null}): Finding[] {
  const {judge, job, variables} = options;
  if (judge.provider === "agent") return [];
  const {urlVariable, url} = ENDPOINTS[judge.provider];
  const places: [string, unknown][] = [
    ["this environment", variables[urlVariable]],
    [job?.file ?? "", job?.environment.get(urlVariable)],
  ];
  return places
    .filter(([, value]) => !isAddress(String(value ?? "")))
    .map(([place]) => ({
      about: "judge address",
      state: "mistake",
      text: `${urlVariable} in ${place} is not an address that starts with https:// or http://`,
      next: `set it to an address such as ${url}, or remove it`,
    }));
}

/** An empty variable counts as unset, and the value of an expression is unknown here. */
function isAddress(value: string): boolean {
  return (
    value === "" ||
    value.includes("${{") ||
    (URL.canParse(value) && ["http:", "https:"].includes(new URL(value).protocol))
  );
}
