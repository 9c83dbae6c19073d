/** Python: projects of uv, poetry, pdm, hatch, pipenv and pip, by their scripts, checkers and tests. */
import type {Note, Origin} from "../../record/plan.ts";
import type {StageKind} from "../../words.ts";
import {at, mapOf} from "../data.ts";
import {type Ecosystem, NOTHING, type StageDraft} from "../ecosystem.ts";
import {kindOfName} from "../kinds.ts";
import {plainWords} from "../shell.ts";
import {inside, type Project} from "../view.ts";
import {type Declared, declaredIn, scriptsAt, sectionOf} from "./python-declared.ts";
import {type Environment, environmentOf, installOf} from "./python-setup.ts";
import {configOf, mypyKnowsFiles, PYTEST, packagesOf, TOOLS} from "./python-tools.ts";

const TEST_FILE = /(^|\/)(test_[^/]*|[^/]*_tests?|tests?)\.py$/;
const MATERIAL = /(^|\/)(fixtures?|testdata|templates?|vendor|third_party|node_modules|examples?)\//;
const TEST_HINT = "the set-up installs it; see that its install step runs";
/** Tables of scripts of `pyproject.toml`, with what starts one. */
const SCRIPTS: readonly (readonly [readonly string[], string])[] = [
  [["tool", "pdm", "scripts"], "pdm run"],
  [["tool", "poe", "tasks"], "poe"],
  [["tool", "taskipy", "tasks"], "task"],
  [["tool", "rye", "scripts"], "rye run"],
];

interface Look {
  readonly project: Project;
  readonly root: string;
  readonly declared: readonly Declared[];
  readonly environment: Environment;
}

export const python: Ecosystem = {
  name: "python",
  title: "Python",
  manifests: [
    ...["pyproject.toml", "setup.py", "setup.cfg", "Pipfile", "tox.ini", "noxfile.py", "pytest.ini", "mypy.ini"],
    ...["requirements.txt", "manage.py", "ruff.toml", ".flake8"],
  ],
  where: "anywhere",
  detect({project, root}) {
    const look: Look = {project, root, declared: declaredIn(project, root), environment: environmentOf(project, root)};
    const notes: Note[] = [];
    const stages = [...scripts(look), ...checkers(look, notes), ...tests(look)];
    if (stages.length === 0) return {...NOTHING, notes};
    const names = new Set(look.declared.flatMap(({name, holder}) => (holder.kind === "elsewhere" ? [] : [name])));
    // Only the test runner: a checker that the project does not install may be pinned to a version elsewhere.
    const runner = stages.find((stage) => stage.kind === "test")?.tools[0]?.name ?? "";
    const missing = /^(pytest|tox|nox)$/.test(runner) && !names.has(runner) ? [runner] : [];
    const setup = installOf({...look, missing});
    return {stages, setup: setup === null ? [] : [setup], notes, covers: coveredBy(look)};
  },
};

/** The folder of the environment's programs, in front of PATH. */
const pathOf = (look: Look): string[] => [inside(look.environment.folder, ".venv/bin")];

function draftOf(
  look: Look,
  o: Pick<StageDraft, "kind" | "command" | "origin" | "evidence"> & Partial<StageDraft> & {tool: string},
): StageDraft {
  const {tool, ...rest} = o;
  return {cwd: look.root, path: pathOf(look), tools: [{name: tool, hint: TEST_HINT}], ...rest};
}

