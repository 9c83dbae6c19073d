/** Python: the configured or declared checkers, the installed ones first. */
import type {Note, Origin} from "../../record/plan.ts";
import {valueAt} from "../files/manifest-values.ts";
import {inside} from "../files/project.ts";
import type {CandidateStage} from "../proposals/ecosystem.ts";
import {isMentioned} from "../proposals/mentioned-folders.ts";
import {draftOf, type PythonProject} from "./python-project.ts";
import {configOf, mypyKnowsFiles, packagesOf, TOOLS} from "./python-tools.ts";

/** The candidates of type checkers and linters, with a note for a configured tool that nothing installs. */
export function checkers(pythonProject: PythonProject, notes: Note[]): CandidateStage[] {
  const {project, root, declared} = pythonProject;
  const usedTools = TOOLS.flatMap((tool) => {
    const config = configOf(pythonProject, tool);
    const uses = declared.find((one) => one.name === tool.name);
    if (tool.mustBeDeclared && uses === undefined) {
      if (config !== null)
        notes.push({
          about: `${config.file} ${config.key}`,
          text: `${tool.name} is configured, but nothing installs it`,
        });
      return [];
    }
    if (config === null && (uses === undefined || uses.holder.kind === "main")) return [];
    if (config === null && uses !== undefined && !isMentioned(project, tool.name)) {
      const text = `${tool.name} is only a dependency: nothing configures it, and CI does not mention it`;
      notes.push({about: `${uses.file} ${uses.key}`, text});
      return [];
    }
    const origin: Origin = config ?? {
      file: uses?.file ?? "",
      key: uses?.key ?? "",
      why: `${tool.name} is a dependency`,
    };
    const says = tool.name === "mypy" && mypyKnowsFiles(project, origin);
    const command = tool.onPackages && !says ? `${tool.command} ${packagesOf(project, root)}` : tool.command;
    return [{tool, origin, command, isInstalled: uses !== undefined && uses.holder.kind !== "elsewhere"}];
  });
  const installedTypeCheckers = usedTools.filter((one) => one.tool.kind === "typecheck" && one.isInstalled);
  const candidates = usedTools.map(({tool, origin, command, isInstalled}) => {
    // Of several type checkers, the installed one is in use. The others often serve only editors.
    const alternative =
      tool.kind === "typecheck" &&
      (installedTypeCheckers.length === 0 || installedTypeCheckers[0]?.tool === tool || !isInstalled);
    return draftOf(pythonProject, {
      kind: tool.kind,
      command,
      origin,
      evidence: "tool",
      tool: tool.name,
      ...(alternative ? {slot: "python:typecheck"} : {}),
      ...(tool.label === undefined ? {} : {label: tool.label}),
      // The project's install does not provide it, so its absence must not block a change.
      ...(isInstalled ? {} : {optional: true}),
    });
  });
  const installedFirst = [...candidates].sort((a, b) => Number(a.optional ?? false) - Number(b.optional ?? false));
  return [...installedFirst, ...ruffFormat(pythonProject, usedTools)];
}

function ruffFormat(pythonProject: PythonProject, usedTools: readonly {tool: {name: string}}[]): CandidateStage[] {
  const uses = (name: string): boolean => usedTools.some(({tool}) => tool.name === name);
  if (!uses("ruff") || uses("black")) return [];
  const manifest = inside(pythonProject.root, "pyproject.toml");
  const places: readonly (readonly [string, string, boolean])[] = [
    [
      manifest,
      "tool.ruff.format",
      valueAt(pythonProject.project.toml(manifest), "tool", "ruff", "format") !== undefined,
    ],
    ...["ruff.toml", ".ruff.toml"].map((name) => {
      const file = inside(pythonProject.root, name);
      return [file, "format", valueAt(pythonProject.project.toml(file), "format") !== undefined] as const;
    }),
    ...[".pre-commit-config.yaml"].map((name) => {
      const file = inside(pythonProject.root, name);
      return [file, "ruff-format", pythonProject.project.text(file)?.includes("ruff-format") ?? false] as const;
    }),
  ];
  const place = places.find(([, , is]) => is);
  if (place === undefined) return [];
  const origin = {file: place[0], key: place[1], why: "the formatter of ruff is configured"};
  return [
    draftOf(pythonProject, {
      kind: "lint",
      command: "ruff format --check .",
      origin,
      evidence: "tool",
      tool: "ruff",
      label: "format",
      optional: true,
    }),
  ];
}
