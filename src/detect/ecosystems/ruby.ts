/** Ruby: gems and Rails applications, with Bundler if there is a Gemfile. */
import type {Origin} from "../../record/plan.ts";
import {folderOf, foldersUpFrom, inside, type Project} from "../files/project.ts";
import {candidatesOf, filesBelow, findFirst, originOf} from "../proposals/candidate-stages.ts";
import type {CheckRow, Ecosystem, InstallRow, ProjectFolder, Proposal} from "../proposals/ecosystem.ts";

const GEMFILES = ["Gemfile", "gems.rb"];
const RAKEFILES = ["Rakefile", "rakefile", "Rakefile.rb"];
const MANIFESTS = [...GEMFILES, "*.gemspec", ...RAKEFILES];
export const ruby: Ecosystem = {name: "ruby", title: "Ruby", manifests: MANIFESTS, where: "anywhere", detect};

const BUNDLE = {name: "bundle", hint: "add the step `ruby/setup-ruby` before Assay"};
const RAKE = {name: "rake", hint: "add the step `ruby/setup-ruby` before Assay"};
const BUNDLE_PATH = "vendor/bundle";

interface RubyProject extends ProjectFolder {
  readonly gemfile: string | null;
  /** the words in front of a gem's program, such as `bundle exec` */
  readonly prefix: string;
}

function detect({project, root}: ProjectFolder): Proposal {
  const gemfile = gemfileOf(project, root);
  const ruby: RubyProject = {project, root, gemfile, prefix: gemfile === null ? "" : "bundle exec "};
  const database = inside(root, "config/database.yml");
  const needsServer = /adapter:\s*(postgresql|mysql2|trilogy)/.test(project.text(database) ?? "");
  const note = {about: database, text: "the tests need a database server; add it to the job as a service"};
  const checks = candidatesOf(ruby, {
    tool: gemfile === null ? RAKE : BUNDLE,
    origin: originOf(gemfile ?? inside(root, "Rakefile"), "a Ruby project"),
    shared: {env: gemfile === null ? {} : {BUNDLE_PATH}},
    checks: [...checkers(ruby), ...tests(ruby)],
  });
  if (checks.length === 0) return {};
  return {checks, installs: gemfile === null ? [] : [installOf(project, gemfile)], notes: needsServer ? [note] : []};
}

/** The Gemfile that Bundler takes: the nearest one upwards. */
function gemfileOf(project: Project, root: string): string | null {
  const gemfiles = foldersUpFrom(root).map((folder) => findFirst(project, folder, GEMFILES));
  return gemfiles.find((gemfile) => gemfile !== null) ?? null;
}

/** The place that declares a gem: the Gemfile, the gemspec or the lock file. */
function gemOf({project, root, gemfile}: RubyProject, name: string): Origin | null {
  const specs = project.inFolder(root).filter((path) => path.endsWith(".gemspec"));
  const quotedName = new RegExp(`["']${name}["']`);
  const manifests = gemfile === null ? specs : [gemfile, ...specs];
  const file = manifests.find((path) => quotedName.test(project.text(path) ?? ""));
  if (file !== undefined) return originOf(file, `${name} is a dependency`, name);
  const lock = gemfile === null ? null : lockOf(project, gemfile);
  const isLocked = lock !== null && new RegExp(`^ {4}${name} \\(`, "m").test(project.text(lock) ?? "");
  return isLocked ? originOf(lock, `${name} is in the bundle`, name) : null;
}

/** The binstub of a program, or the program of its gem. */
function binary({project, root, prefix}: RubyProject, name: string): string {
  return project.has(inside(root, `bin/${name}`)) ? `bin/${name}` : `${prefix}${name}`;
}

function checkers(ruby: RubyProject): CheckRow[] {
  const {prefix} = ruby;
  const isDeclared = (...names: string[]): boolean => names.some((name) => gemOf(ruby, name) !== null);
  const hasConfig = ruby.project.has(inside(ruby.root, ".rubocop.yml"));
  const isRubocop = hasConfig && isDeclared("rubocop", "rubocop-.*");
  const sorbet = {configs: ["sorbet/config"], configured: "sorbet", when: isDeclared("sorbet")};
  const steep = {configs: ["Steepfile"], configured: "steep", when: isDeclared("steep")};
  return [
    {kind: "typecheck", command: `${prefix}srb tc`, ...sorbet},
    {kind: "typecheck", command: `${prefix}steep check`, ...steep},
    {kind: "lint", command: binary(ruby, "rubocop"), configs: [".rubocop.yml"], configured: "rubocop", when: isRubocop},
    {kind: "lint", command: `${prefix}standardrb`, origin: gemOf(ruby, "standard"), evidence: "tool", when: !isRubocop},
  ];
}