function checkers(look: Look, notes: Note[]): StageDraft[] {
  const {project, root, declared} = look;
  const found = TOOLS.flatMap((tool) => {
    const config = configOf(look, tool);
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
    const origin: Origin = config ?? {
      file: uses?.file ?? "",
      key: uses?.key ?? "",
      why: `${tool.name} is a dependency`,
    };
    const says = tool.name === "mypy" && mypyKnowsFiles(project, origin);
    const command = tool.onPackages && !says ? `${tool.command} ${packagesOf(project, root)}` : tool.command;
    return [{tool, origin, command, isInstalled: uses !== undefined && uses.holder.kind !== "elsewhere"}];
  });
  const sure = found.filter((one) => one.tool.kind === "typecheck" && one.isInstalled);
  const drafts = found.map(({tool, origin, command, isInstalled}) => {
    // Of several type checkers the one that is installed is in use; the others are often only for editors.
    const alternative = tool.kind === "typecheck" && (sure.length === 0 || sure[0]?.tool === tool || !isInstalled);
    return draftOf(look, {
      kind: tool.kind,
      command,
      origin,
      evidence: "tool",
      tool: tool.name,
      ...(alternative ? {slot: "python:typecheck"} : {}),
      ...(tool.label === undefined ? {} : {label: tool.label}),
      // Nothing that the project installs brings it, so its absence must not hold up a change.
      ...(isInstalled ? {} : {optional: true}),
    });
  });
  const installedFirst = [...drafts].sort((a, b) => Number(a.optional ?? false) - Number(b.optional ?? false));
  return [...installedFirst, ...ruffFormat(look, found)];
}

