/** Both modes get an opinion in one way only, so a rule that holds there holds in one job and in separate jobs. */
import {expect, test} from "vitest";
import {readSources} from "./source-graph.ts";

const all = readSources("src", "lifecycle");
const filesWith = (pattern: RegExp) => all.filter(({text}) => pattern.test(text)).map(({path}) => path);
const importersOf = (path: string) =>
  all.filter(({valueImports}) => valueImports.includes(path)).map((file) => file.path);

test("`judgeAttempts` alone asks the judge, and is called by the loop, by `/review` and by the job `judge` alone", () => {
  expect(importersOf("src/judge/judge.ts")).toEqual(["src/run/judge.ts"]);
  expect(filesWith(/\bcreateJudge\(/).sort()).toEqual(["src/judge/judge.ts", "src/run/judge.ts"]);
  expect(filesWith(/\bjudgeAttempts\(/).sort()).toEqual([
    "src/run/jobs/judge-job.ts",
    "src/run/judge.ts",
    "src/run/requests/review.ts",
  ]);
  expect(filesWith(/\bjudgeInLoop\(/).sort()).toEqual(["src/run/judge.ts", "src/run/requests/work.ts"]);
  const [file] = all.filter(({path}) => path === "src/run/judge.ts");
  expect(file?.text.match(/\bcreateJudge\(/g)).toHaveLength(1);
});

test("no command of the terminal judges", () => {
  const commands = all.filter(({path}) => path.startsWith("src/cli/"));
  expect(commands.length).toBeGreaterThan(20);
  const reach = new Set<string>();
  const follow = (path: string): void => {
    if (reach.has(path)) return;
    reach.add(path);
    for (const next of all.find((file) => file.path === path)?.valueImports ?? []) follow(next);
  };
  for (const {path} of commands) follow(path);
  expect([...reach].filter((path) => path === "src/run/judge.ts" || path === "src/judge/judge.ts")).toEqual([]);
});
