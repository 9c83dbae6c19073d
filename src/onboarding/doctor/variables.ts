/** Finds variables of this environment that affect builds but are not passed to stages. */
import {mapOf, valueAt} from "../../detect/files/manifest-values.ts";
import type {Project} from "../../detect/files/project.ts";
import {SETTINGS_FILES, settingsVariables} from "../../detect/files/settings-variables.ts";
import {isPassedOn} from "../../engine/isolation/stage-variables.ts";
import {isOfKind, YAML_FILE} from "../../git/paths.ts";
import type {Plan} from "../../record/plan.ts";
import {namesTest} from "../../tools/names.ts";
import type {Finding} from "../finding.ts";

/** Compilers, build tools, package managers and tests with a service read these. */
const isBuildVariable = namesTest(
  "CFLAGS CXXFLAGS CPPFLAGS LDFLAGS FFLAGS GOFLAGS RUSTFLAGS CGO_CFLAGS CGO_LDFLAGS MAKEFLAGS RUSTDOCFLAGS CC CXX AR LD",
  "MAVEN_OPTS MAVEN_ARGS GRADLE_OPTS JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS NODE_OPTIONS NODE_ENV PYTHONPATH PYTHONWARNINGS",
  "GOEXPERIMENT GOOS GOARCH CGO_ENABLED DATABASE_URL NPM_CONFIG_* UV_* POETRY_* PIP_* CARGO_* TOX_* PYTEST_* PG* MYSQL_*",
  "POSTGRES_* REDIS_* MONGO_*",
);
const MAX_NAMES = 12;

/**
 * One finding with the names, never the values, of the variables that stages do not get. Variables that the plan sets
 * for its stages are not listed.
 */
export function variableFindings(options: {
  plan: Plan;
  project: Project;
  variables: Readonly<Record<string, string | undefined>>;
}): Finding[] {
  const {plan, variables} = options;
  const stageVariables = new Set(plan.stages.flatMap(({env}) => Object.keys(env)));
  const inCi = new Set(ciVariables(options.project));
  const names = Object.keys(variables)
    .filter((name) => isBuildVariable(name) || inCi.has(name))
    .filter((name) => !stageVariables.has(name) && !isPassedOn(name, variables[name] ?? ""))
    .sort();
  const settings = SETTINGS_FILES.flatMap((file) => {
    const needed = settingsVariables(options.project.text(file) ?? "").filter((name) => !isPassedOn(name, ""));
    if (needed.length === 0) return [];
    const text = `${file} reads variables that are not passed on: ${needed.join(", ")}`;
    return [{about: "variables", state: "advice", text, next: `give each a default: \${${needed[0]}:-}`} as const];
  });
  const [stage] = plan.stages.filter(({optional, unproved}) => !optional || unproved);
  if (names.length === 0 || stage === undefined) return settings;
  const visible = names.slice(0, MAX_NAMES);
  const remainder = names.length > MAX_NAMES ? `, and ${names.length - MAX_NAMES} more` : "";
  const env = Object.fromEntries(visible.map((name) => [name, "…"]));
  return [
    ...settings,
    {
      about: "variables",
      state: "advice",
      text: `set here, but not passed to checks: ${visible.join(", ")}${remainder}`,
      next: `if a check needs one and it is not secret, add to verify.json: "overrides": ${JSON.stringify({[stage.name]: {env}})}`,
    },
  ];
}

/** Names in `env:` of workflows and of their jobs. */
function ciVariables(project: Project): string[] {
  const files = project.inFolder(".github/workflows").filter((path) => isOfKind(path, YAML_FILE));
  return files.flatMap((path) => {
    const workflow = project.yaml(path);
    const holders = [workflow, ...mapOf(valueAt(workflow, "jobs")).values()];
    return holders.flatMap((holder) => [...mapOf(valueAt(holder, "env")).keys()]);
  });
}
