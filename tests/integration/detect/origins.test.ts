/** Each stage says where it comes from: over all fixture projects, a file that exists and a key that stands in it. */
import {readdirSync} from "node:fs";
import {basename, join} from "node:path";
import {expect, test} from "vitest";
import {DEFAULT_CONFIG} from "../../../src/detect/config/config.ts";
import {openProject} from "../../../src/detect/files/open-project.ts";
import type {Project} from "../../../src/detect/files/project.ts";
import {plan} from "../../../src/detect/plan.ts";
import type {Origin, Plan} from "../../../src/record/plan.ts";
import {projectOf} from "../../unit/detect/tree.ts";

const fixtures = new URL("../../fixtures/", import.meta.url).pathname;
const folders = ["projects", "ecosystems"].flatMap((group) =>
  readdirSync(join(fixtures, group)).map((name) => join(group, name)),
);

/** A key is the file's own name, words that stand in it, a line (`12` or `line 12`), or a path of names each of which stands in it. */
function isIn(project: Project, {file, key}: Origin): boolean {
  if (!project.has(file)) return false;
  if (key === basename(file) || key === "lock file" || key === "file") return true;
  const text = project.text(file) ?? "";
  if (key !== "" && text.includes(key)) return true;
  const [, line] = /^(?:line )?(\d+)$/.exec(key) ?? [];
  if (line !== undefined) return Number(line) >= 1 && Number(line) <= text.split("\n").length;
  const names = key.split(/[.[\]> ]+/).filter((name) => name !== "");
  return names.length > 0 && names.every((name) => text.includes(name));
}

function planOf(project: Project): Plan {
  const made = plan({project, config: DEFAULT_CONFIG});
  if (!made.ok) throw new Error(made.failure.kind);
  return made.value;
}

test("there are fixtures to look at", () => {
  expect(folders.length).toBeGreaterThan(15);
});

test.each(folders)("%s: every origin stands in a file of it", async (folder) => {
  const project = await openProject(join(fixtures, folder));
  const made = planOf(project);
  expect(made.stages.length).toBeGreaterThan(0);
  const origins = [...made.stages, ...made.setup].map((step) => step.origin);
  expect(origins.filter((origin) => !isIn(project, origin))).toEqual([]);
  expect(origins.filter((origin) => origin.why === "")).toEqual([]);
});

test.each([
  ["a file that is not there", {file: "Makefile", key: "test", why: ""}],
  ["a key that is not in it", {file: "package.json", key: "scripts.lint", why: ""}],
  ["no key", {file: "package.json", key: "", why: ""}],
  ["a line after the last", {file: "package.json", key: "line 9", why: ""}],
])("%s is caught", (_, origin) => {
  expect(isIn(projectOf({"package.json": {scripts: {test: "x"}}}), origin)).toBe(false);
});
