/** PHP projects of composer. */
import {expect, test} from "vitest";
import {setupOf, stagesOf} from "./planned.ts";
import {planOf} from "./tree.ts";

const composer = (scripts: object, dev: readonly string[] = []): object => ({
  "require-dev": Object.fromEntries(dev.map((name) => [name, "*"])),
  scripts,
});

test("scripts that are one plain command are started directly, where composer's time limit does not end them", () => {
  const tree = {
    "composer.json": composer({test: "@php vendor/bin/phpunit", phpstan: "phpstan analyse", cs: ["phpcs"]}),
  };
  expect(stagesOf(tree)).toEqual(["typecheck: phpstan analyse", "lint: phpcs", "test: vendor/bin/phpunit"]);
  expect(planOf(tree).stages[0]?.path).toEqual(["vendor/bin"]);
});

test("a script of several commands is read to its end", () => {
  const scripts = {test: ["@cs", "@unit"], cs: "pint", unit: ["@php artisan config:clear", "@php artisan test"]};
  const plan = planOf({"composer.json": composer({...scripts, style: "php-cs-fixer fix"})});
  expect(plan.stages.map((stage) => stage.command)).toEqual([
    "pint --test",
    "php-cs-fixer fix --dry-run",
    "composer run-script unit",
  ]);
  expect(plan.notes.find((note) => note.about.endsWith("scripts.test"))?.text).toContain("rewrites files");
});

test("tools that are configured and declared", () => {
  const tree = {
    "composer.json": composer({}, ["phpunit/phpunit", "phpstan/phpstan", "vimeo/psalm", "laravel/pint"]),
    "phpunit.dist.xml": "",
    "phpstan.neon.dist": "",
  };
  expect(stagesOf(tree)).toEqual([
    "typecheck: phpstan analyse --no-progress --memory-limit=-1",
    "lint: pint --test",
    "test: phpunit",
  ]);
});

test("pest goes before the phpunit that it is built on", () => {
  const tree = {"composer.json": composer({}, ["pestphp/pest", "phpunit/phpunit"]), "phpunit.xml": ""};
  expect(stagesOf(tree)).toEqual(["test: pest"]);
});

test("a Laravel application gets its environment file", () => {
  const tree = {
    "composer.json": composer({}, ["pestphp/pest"]),
    "composer.lock": "",
    artisan: "",
    ".env.example": "APP_KEY=",
  };
  expect(setupOf(tree)).toEqual([
    ".: composer install --no-interaction --no-progress --prefer-dist --no-scripts",
    ".: cp .env.example .env && php artisan key:generate --force",
  ]);
});

test("a manifest without checks gives no set-up", () => {
  expect(planOf({"composer.json": composer({"post-install-cmd": "cp a b"})})).toMatchObject({stages: [], setup: []});
});

test("scripts that start one another in a circle end", () => {
  expect(stagesOf({"composer.json": composer({test: "@unit", unit: "@test"})})).toEqual([]);
});

test("a script that gathers checks of several kinds is taken apart, each part once", () => {
  const scripts = {
    "test:types": "phpstan analyse",
    "test:unit": "php bin/pest --compact",
    test: ["@test:lint", "@test:types", "@test:unit"],
    "test:lint": "pint --test",
  };
  expect(stagesOf({"composer.json": composer(scripts)})).toEqual([
    "typecheck: phpstan analyse",
    "lint: pint --test",
    "test: php bin/pest --compact",
  ]);
  const [mixed] = stagesOf({"composer.json": composer({test: ["phpstan analyse", "php bin/pest"]})});
  expect(mixed).toBe("typecheck: phpstan analyse");
});

test("its own scripts run in each checkout, without calls of composer's classes", () => {
  const events = {
    "post-install-cmd": ["@prepare"],
    "post-autoload-dump": ["A\\B::c", "@php make.php"],
    prepare: "cp a b",
  };
  const {setup} = planOf({"composer.json": composer({test: "phpunit", ...events})});
  expect(setup.map(({command, ownScript}) => `${command}${ownScript ? "*" : ""}`).slice(1)).toEqual([
    "php make.php*",
    "cp a b*",
  ]);
});

test("the commands of one script are no alternatives to each other", () => {
  const pest = ["pest --exclude-group=slow", "pest --group=slow", "pest --type-coverage"];
  const tree = {"composer.json": composer({test: ["pint --test", ...pest], "test:unit": pest[0]})};
  expect(stagesOf(tree)).toEqual(["lint: pint --test", `test: ${pest[0]}`, `test-2: ${pest[1]}`, `test-3: ${pest[2]}`]);
});