function ruffFormat(look: Look, found: readonly {tool: {name: string}}[]): StageDraft[] {
  const uses = (name: string): boolean => found.some(({tool}) => tool.name === name);
  if (!uses("ruff") || uses("black")) return [];
  const manifest = inside(look.root, "pyproject.toml");
  const places: readonly (readonly [string, string, boolean])[] = [
    [manifest, "tool.ruff.format", at(look.project.toml(manifest), "tool", "ruff", "format") !== undefined],
    ...["ruff.toml", ".ruff.toml"].map((name) => {
      const file = inside(look.root, name);
      return [file, "format", at(look.project.toml(file), "format") !== undefined] as const;
    }),
    ...[".pre-commit-config.yaml"].map((name) => {
      const file = inside(look.root, name);
      return [file, "ruff-format", look.project.text(file)?.includes("ruff-format") ?? false] as const;
    }),
  ];
  const place = places.find(([, , is]) => is);
  if (place === undefined) return [];
  const origin = {file: place[0], key: place[1], why: "the formatter of ruff is configured"};
  return [
    draftOf(look, {
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

function tests(look: Look): StageDraft[] {
  const {project, root, declared} = look;
  const files = testFiles(look);
  const config = configOf(look, PYTEST);
  const uses = declared.find((one) => one.name === "pytest");
  const importing = files.slice(0, 20).find((path) => /^\s*(import|from) pytest\b/m.test(project.text(path) ?? ""));
  const slot = "python:test";
  const drafts: StageDraft[] = [];
  let origin: Origin | null = null;
  if (config !== null && (files.length > 0 || !config.key.endsWith("conftest.py"))) origin = config;
  else if (uses !== undefined && files.length > 0)
    origin = {file: uses.file, key: uses.key, why: "pytest is a dependency"};
  else if (importing !== undefined) origin = {file: importing, key: "pytest", why: "tests import pytest"};
  if (origin !== null)
    drafts.push(draftOf(look, {kind: "test", command: "pytest", origin, evidence: "tool", tool: "pytest", slot}));
  const manage = inside(root, "manage.py");
  if (project.has(manage) && (project.text(manage) ?? "").includes("django") && files.length > 0)
    drafts.push(
      draftOf(look, {
        kind: "test",
        command: "python manage.py test",
        origin: {file: manage, key: "django", why: "a Django project"},
        evidence: "default",
        tool: "python",
        slot,
      }),
    );
  return [...drafts, ...sessions(look, slot), ...(drafts.length === 0 ? unittests(look, files, slot) : [])];
}

/** Test files of this project: not those of projects inside it, nor of material that its tests use. */
function testFiles({project, root}: Look): string[] {
  const start = root === "." ? "" : `${root}/`;
  const inner = ["pyproject.toml", "setup.py", "Pipfile"]
    .flatMap((name) => project.named(name))
    .flatMap((path) => (path.includes("/") ? [path.slice(0, path.lastIndexOf("/") + 1)] : []))
    .filter((folder) => folder !== start && folder.startsWith(start));
  return project
    .below(root)
    .filter(
      (path) =>
        TEST_FILE.test(path) &&
        !inner.some((folder) => path.startsWith(folder)) &&
        !MATERIAL.test(path.slice(start.length)),
    );
}

/** tox and nox make environments of their own and install into them, so they come after what runs in the project's. */
function sessions(look: Look, slot: string): StageDraft[] {
  const {project, root} = look;
  const drafts: StageDraft[] = [];
  const tox = inside(root, "tox.ini");
  const commands = sectionOf(project.text(tox) ?? "", "testenv");
  if (commands !== null && /^commands\s*=/m.test(commands))
    drafts.push(
      draftOf(look, {
        kind: "test",
        command: "tox -e py",
        origin: {file: tox, key: "testenv", why: "tox runs the tests"},
        evidence: "tool",
        tool: "tox",
        slot,
      }),
    );
  const nox = inside(root, "noxfile.py");
  const session = /def (tests?|unit|unit_tests?|pytest)\(/.exec(project.text(nox) ?? "")?.[1];
  if (session !== undefined)
    drafts.push(
      draftOf(look, {
        kind: "test",
        command: `nox -s ${session}`,
        origin: {file: nox, key: session, why: "nox runs the tests"},
        evidence: "tool",
        tool: "nox",
        slot,
      }),
    );
  return drafts;
}

function unittests(look: Look, files: readonly string[], slot: string): StageDraft[] {
  const {project, root} = look;
  const start = root === "." ? "" : `${root}/`;
  const file = files.slice(0, 50).find((path) => /^\s*(import|from) unittest\b/m.test(project.text(path) ?? ""));
  if (file === undefined) return [];
  const [folder = ""] = file.slice(start.length).split("/");
  const isPackage = !file.slice(start.length).includes("/") || project.has(`${start}${folder}/__init__.py`);
  return [
    draftOf(look, {
      kind: "test",
      command: isPackage ? "python -m unittest discover" : `python -m unittest discover -s ${folder}`,
      origin: {file, key: "unittest", why: "tests import unittest, and there is no pytest"},
      evidence: "default",
      tool: "python",
      slot,
    }),
  ];
}

/** Named scripts; one that is a plain command is started directly. */
function scripts(look: Look): StageDraft[] {
  const file = inside(look.root, "pyproject.toml");
  const manifest = look.project.toml(file);
  const tables: [readonly string[], string][] = SCRIPTS.map(([keys, starter]) => [keys, starter]);
  for (const env of mapOf(at(manifest, "tool", "hatch", "envs")).keys())
    tables.push([["tool", "hatch", "envs", env, "scripts"], env === "default" ? "hatch run" : `hatch run ${env}:`]);
  return tables.flatMap(([keys, starter]) =>
    [...scriptsAt(manifest, ...keys)].flatMap(([name, body]): StageDraft[] => {
      const kind: StageKind | null = kindOfName(name);
      if (kind === null || kind === "build" || kind === "check" || !/^[\w:.-]+$/.test(name)) return [];
      const line = body.replace(/\s*\{args(:[^}]*)?\}/g, "");
      const direct = starter !== "" && plainWords(line) !== null && !line.includes("{") && !starter.startsWith("hatch");
      const command = direct ? line : starter.endsWith(":") ? `${starter}${name}` : `${starter} ${name}`;
      const tool = command.split(" ")[0] ?? "";
      const origin = {file, key: [...keys, name].join("."), why: `the script \`${name}\``};
      return [
        draftOf(look, {
          kind,
          command,
          origin,
          evidence: "named",
          tool,
          slot: `python:script:${kind}`,
          ...(direct ? {} : {runs: [line]}),
        }),
      ];
    }),
  );
}

/** A workspace whose root runs the tests of all takes in its members. */
function coveredBy({project, root}: Look): string[] {
  const manifest = project.toml(inside(root, "pyproject.toml"));
  if (at(manifest, "tool", "uv", "workspace") === undefined) return [];
  if (at(manifest, "tool", "pytest") === undefined) return [];
  const start = root === "." ? "" : `${root}/`;
  return project
    .named("pyproject.toml")
    .filter((path) => path.startsWith(start))
    .map((path) => path.slice(0, path.lastIndexOf("/")));
}
