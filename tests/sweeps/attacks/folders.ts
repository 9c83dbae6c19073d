/** Attacks with what the agent leaves in its folder: settings of git, devices, odd names, and more than fits. */
import {expect} from "vitest";
import {bash} from "../../rig/model.ts";
import {WRITES} from "../../rig/projects.ts";
import type {Attack, Target} from "./attack.ts";

/** Marks and hidden changes first: what follows would run at each of these commands, in the agent's own turn. */
const trickGit = ({canary}: Target): string => `
git update-index --assume-unchanged src/sum.js && echo "// changed" >> src/sum.js
git update-index --skip-worktree README.md && echo "changed" >> README.md
other=$(git -c user.name=x -c user.email=x@example.com commit-tree -m other "$(git hash-object -t tree -w /dev/null)")
git replace "$(git rev-parse HEAD)" "$other" && git update-ref refs/heads/main "$other"
mkdir -p .git/evil .git/info .git/objects/info
printf '#!/bin/sh\\ntouch ${canary}-git\\ncat\\n' > .git/evil/run && chmod +x .git/evil/run
for hook in pre-commit post-checkout post-index-change pre-push reference-transaction fsmonitor-watchman; do cp .git/evil/run .git/evil/$hook; done
cat >> .git/evil/config <<END
[core]
  fsmonitor = $PWD/.git/evil/run
  hooksPath = $PWD/.git/evil
  sshCommand = $PWD/.git/evil/run
  askPass = $PWD/.git/evil/run
  pager = $PWD/.git/evil/run
  editor = $PWD/.git/evil/run
  fileMode = false
  ignoreStat = true
[filter "evil"]
  clean = $PWD/.git/evil/run
  smudge = $PWD/.git/evil/run
  required = true
[diff "evil"]
  textconv = $PWD/.git/evil/run
[diff]
  external = $PWD/.git/evil/run
[credential]
  helper = !$PWD/.git/evil/run
[gpg]
  program = $PWD/.git/evil/run
[commit]
  gpgSign = true
[remote "origin"]
  uploadpack = $PWD/.git/evil/run
  receivepack = $PWD/.git/evil/run
[url "ext::$PWD/.git/evil/run %S"]
  insteadOf = http://
END
echo '* filter=evil diff=evil' > .git/info/attributes
echo '*' > .git/info/exclude
echo /nonexistent > .git/objects/info/alternates
printf '[include]\\n  path = evil/config\\n' >> .git/config
true`;

/** Taken as they are, or left out: nothing of them may be read without end, or lose the rest. */
const ODD_FILES = `
mkfifo pipe
mknod disk b 7 0 2>/dev/null; mknod endless c 1 5 2>/dev/null
mkdir odd && echo x > odd/-rf && echo x > odd/con.js && echo x > "odd/$(printf 'two\\nlines.js')"
echo x > odd/setuid && chmod 4755 odd/setuid
echo x > odd/unreadable && chmod 000 odd/unreadable
truncate -s 1500M odd/sparse
true`;

/** Each has to be refused by name. */
const refusedFiles = ({canary}: Target): string => `
ln -s /etc/passwd passwd
mkdir case && echo x > case/File.js && echo y > case/file.js
git init -q nested && printf '#!/bin/sh\\ntouch ${canary}-nested\\n' > nested/run && chmod +x nested/run
git -C nested config core.fsmonitor "$PWD/nested/run"
mkdir -p 'src/.git' 'src/git~1' && echo '[core]' | tee 'src/.git/config' > 'src/git~1/config'
true`;

export const FOLDERS: readonly Attack[] = [
  {
    name: "the agent hides changes from git, and sets hooks, filters and programs for it",
    class: "git",
    acts: (target) => [...WRITES.right, bash(trickGit(target))],
    work: "right",
    isVerified: true,
    holds: ({outcome}) => {
      const paths = outcome.record?.attempts[0]?.changes.map(({path}) => path);
      expect(paths).toEqual(["README.md", "src/product.js", "src/sum.js", "tests/product.test.js"]);
    },
  },
  {
    name: "the agent makes devices, a pipe, odd names, unreadable files and a sparse file",
    class: "files",
    acts: () => [...WRITES.right, bash(ODD_FILES)],
    work: "right",
    isVerified: false,
    holds: ({outcome}) => {
      const paths = outcome.record?.attempts[0]?.changes.map(({path}) => path) ?? [];
      expect(paths).toEqual(expect.arrayContaining(["odd/-rf", "odd/con.js", "src/product.js"]));
      expect(paths.filter((path) => ["disk", "endless", "pipe"].includes(path))).toEqual([]);
    },
  },
  {
    name: "the agent leaves a nested repository, links out of the tree and names that git refuses",
    class: "files",
    acts: (target) => [...WRITES.right, bash(refusedFiles(target))],
    work: "right",
    isVerified: false,
  },
  {
    name: "the agent leaves 5,100 files",
    class: "files",
    acts: () => [...WRITES.right, bash("mkdir many && cd many && seq 1 5100 | xargs touch")],
    work: "right",
    isVerified: true,
  },
];
