/** Narrowed commands with the real tools: what the change touches fails as it does in the whole run, and nothing else runs. */
import {spawnSync} from "node:child_process";
import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from "node:fs";
import {homedir, tmpdir} from "node:os";
import {dirname, join, posix} from "node:path";
import {describe, expect, it} from "vitest";
import {manifestFor, narrowCommand, packagesOf} from "../../src/engine/affected/narrow-command.ts";
import {ok} from "../../src/record/words.ts";
import {everyNth} from "../sweep.ts";
import {missing, TOOLS_PATH} from "./tools.ts";

const member = (name: string, test: string) => JSON.stringify({name, version: "1.0.0", scripts: {test}});
const MEMBERS = {
  "packages/one/package.json": member("one", "echo ran-one && exit 3"),
  "packages/two/package.json": member("two", "echo ran-two"),
};
const WORKSPACE = {
  "package.json": JSON.stringify({name: "all", private: true, workspaces: ["packages/*"]}),
  ...MEMBERS,
};

const CASES = [
  {programs: ["npm"], files: WORKSPACE, line: "npm test --workspaces", touched: "packages/one/x.js"},
  {
    programs: ["pnpm"],
    files: {"package.json": '{"name": "all"}', "pnpm-workspace.yaml": "packages: ['packages/*']\n", ...MEMBERS},
    ...{line: "pnpm -r --no-bail test", touched: "packages/one/x.js"},
  },
  {
    programs: ["rspec"],
    files: {
      "spec/one_spec.rb": 'puts "ran-one"; RSpec.describe("a") { it("b") { raise } }\n',
      "spec/two_spec.rb": 'puts "ran-two"; RSpec.describe("c") { it("d") {} }\n',
    },
    ...{line: "rspec --no-color", touched: "spec/one_spec.rb"},
  },
  {
    programs: ["mix"],
    files: {
      "mix.exs": 'defmodule A.MixProject do\n  use Mix.Project\n  def project, do: [app: :a, version: "1.0.0"]\nend\n',
      "test/test_helper.exs": "ExUnit.start()\n",
      "test/one_test.exs":
        'IO.puts("ran-one")\ndefmodule OneTest do\n  use ExUnit.Case\n  test("a", do: flunk("b"))\nend\n',
      "test/two_test.exs": 'IO.puts("ran-two")\ndefmodule TwoTest do\n  use ExUnit.Case\n  test("a", do: :ok)\nend\n',
    },
    ...{line: "mix test", touched: "test/one_test.exs"},
  },
  ...["bun", "deno"].map((program) => {
    const test = program === "bun" ? 'import {test} from "bun:test";' : "const {test} = Deno;";
    const files = {
      "one.test.ts": `${test}\nconsole.log("ran-one");\ntest("a", () => { throw new Error("b"); });\n`,
      "two.test.ts": `${test}\nconsole.log("ran-two");\ntest("c", () => {});\n`,
    };
    return {programs: [program], files, line: `${program} test`, touched: "one.test.ts"};
  }),
];

describe.each(everyNth(CASES, 2))("$line", ({programs, files, line, touched}) => {
  const absent = missing(programs);
  const title = absent.length === 0 ? "" : ` (not on this machine: ${absent.join(", ")})`;
  it.skipIf(absent.length > 0)(`fails where the change is, and runs nothing else${title}`, async () => {
    const folder = mkdtempSync(join(tmpdir(), "assay-narrowed-"));
    try {
      for (const [path, text] of Object.entries<string>(files)) {
        mkdirSync(dirname(join(folder, path)), {recursive: true});
        writeFileSync(join(folder, path), text);
      }
      const manifest = manifestFor(line);
      const readText = async (_: string, path: string) =>
        ok(Object.entries(files).find(([own]) => own === path)?.[1] ?? null);
      const packages =
        manifest === null ? [] : await packagesOf({files: [touched], root: ".", manifest, base: "", readText});
      const narrow = narrowCommand({line, files: [posix.normalize(touched)], packages}) ?? "";
      const run = (command: string) => {
        const env = {PATH: TOOLS_PATH, HOME: homedir(), CI: "true"};
        const {status, stdout, stderr} = spawnSync("bash", ["-c", command], {cwd: folder, encoding: "utf8", env});
        return {failed: status !== 0, ran: [...new Set(`${stdout}${stderr}`.match(/ran-\w+$/gm))].sort()};
      };
      expect(run(line)).toEqual({failed: true, ran: ["ran-one", "ran-two"]});
      expect(run(narrow)).toEqual({failed: true, ran: ["ran-one"]});
    } finally {
      rmSync(folder, {recursive: true, force: true, maxRetries: 3});
    }
  });
});
