/** Bash itself completes commands, options and values with the script of `assay completion`; every script has every option. */
import {spawnSync} from "node:child_process";
import {mkdtempSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {beforeAll, expect, onTestFinished, test} from "vitest";
import {assay} from "../rig/command-line.ts";

const SHELLS = ["bash", "zsh", "fish"];
const scripts = new Map<string, string>();
beforeAll(() => {
  for (const shell of SHELLS) {
    const {status, stdout, stderr} = assay(tmpdir(), ["completion", shell]);
    expect({shell, status, stderr}).toEqual({shell, status: 0, stderr: ""});
    scripts.set(shell, stdout);
  }
});

/** The words that Bash offers for the last of these. */
function completeInBash(...words: readonly string[]): string[] {
  const program =
    'set -u; eval "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _assay; printf "%s\\n" "${COMPREPLY[@]}"';
  const args = ["--norc", "-c", program, "bash", scripts.get("bash") ?? "", "assay", ...words];
  const {status, stdout, stderr} = spawnSync("bash", args, {encoding: "utf8"});
  expect({status, stderr}).toEqual({status: 0, stderr: ""});
  return stdout.split("\n").filter(Boolean);
}

test.each([
  [["ver"], ["verify"]],
  [["verify", "--rep"], ["--reporter"]],
  [["verify", "src/a.ts", "--quiet", "--hea"], ["--head"]],
  [
    ["verify", "--reporter", "j"],
    ["json", "junit"],
  ],
  [
    ["verify", "--reporter", "="],
    ["tree", "line", "json", "github", "junit", "sarif"],
  ],
  [["verify", "--reporter", "=", "gi"], ["github"]],
  [
    ["init", "--mode", ""],
    ["separated", "single"],
  ],
  [["completion", ""], SHELLS],
  // then Bash completes names of files
  [["verify", "--event-log", ""], []],
  [["verify", "src/"], []],
  [["nothing", "--"], []],
])("%j becomes %j", (words, completed) => {
  expect(completeInBash(...words)).toEqual(completed);
});

test("Bash uses the function for this command, and file names where it has no words", () => {
  const program = 'eval "$1"; complete -p assay';
  const {stdout} = spawnSync("bash", ["--norc", "-c", program, "bash", scripts.get("bash") ?? ""], {encoding: "utf8"});
  expect(stdout).toBe("complete -o default -F _assay assay\n");
});

test("every script has each command, option and value", () => {
  const commands = completeInBash("").filter((name) => !name.startsWith("-"));
  expect(commands).toEqual(expect.arrayContaining(["plan", "verify", "completion"]));
  const words = [...commands, ...commands.flatMap((name) => completeInBash(name, "--")), "sarif", "separated"];
  for (const [shell, script] of scripts)
    expect(words.filter((word) => !script.includes(shell === "fish" ? word.replace("--", "-l ") : word))).toEqual([]);
});

for (const shell of ["zsh", "fish"]) {
  const isThere = spawnSync(shell, ["--version"]).status === 0;
  test.skipIf(!isThere)(`${shell} can read its script${isThere ? "" : ` (not on this machine: ${shell})`}`, () => {
    const folder = mkdtempSync(join(tmpdir(), "completion-"));
    onTestFinished(() => rmSync(folder, {recursive: true}));
    const file = join(folder, "script");
    const read = (script: string) => {
      writeFileSync(file, script);
      const {status, stderr} = spawnSync(shell, ["-n", file], {encoding: "utf8"});
      return {status, isSilent: stderr === ""};
    };
    expect(read(scripts.get(shell) ?? "")).toEqual({status: 0, isSilent: true});
    expect(read("if true; 'then\n").status).not.toBe(0);
  });
}
