/** Nested packages of Ruby, PHP and Dart are read where the outer project names them. */
import {expect, test} from "vitest";
import {attribute, type Tree} from "./attribute.ts";

const GEMS: Tree = {
  "root.gemspec": "",
  Gemfile: 'gemspec\ngem "a", path: "gems/a"\n',
  "gems/a/a.gemspec": "",
  "gems/a/lib/a.rb": "",
  "engines/b/b.gemspec": "",
  "engines/b/lib/b.rb": "",
};
const COMPOSER: Tree = {
  "composer.json": {autoload: {"psr-4": {"R\\A\\": "src/A/src"}}},
  "phpunit.xml": "<directory>packages/*/tests</directory>\n",
  "packages/p/composer.json": {},
  "packages/p/p.php": "",
  "other/q/composer.json": {},
  "other/q/q.php": "",
};
const DART: Tree = {
  "pubspec.yaml": "name: d\nworkspace:\n  - pkgs/a\n",
  "pkgs/a/pubspec.yaml": "name: a\n",
  "pkgs/a/lib/a.dart": "",
  "example/pubspec.yaml": "name: m\n",
  "example/lib/m.dart": "",
};

test.each<[string, Tree, string[], string, string]>([
  ["a gem that no Gemfile names", GEMS, ["bundle exec rspec"], "engines/b/lib/b.rb", "engines/b"],
  ["a package that phpunit.xml does not name", COMPOSER, ["phpunit"], "other/q/q.php", "other/q"],
  ["an example of a Dart package", DART, ["dart test"], "example/lib/m.dart", "example"],
])("%s is read by nobody", (_name, tree, commands, path, project) => {
  expect(attribute(tree, commands, path)).toEqual({path, stages: [], takenIn: [], project});
});

test.each<[string, Tree, string[], string, string[]]>([
  ["a gem that the Gemfile names", GEMS, ["bundle exec rspec"], "gems/a/lib/a.rb", ["0"]],
  ["a gem that rspec is pointed at", GEMS, ["rspec engines/b"], "engines/b/lib/b.rb", ["0"]],
  ["a gem by rake, which nobody knows", GEMS, ["rake spec"], "engines/b/lib/b.rb", ["0"]],
  ["a package by a pattern of phpunit.xml", COMPOSER, ["vendor/bin/phpunit"], "packages/p/p.php", ["0"]],
  ["a member of a Dart workspace", DART, ["dart test"], "pkgs/a/lib/a.dart", ["0"]],
])("%s", (_name, tree, commands, path, stages) => {
  expect(attribute(tree, commands, path)).toMatchObject({stages});
});
