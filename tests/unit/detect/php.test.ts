/** PHP projects of composer. */
import {expect, test} from "vitest";
import {setupOf, stagesOf} from "./planned.ts";
import {planOf} from "./tree.ts";

const composer = (scripts: object, dev: readonly string[] = []): object => ({
  "require-dev": Object.fromEntries(dev.map((name) => [name, "*"])),
  scripts,
});

test("scripts with names of checks run as a whole, unless they rewrite files", () => {
  const scripts = {test: "@php vendor/bin/phpunit", lint: ["@cs"], cs: "pint", check: ["phpstan analyse", "phpcs"]};
  const {stages} = planOf({"composer.json": composer(scripts)});
  expect(stages.map(({command}) => command)).toEqual(["composer run-script test"]);
  expect(stages[0]?.path).toEqual(["vendor/bin"]);
  expect(stagesOf({"composer.json": composer({check: scripts.check})})).toEqual(["check: composer run-script check"]);
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
