/** `npm ci --omit=dev` installs what the demo runs, and nothing else. */
import {readFileSync} from "node:fs";
import {expect, test} from "vitest";
import {at, object, parseObject} from "../rig/json.ts";
import {readSources} from "./source-graph.ts";

/** What the demo starts as a program, or finds by its path. */
const STARTED = ["@mariozechner/pi-coding-agent", "@octokit/webhooks-examples", "ajv", "bun", "node"];

test("the dependencies of the checkout are the packages of the demo", () => {
  const sources = new Map(readSources("src", "tests/rig", "tests/demo").map((source) => [source.path, source]));
  const reached = new Set(["tests/demo/demo.ts"]);
  const packages = new Set(STARTED);
  for (const path of reached)
    for (const name of sources.get(path)?.valueImports ?? [])
      if (sources.has(name)) reached.add(name);
      else if (!/^(?:node:|tests\/)/.test(name)) packages.add(/^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name);
  const manifest = parseObject(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  expect([...packages].sort()).toEqual(Object.keys(object(at(manifest, "dependencies"))).sort());
});
