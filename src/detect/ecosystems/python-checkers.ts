/** Python: the configured or declared checkers, the installed ones first. */
import type {Note} from "../../record/plan.ts";
import {valueAt} from "../files/manifest-values.ts";
import {inside} from "../files/project.ts";
import {originOf} from "../proposals/candidate-stages.ts";
import {isMentioned} from "../proposals/mentioned-folders.ts";
import type {PythonCheck, PythonProject} from "./python-project.ts";
import {configOf, mypyKnowsFiles, packagesOf, TOOLS} from "./python-tools.ts";

/** The checks of type checkers and linters, with a note for a configured tool that nothing installs. */
export function checkers(pythonProject: PythonProject, notes: Note[]): PythonCheck[] {
  const {project, root, declared} = pythonProject;
  const usedTools = TOOLS.flatMap((tool) => {
    const {name} = tool;
    const config = configOf(pythonProject, tool);
    const uses = declared.find((one) => one.name === name);
    if (tool.mustBeDeclared && uses === undefined) {
      const text = `${name} is configured, but nothing installs it`;
      if (config !== null) notes.push({about: `${config.file} ${config.key}`, text});
      return [];
    }
    const origin = config ?? (uses === undefined ? null : originOf(uses.file, `${name} is a dependency`, uses.key));
    if (origin === null || (config === null && uses?.holder.kind === "main")) return [];
    if (config === null && !isMentioned(project, name)) {
      const text = `${name} is only a dependency: nothing configures it, and CI does not mention it`;
      notes.push({about: `${origin.file} ${origin.key}`, text});
      return [];
    }
    const needsPaths = tool.onPackages && !(name === "mypy" && mypyKnowsFiles(project, origin));
    const command = needsPaths ? `${tool.command} ${packagesOf(project, root)}` : tool.command;
    return [{tool, origin, command, isInstalled: uses !== undefined && uses.holder.kind !== "elsewhere"}];
  });
  const [mainTypeChecker] = usedTools.filter((one) => one.tool.kind === "typecheck" && one.isInstalled);
  // The project's install does not provide the others, so their absence must not block a change.
  const installedFirst = [...usedTools].sort((a, b) => Number(b.isInstalled) - Number(a.isInstalled));
  const checks = installedFirst.map((one): PythonCheck => {
    const {tool, origin, command, isInstalled} = one;
    // Among several type checkers, the installed one is in use. The others often serve only editors.
    const isAlternative =
      tool.kind === "typecheck" && (mainTypeChecker === undefined || mainTypeChecker === one || !isInstalled);
    return {
      ...{kind: tool.kind, command, origin, evidence: "tool", program: tool.name},
      ...(isAlternative && {slot: "python:typecheck"}),
      ...(tool.label !== undefined && {label: tool.label}),
      ...(!isInstalled && {optional: true}),
    };
  });
  const names = usedTools.map(({tool}) => tool.name);
  return names.includes("ruff") && !names.includes("black") ? [...checks, ...ruffFormat(pythonProject)] : checks;
}

function ruffFormat({project, root}: PythonProject): PythonCheck[] {
  const [manifest, hooks] = [inside(root, "pyproject.toml"), inside(root, ".pre-commit-config.yaml")];
  const hasTable = (file: string, ...keys: string[]): boolean => valueAt(project.toml(file), ...keys) !== undefined;
  const configs = ["ruff.toml", ".ruff.toml"].map((name) => inside(root, name));
  const places = [
    {file: manifest, key: "tool.ruff.format", isSet: hasTable(manifest, "tool", "ruff", "format")},
    ...configs.map((file) => ({file, key: "format", isSet: hasTable(file, "format")})),
    {file: hooks, key: "ruff-format", isSet: project.text(hooks)?.includes("ruff-format") === true},
  ];
  const place = places.find(({isSet}) => isSet);
  if (place === undefined) return [];
  const origin = originOf(place.file, "the formatter of ruff is configured", place.key);
  const check = {kind: "lint", command: "ruff format --check .", origin, evidence: "tool", program: "ruff"} as const;
  return [{...check, label: "format", optional: true}];
}
