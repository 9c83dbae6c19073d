/** Ruby: gems and Rails applications, with Bundler where there is a Gemfile. */
import type {Note, Origin, Stage} from "../../record/plan.ts";
import {folderOf, inside, type Project} from "../files/project.ts";
import {filesBelow, findFirst, stageFactory} from "../proposals/candidate-stages.ts";
import {type CandidateSetup, type CandidateStage, type Ecosystem, EMPTY_PROPOSAL} from "../proposals/ecosystem.ts";

const BUNDLE = {name: "bundle", hint: "add the step `ruby/setup-ruby` before Assay"};
const RAKE = {name: "rake", hint: "add the step `ruby/setup-ruby` before Assay"};
const GEMFILES = ["Gemfile", "gems.rb"];
const RAKEFILES = ["Rakefile", "rakefile", "Rakefile.rb"];
const PATH = "vendor/bundle";

interface Look {
  readonly project: Project;
  readonly root: string;
  readonly bundle: string | null;
  /** in front of a program of a gem */
  readonly prefix: string;
}

export const ruby: Ecosystem = {
  name: "ruby",
  title: "Ruby",
  manifests: [...GEMFILES, "*.gemspec", ...RAKEFILES],
  where: "anywhere",
  detect({project, root}) {
    const bundle = bundleOf(project, root);
    const look: Look = {project, root, bundle, prefix: bundle === null ? "" : "bundle exec "};
    const draft = stageFactory({
      cwd: root,
      tool: bundle === null ? RAKE : BUNDLE,
      env: bundle === null ? {} : {BUNDLE_PATH: PATH},
    });
    const stages = [...checkers(look, draft), ...tests(look, draft)];
    if (stages.length === 0) return EMPTY_PROPOSAL;
    const database = project.text(inside(root, "config/database.yml")) ?? "";
    const notes: Note[] = /adapter:\s*(postgresql|mysql2|trilogy)/.test(database)
      ? [
          {
            about: inside(root, "config/database.yml"),
            text: "the tests want a database server; give it to the job as a service",
          },
        ]
      : [];
    return {stages, setup: bundle === null ? [] : [install(project, bundle)], notes};
  },
};

type Draft = ReturnType<typeof stageFactory>;

/** The Gemfile that Bundler would take: the nearest one upwards. */
function bundleOf(project: Project, root: string): string | null {
  for (let here = root; ; here = folderOf(here)) {
    const found = findFirst(project, here, GEMFILES);
    if (found !== null || here === ".") return found;
  }
}

/** Where a gem is declared: in the Gemfile, the gemspec or the lock file. */
function gemOf({project, root, bundle}: Look, name: string): Origin | null {
  const specs = project.inFolder(root).filter((path) => path.endsWith(".gemspec"));
  const lock = bundle === null ? null : lockOf(project, bundle);
  const quoted = new RegExp(`["']${name}["']`);
  const file = [...(bundle === null ? [] : [bundle]), ...specs].find((path) => quoted.test(project.text(path) ?? ""));
  if (file !== undefined) return {file, key: name, why: `${name} is a dependency`};
  const isLocked = lock !== null && new RegExp(`^ {4}${name} \\(`, "m").test(project.text(lock) ?? "");
  return isLocked ? {file: lock, key: name, why: `${name} is in the bundle`} : null;
}

function checkers(look: Look, draft: Draft): CandidateStage[] {
  const {project, root, prefix} = look;
  const config = (name: string, why: string): Origin | null => {
    const file = inside(root, name);
    return project.has(file) ? {file, key: name.slice(name.lastIndexOf("/") + 1), why} : null;
  };
  const binary = (name: string): string =>
    project.has(inside(root, `bin/${name}`)) ? `bin/${name}` : `${prefix}${name}`;
  const rubocop = config(".rubocop.yml", "rubocop is configured");
  const standard = gemOf(look, "standard");
  const sorbet = gemOf(look, "sorbet") === null ? null : config("sorbet/config", "sorbet is configured");
  const steep = gemOf(look, "steep") === null ? null : config("Steepfile", "steep is configured");
  const isRubocop = rubocop !== null && ["rubocop", "rubocop-.*"].some((name) => gemOf(look, name) !== null);
  const found: [CandidateStage["kind"], string, Origin | null][] = [
    ["typecheck", `${prefix}srb tc`, sorbet],
    ["typecheck", `${prefix}steep check`, steep],
    ["lint", binary("rubocop"), isRubocop ? rubocop : null],
    ["lint", `${prefix}standardrb`, isRubocop ? null : standard],
  ];
  return found.flatMap(([kind, command, origin]) =>
    origin === null ? [] : [draft(kind, command, origin, {evidence: "tool"})],
  );
}

