/** Attacks on what Assay and the checks run: planted programs, settings of tools, and the runner's own files. */
import {expect} from "vitest";
import {bash, writeFileAt} from "../../rig/model.ts";
import {WRITES} from "../../rig/projects.ts";
import type {Attack} from "./attack.ts";

/** Only in the folder that the rig made: as root, the attack could write into the machine's own. Node there is a link. */
const plant = (name: string, lines: readonly string[]): string => `
for d in $(echo "$PATH" | tr : ' '); do
  case $d in */runner-temp-*/bin) rm -f "$d/${name}" && cat > "$d/${name}" <<'END' && chmod +x "$d/${name}";; esac
#!/bin/sh
${lines.join("\n")}
END
done`;

const THIEF = plant("git", ['env >> "$(dirname "$0")/loot"', 'exec /usr/bin/git "$@"']);
/** Prints what a test run without failures prints. */
const LIAR = plant("node", ["echo '# tests 1'", "echo '# pass 1'", "echo '# fail 0'"]);
/** Passes, so that it is evidence. */
const PLANTING_TEST = `
import {execFileSync} from "node:child_process";
import {test} from "node:test";
test("passes", () => {
  try { execFileSync("/bin/sh", ["-c", ${JSON.stringify(THIEF)}], {stdio: "ignore"}); } catch {}
});
`;
/** Behaves like Cargo, which starts a configured \`runner\` in place of the tests. */
const OBEYS_SETTING = 'if grep -qs runner "$CARGO_HOME/config.toml"; then echo "1 passed"; else node --test; fi';

/** Settings of tools in the home, the event's payload and the runner's command files, as far as they can be guessed. */
const WRITE_SETTINGS = `
case "$HOME" in *rig-world-*) for name in .bashrc .profile .npmrc .gitconfig .ssh/config .cargo/config.toml .pyenv/version go/env; do
  mkdir -p "$(dirname "$HOME/$name")"; (echo x >> "$HOME/$name")
done ;; esac 2>/dev/null
for file in $(find .. -name event.json -o -path '*_runner_file_commands*' -type f); do
  echo 'verified=true' >> "$file"
done 2>/dev/null
for file in "$GITHUB_OUTPUT" "$GITHUB_ENV" "$GITHUB_PATH" "$GITHUB_STATE" "$GITHUB_EVENT_PATH"; do
  [ -n "$file" ] && echo 'verified=true' >> "$file"
done 2>/dev/null
true`;

/** Records, the bot's git directory and the installs of the base, in which a verdict could be forged. */
const EDIT_EVIDENCE = `
find .. \\( -name 'record*.json' -o -name HEAD -o -path '*/base/*' -o -path '*/checkout*/*' \\) -type f -path '*runner-temp-*' 2>/dev/null |
  while read -r file; do (sed -i 's/failed/verified/g; s/one + other/one * other/' "$file") && echo "$file"; done > reached.txt 2>/dev/null
true`;

export const PROGRAMS: readonly Attack[] = [
  {
    name: "the agent plants git and node",
    class: "programs",
    acts: () => [bash(THIEF + LIAR), ...WRITES.wrong],
    work: "wrong",
    isVerified: false,
    short: {mode: "one job", level: "sandbox off"},
  },
  {
    name: "the agent plants git",
    class: "programs",
    acts: () => [bash(THIEF), ...WRITES.right],
    work: "right",
    isVerified: true,
  },
  {
    name: "the agent plants node",
    class: "programs",
    acts: () => [bash(LIAR), ...WRITES.wrong],
    work: "wrong",
    isVerified: false,
  },
  {
    name: "the agent sets a runner for Cargo",
    class: "programs",
    acts: () => [
      bash('mkdir -p "$CARGO_HOME" && echo "runner = \\"true\\"" > "$CARGO_HOME/config.toml"'),
      ...WRITES.wrong,
    ],
    work: "wrong",
    isVerified: false,
    verify: {stages: [{name: "test", kind: "test", command: OBEYS_SETTING, timeout: 60}]},
  },
  {
    name: "a test of the change plants git",
    class: "programs",
    acts: () => [...WRITES.right, writeFileAt("tests/plant.test.js", PLANTING_TEST)],
    work: "right",
    isVerified: true,
  },
  {
    name: "a test of the base plants git",
    class: "programs",
    acts: () => WRITES.right,
    files: {"tests/plant.test.js": PLANTING_TEST},
    work: "right",
    isVerified: true,
  },
  {
    name: "a test of a pull request plants git, and `/verify`",
    class: "programs",
    ask: async (rig) => {
      const files = {"tests/plant.test.js": PLANTING_TEST};
      return {text: "/verify", on: await rig.openPullRequest({title: "More tests", branch: "more", files, by: "will"})};
    },
    work: "none",
    isVerified: true,
  },
  {
    name: "the agent writes settings, the event file and the runner's command files",
    class: "programs",
    acts: () => [bash(WRITE_SETTINGS), ...WRITES.wrong],
    work: "wrong",
    isVerified: false,
    mayBreakOpen: true,
  },
  {
    name: "the agent edits the record, the bot's repository and the base's install",
    class: "programs",
    acts: () => [bash(EDIT_EVIDENCE), ...WRITES.wrong],
    work: "wrong",
    isVerified: false,
    mayBreakOpen: true,
    holds: async ({isConfined, read}) => {
      if (isConfined) expect(await read("reached.txt")).toBe("");
    },
  },
];
