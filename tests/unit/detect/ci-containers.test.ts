/** Commands that CI hands to a shell, in a container or through a function, and what a folder or a name says of them. */
import {describe, expect, it} from "vitest";
import {steps, workflow} from "./placed.ts";
import {accountOf} from "./planned.ts";

const run = (...lines: string[]): string => `run: |\n${lines.map((line) => `          ${line}`).join("\n")}`;
const IN_CONTAINER = "CI runs it in a container, with `docker run`";

describe("commands behind a shell of CI", () => {
  it.each<[string, Readonly<Record<string, string | object>>, string[]]>([
    [
      "each command of a script that a container runs, and the start of the container as a preparation",
      workflow(
        steps(
          run("docker run -v $PWD:/w \\", "  alpine:3 \\", "  sh -ec '", "    apk add make", "    make test", "  '"),
        ),
      ),
      [
        `setup docker run -v $PWD:/w alpine:3 sh -ec '…': ${IN_CONTAINER}`,
        `setup apk add make: ${IN_CONTAINER}`,
        `check make test: ${IN_CONTAINER}`,
      ],
    ],
    [
      "a command of a container that a stage runs too is covered",
      {"package.json": {scripts: {test: "mocha"}}, ...workflow(steps("run: docker exec web bash -c 'npm test'"))},
      [
        "setup docker exec web bash -c '…': CI runs it in a container, with `docker exec`",
        "check npm test: CI runs it in a container, with `docker exec`",
      ],
    ],
    [
      "the value of a variable is not read",
      workflow(steps('run: docker exec web bash -c "$CMD"')),
      ['check docker exec web bash -c "$CMD": it depends on `$CMD`, whose value only CI knows'],
    ],
    [
      "a function that runs its arguments is only a way to run them",
      workflow(steps(run("retry() {", '  if "$@"; then return 0; fi', "}", "retry pytest", "retry apt-get update"))),
      ["stage retry pytest → test", "setup retry apt-get update: it prepares the machine of CI"],
    ],
    [
      "variables after `time` are variables",
      {
        "package.json": {scripts: {test: "bin/x test"}},
        ...workflow(steps("run: npm test", "run: time bin/x test", "run: time MODE=all bin/x test")),
      },
      ["stage npm test → test", "stage time bin/x test → check", "stage time MODE=all bin/x test → check-2"],
    ],
    [
      "a script of a sub-folder is not the script of that name in the root",
      {
        "package.json": {scripts: {build: "tsup"}},
        "site/package.json": {scripts: {build: "astro build"}},
        ...workflow(steps("run: npm run build", "run: npm run build\n        working-directory: site")),
      },
      ["stage npm run build → build", "stage npm run build → site:build"],
    ],
    [
      "the name of a job is no reason",
      workflow(
        "  version:\n    steps: [{run: npm ci}, {run: docker build -t x .}, {run: node x.js}]\n  a:\n    steps: [{run: pytest}]\n",
      ),
      [
        "covered npm ci → setup",
        "check docker build -t x .: `docker build` builds or starts containers",
        "stage node x.js → check",
        "stage pytest → test",
      ],
    ],
  ])("%s", (_, tree, expected) => {
    expect(accountOf(tree)).toEqual(expected);
  });
});