function tests(look: Look, draft: Draft): CandidateStage[] {
  const {project, root, prefix} = look;
  const slot = "ruby:test";
  const specs = filesBelow(project, inside(root, "spec"), /_spec\.rb$/);
  const cases = filesBelow(project, inside(root, "test"), /(_test|\/test_[^/]*|\/tc_[^/]*|\/ts_[^/]*)\.rb$/);
  const drafts: CandidateStage[] = [];
  const rspec: Origin | null = project.has(inside(root, ".rspec"))
    ? {file: inside(root, ".rspec"), key: ".rspec", why: "RSpec is configured"}
    : (gemOf(look, "rspec") ?? gemOf(look, "rspec-rails") ?? gemOf(look, "rspec-core"));
  if (specs.length > 0 && rspec !== null) {
    const command = project.has(inside(root, "bin/rspec")) ? "bin/rspec" : `${prefix}rspec`;
    drafts.push(draft("test", command, rspec, {evidence: "tool", slot}));
  }
  const rails = inside(root, "bin/rails");
  if (project.has(rails) && project.has(inside(root, "config/application.rb")) && cases.length > 0)
    drafts.push(
      draft("test", "bin/rails test", {file: rails, key: "rails", why: "a Rails application with tests"}, {slot}),
    );
  return [...drafts, ...rakeTasks(look, draft, {slot, hasTests: specs.length + cases.length > 0})];
}

/** Tasks that run tests, by the forms in which rakefiles make them; nothing of them is run to find out. */
function rakeTasks(look: Look, draft: Draft, o: {slot: string; hasTests: boolean}): CandidateStage[] {
  const {project, root, prefix} = look;
  const rakefile = findFirst(project, root, RAKEFILES);
  if (rakefile === null) return [];
  const files = [
    rakefile,
    ...["rakelib", "tasks", "rake"].flatMap((folder) => filesBelow(project, inside(root, folder), /\.rake$/)),
  ];
  const drafts: CandidateStage[] = [];
  for (const file of files.slice(0, 30)) {
    const text = (project.text(file) ?? "").replace(/^\s*#.*$/gm, "");
    const made = [...text.matchAll(/(?:Rake::TestTask\.new|Minitest::TestTask\.create)(?:[ (]+[:"']([\w:]+))?/g)].map(
      ([, name]) => name ?? "test",
    );
    const own = [...text.matchAll(/^\s*task[ (]+:?["']?(test|spec|tests)\b/gm)].map(([, name = ""]) => name);
    // A task `spec` that is not made for RSpec may as well write a specification.
    const isRspec = /RSpec::Core|rspec/i.test(text) || gemOf(look, "rspec(?:-rails|-core)?") !== null;
    const name = [...made, ...own]
      .filter((task) => task !== "spec" || made.includes(task) || isRspec)
      .find((task) => /^(test|spec|tests|test:unit|unit)$/.test(task));
    if (name !== undefined && (o.hasTests || made.length > 0)) {
      const origin = {file, key: name, why: `the task \`${name}\``};
      drafts.push(draft("test", `${prefix}rake ${name}`, keyed(origin, text), {evidence: "named", slot: o.slot}));
    }
    const first = /^\s*task[ (]+:?["']?default["']?\s*(?::|=>|,)\s*(.*)$/m.exec(text)?.[1] ?? "";
    if (/\b(test|spec|tests|examples)\b/.test(first) && !/release|install|deploy/.test(first)) {
      const origin = {file, key: "default", why: "the default task runs the tests"};
      drafts.push(draft("test", `${prefix}rake`.trim(), origin, {evidence: "named", slot: o.slot}));
    }
  }
  return drafts;
}

/** `Rake::TestTask.new` without a name makes `test`, which then stands nowhere in the file. */
function keyed(origin: Origin, text: string): Origin {
  return text.includes(origin.key) ? origin : {...origin, key: "TestTask"};
}

function lockOf(project: Project, bundle: string): string | null {
  const lock = bundle.endsWith("gems.rb") ? bundle.replace(/gems\.rb$/, "gems.locked") : `${bundle}.lock`;
  return project.has(lock) ? lock : null;
}

function install(project: Project, bundle: string): CandidateSetup {
  const lock = lockOf(project, bundle);
  const tools: Stage["tools"] = [BUNDLE];
  return {
    command: `BUNDLE_PATH=${PATH} ${lock === null ? "" : "BUNDLE_FROZEN=true "}bundle install --jobs 4`,
    cwd: folderOf(bundle),
    inputs: [bundle, ...(lock === null ? [] : [lock]), "**/*.gemspec"],
    provides: [inside(folderOf(bundle), PATH)],
    tools,
    origin:
      lock === null
        ? {
            file: bundle,
            key: bundle.slice(bundle.lastIndexOf("/") + 1),
            why: "there is no lock file: versions may drift",
          }
        : {file: lock, key: "GEM", why: "installed from the lock file"},
  };
}