function tests(ruby: RubyProject): CheckRow[] {
  const {project, root} = ruby;
  const specs = filesBelow(project, inside(root, "spec"), ["_spec.rb"]);
  const cases = filesBelow(project, inside(root, "test"), /(_test|\/test_[^/]*|\/tc_[^/]*|\/ts_[^/]*)\.rb$/);
  const rspecConfig = findFirst(project, root, [".rspec"]);
  const rspec =
    rspecConfig === null
      ? (gemOf(ruby, "rspec") ?? gemOf(ruby, "rspec-rails") ?? gemOf(ruby, "rspec-core"))
      : originOf(rspecConfig, "RSpec is configured");
  const rails = inside(root, "bin/rails");
  const isRails = project.has(rails) && project.has(inside(root, "config/application.rb")) && cases.length > 0;
  const alternatives: Alternative[] = [
    {command: binary(ruby, "rspec"), origin: rspec, evidence: "tool", when: specs.length > 0},
    {command: "bin/rails test", origin: originOf(rails, "a Rails application with tests"), when: isRails},
    ...rakeTasks(ruby, specs.length + cases.length > 0),
  ];
  return alternatives.map((check) => ({...check, kind: "test", slot: "ruby:test"}));
}

type Alternative = Omit<CheckRow, "kind">;

/** Tasks that run tests, recognised by the usual forms in rakefiles. No rakefile is run. */
function rakeTasks(ruby: RubyProject, hasTests: boolean): Alternative[] {
  const {project, root, prefix} = ruby;
  const rakefile = findFirst(project, root, RAKEFILES);
  if (rakefile === null) return [];
  const folders = ["rakelib", "tasks", "rake"].map((folder) => inside(root, folder));
  const files = [rakefile, ...folders.flatMap((folder) => filesBelow(project, folder, [".rake"]))];
  return files.slice(0, 30).flatMap((file): Alternative[] => {
    const text = (project.text(file) ?? "").replace(/^\s*#.*$/gm, "");
    const testTasks = [
      ...text.matchAll(/(?:Rake::TestTask\.new|Minitest::TestTask\.create)(?:[ (]+[:"']([\w:]+))?/g),
    ].map(([, name]) => name ?? "test");
    const plainTasks = [...text.matchAll(/^\s*task[ (]+:?["']?(test|spec|tests)\b/gm)].map(([, name = ""]) => name);
    // Without RSpec, a task `spec` may write a specification instead of testing.
    const isRspec = /RSpec::Core|rspec/i.test(text) || gemOf(ruby, "rspec(?:-rails|-core)?") !== null;
    const name = [...testTasks, ...plainTasks]
      .filter((task) => task !== "spec" || testTasks.includes(task) || isRspec)
      .find((task) => ["test", "spec", "tests", "test:unit", "unit"].includes(task));
    const isTested = name !== undefined && (hasTests || testTasks.length > 0);
    const prerequisites = /^\s*task[ (]+:?["']?default["']?\s*(?::|=>|,)\s*(.*)$/m.exec(text)?.[1] ?? "";
    const isDefault =
      /\b(test|spec|tests|examples)\b/.test(prerequisites) && !/release|install|deploy/.test(prerequisites);
    // `Rake::TestTask.new` without a name creates the task `test`, a word that the file may not contain.
    const key = name !== undefined && text.includes(name) ? name : "TestTask";
    const ofTask = originOf(file, `the task \`${name}\``, key);
    const ofDefault = originOf(file, "the default task runs the tests", "default");
    return [
      {command: `${prefix}rake ${name}`, origin: ofTask, evidence: "named", when: isTested},
      {command: `${prefix}rake`, origin: ofDefault, evidence: "named", when: isDefault},
    ];
  });
}

function lockOf(project: Project, gemfile: string): string | null {
  const lock = gemfile.endsWith("gems.rb") ? gemfile.replace(/gems\.rb$/, "gems.locked") : `${gemfile}.lock`;
  return project.has(lock) ? lock : null;
}

function installOf(project: Project, gemfile: string): InstallRow {
  const lock = lockOf(project, gemfile);
  const frozenOption = lock === null ? "" : "BUNDLE_FROZEN=true ";
  return {
    command: `BUNDLE_PATH=${BUNDLE_PATH} ${frozenOption}bundle install --jobs 4`,
    cwd: folderOf(gemfile),
    inputs: [gemfile, ...(lock === null ? [] : [lock]), "**/*.gemspec"].map((path) => `/${path}`),
    provides: [BUNDLE_PATH],
    tools: [BUNDLE],
    origin:
      lock === null
        ? originOf(gemfile, "there is no lock file: versions may drift")
        : originOf(lock, "installed from the lock file", "GEM"),
  };
}
