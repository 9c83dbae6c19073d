/** Ruby gems and Rails applications. */
import {describe, expect, test} from "vitest";
import {setupOf, stagesOf} from "./planned.ts";
import {planOf} from "./tree.ts";

const GEMFILE = 'source "https://example.org"\ngem "rspec"\ngem "rubocop"\n';

describe("tests", () => {
  test("RSpec and rubocop of a bundle with a lock file", () => {
    const tree = {Gemfile: GEMFILE, "Gemfile.lock": "GEM\n", ".rubocop.yml": "", "spec/a_spec.rb": ""};
    expect(stagesOf(tree)).toEqual(["lint: bundle exec rubocop", "test: bundle exec rspec"]);
    expect(setupOf(tree)).toEqual([".: BUNDLE_PATH=vendor/bundle BUNDLE_FROZEN=true bundle install --jobs 4"]);
    expect(planOf(tree).stages[0]?.env).toEqual({BUNDLE_PATH: "vendor/bundle"});
  });

  test("a Rails application, whose own starters are used", () => {
    const tree = {
      Gemfile: 'gem "rails"\ngem "rubocop-rails-omakase"\n',
      "bin/rails": "#!/usr/bin/env ruby\nrequire 'rails/commands'",
      "bin/rubocop": "",
      ".rubocop.yml": "",
      Rakefile: "require_relative 'config/application'\n",
      "config/application.rb": "",
      "config/database.yml": "default:\n  adapter: postgresql\n",
      "test/models/a_test.rb": "",
    };
    expect(stagesOf(tree)).toEqual(["lint: bin/rubocop", "test: bin/rails test"]);
    expect(planOf(tree).notes.map((note) => note.about)).toContain("config/database.yml");
  });

  test("rake tasks, by the forms in which they are made", () => {
    const cases = {Gemfile: "", "test/test_a.rb": ""};
    expect(stagesOf({...cases, Rakefile: "Rake::TestTask.new do |t|\nend\n"})).toEqual(["test: bundle exec rake test"]);
    expect(stagesOf({...cases, Rakefile: "Minitest::TestTask.create(:unit)\n"})).toEqual([
      "test: bundle exec rake unit",
    ]);
    expect(stagesOf({...cases, Rakefile: "task default: %i[spec rubocop]\n"})).toEqual(["test: bundle exec rake"]);
    expect(stagesOf({...cases, Rakefile: "# Rake::TestTask.new\ntask default: [:release]\n"})).toEqual([]);
    expect(stagesOf({"test/test_a.rb": "", Rakefile: "Rake::TestTask.new\n"})).toEqual(["test: rake test"]);
  });

  test("a Gemfile that only serves a site has no checks and no set-up", () => {
    expect(planOf({Gemfile: 'gem "jekyll"\n', "_config.yml": ""})).toMatchObject({stages: [], setup: []});
  });
});

test("type checkers that are configured and in the bundle", () => {
  const tree = {Gemfile: 'gem "sorbet"\n', "sorbet/config": "--dir=.", Steepfile: ""};
  expect(stagesOf(tree)).toEqual(["typecheck: bundle exec srb tc"]);
});

test("a gem inside the repository uses the bundle of the root", () => {
  const plan = planOf({Gemfile: GEMFILE, "gems/a/a.gemspec": "", "gems/a/spec/a_spec.rb": "", "gems/a/.rspec": ""});
  expect(plan.stages.map((stage) => [stage.cwd, stage.command])).toEqual([["gems/a", "bundle exec rspec"]]);
  expect(plan.setup.map((step) => step.cwd)).toEqual(["."]);
});

test("a task called spec is a test only where RSpec makes it", () => {
  const cases = {Gemfile: "", "test/a_test.rb": ""};
  const Rakefile = 'task spec: "SPEC.rdoc"\nRake::TestTask.new("test:regular")\ntask test: %w[spec test:regular]\n';
  expect(stagesOf({...cases, Rakefile})).toEqual(["test: bundle exec rake test"]);
  expect(
    stagesOf({Gemfile: "", "spec/a_spec.rb": "", Rakefile: "RSpec::Core::RakeTask.new(:spec)\ntask :spec\n"}),
  ).toEqual(["test: bundle exec rake spec"]);
});
