/** Every way known to make git run somebody's program, each with a canary of its own and a plain command that falls for it. */
import {execFile, execFileSync} from "node:child_process";
import {appendFile, chmod, mkdir, readFile, writeFile} from "node:fs/promises";
import {join} from "node:path";
import {promisify} from "node:util";
import {bareGitEnvironment, git} from "../../rig/git.ts";

export interface Vector {
  readonly name: string;
  /** `key=value` for the repository's own configuration; see `arm` for what is put in for the `$` words */
  readonly settings?: readonly string[];
  readonly hook?: string;
  /** files below `.git`; what is there is added to */
  readonly files?: Readonly<Record<string, string>>;
  /** what plain git runs it with, in a checkout with a commit and the change `a.ts` */
  readonly plain: string;
  /** the first git that runs it, where that is younger than many a machine's */
  readonly since?: readonly [major: number, minor: number];
}

const commit = "git commit -qam x";
const two = `git checkout -qb one && ${commit} && git checkout -qb two HEAD~1 && echo 2 > a.ts && ${commit}`;
const hook = (name: string, plain: string): Vector => ({name: `hook ${name}`, hook: name, plain});
const setting = (key: string, plain: string, more: readonly string[] = []): Vector => ({
  name: key,
  settings: [`${key}=$CANARY`, ...more],
  plain,
});

/** In groups within which no vector hides another one, so that a whole group can be armed at once. */
export const GROUPS: Readonly<Record<string, readonly Vector[]>> = {
  "own settings and hooks": [
    hook("pre-commit", commit),
    hook("commit-msg", commit),
    hook("prepare-commit-msg", commit),
    hook("post-commit", commit),
    hook("pre-push", "git push --dry-run $ORIGIN HEAD:refs/heads/x"),
    hook("post-checkout", "git checkout -qb x"),
    hook("reference-transaction", "git update-ref refs/heads/x HEAD"),
    hook("post-index-change", "git add ."),
    hook("applypatch-msg", `${commit}; git format-patch -q -1; git reset -q --hard HEAD~1; git am -q 0001-x.patch`),
    hook("post-merge", `git checkout -qb x && ${commit}; git checkout -qb y HEAD~1; git merge -q x`),
    hook("pre-rebase", `${two}; git rebase -q one`),
    hook("post-rewrite", `${commit}; git commit -q --amend -m y`),
    setting("core.fsmonitor", "git status"),
    {name: "filter.x.clean", settings: ["filter.x.clean=$CANARY"], plain: "git add a.ts"},
    {name: "filter.x.smudge", settings: ["filter.x.smudge=$CANARY"], plain: "git checkout -q HEAD -- a.ts"},
    {name: "filter.p.process", settings: ["filter.p.process=$CANARY"], plain: "echo 2 > b.bin; git add b.bin"},
    setting("diff.external", "git diff"),
    setting("diff.t.textconv", "echo 2 > b.bin; git diff b.bin"),
    setting("diff.x.command", "git diff a.ts"),
    setting("merge.x.driver", `${two}; git merge -q one`),
    setting("gpg.program", commit, ["commit.gpgSign=true", "push.gpgSign=if-asked"]),
    setting("gpg.ssh.program", "git -c gpg.format=ssh -c 'user.signingkey=key::ssh-ed25519 AAAA' commit -qam x -S"),
    setting("core.sshCommand", "git ls-remote ssh://127.0.0.1/x"),
    setting("core.gitProxy", "git ls-remote git://127.0.0.1/x"),
    setting("core.askPass", "git ls-remote $PRIVATE"),
    {name: "credential.helper", settings: ["credential.helper=!$CANARY"], plain: "git ls-remote $PRIVATE"},
    setting("remote.origin.receivepack", "git push -q origin HEAD:refs/heads/x", ["remote.origin.url=$ORIGIN"]),
    setting("remote.origin.uploadpack", "git fetch -q origin", ["remote.origin.url=$ORIGIN"]),
    {
      name: "remote.p.pushurl to ext::",
      settings: ["remote.p.url=$ORIGIN", "remote.p.pushurl=ext::$CANARY", "protocol.ext.allow=always"],
      plain: "git push -q p HEAD:refs/heads/x",
    },
    setting("core.editor", "git commit -qa"),
    setting("sequence.editor", `${commit}; git rebase -qi HEAD~1`),
    {name: "alias", settings: ["alias.x=!$CANARY", "alias.add=!$CANARY", "alias.push=!$CANARY"], plain: "git x"},
    setting("tar.x.command", "git archive --format=x HEAD"),
    setting("trailer.x.command", "echo x | git interpret-trailers", ["trailer.x.key=x"]),
    {
      name: "core.alternateRefsCommand",
      settings: ["core.alternateRefsCommand=$CANARY"],
      files: {"objects/info/alternates": "$ORIGIN/objects\n"},
      plain: "git fetch -q $ORIGIN refs/heads/elsewhere",
    },
    {
      name: "submodule.sub.update",
      settings: ["submodule.sub.update=!$CANARY", "submodule.sub.active=true", "submodule.recurse=true"],
      plain: [
        "git init -q sub; git -C sub commit -q --allow-empty -m 1; git add sub",
        "git config -f .gitmodules submodule.sub.path sub; git config -f .gitmodules submodule.sub.url ./sub",
        "git config submodule.sub.url ./sub; git -C sub commit -q --allow-empty -m 2; git submodule update",
      ].join("; "),
    },
    {
      name: "hook.x.command",
      settings: ["hook.x.command=$CANARY", "hook.x.event=reference-transaction", "hook.y.command=$CANARY"],
      files: {config: '[hook "y"]\n\tevent = post-index-change\n\tevent = post-checkout\n\tevent = pre-push\n'},
      plain: "git update-ref refs/heads/x HEAD",
      since: [2, 54],
    },
    // git starts a pager on a terminal only, which is what `script` gives it
    setting("core.pager", "script -qec 'git log' /dev/null"),
  ],
  "settings from elsewhere": [
    {name: "core.hooksPath", settings: ["core.hooksPath=$HOOKS"], plain: commit},
    {name: "include.path", settings: ["include.path=$INCLUDED"], plain: "git status"},
    {
      name: "url.ext::.insteadOf",
      settings: ["url.ext::$CANARY .insteadOf=http://", "protocol.ext.allow=always", "protocol.allow=always"],
      plain: "git ls-remote http://127.0.0.1/x",
    },
    {
      name: "a HEAD that somebody promised to have",
      settings: [
        ...["core.repositoryformatversion=1", "extensions.partialClone=p", "remote.p.promisor=true"],
        ...["remote.p.url=$ORIGIN", "remote.p.uploadpack=$CANARY"],
      ],
      files: {HEAD: `${"1".repeat(40)}\n`},
      plain: "git rev-parse 'HEAD^{commit}'",
    },
  ],
};

/** What a vector has to point at. */
export interface Range {
  /** for canaries and what they leave; outside of every checkout */
  readonly folder: string;
  /** path of a bare repository */
  readonly origin: string;
  /** address that answers 401 */
  readonly privateUrl: string;
}

/** Arms a checkout. The command above a canary is known where `traceGit` is in the PATH. */
export async function arm(options: Range & {at: string; vectors: readonly Vector[]}): Promise<void> {
  const {at, folder} = options;
  await mkdir(join(at, ".git/hooks"), {recursive: true});
  for (const [number, vector] of options.vectors.entries()) {
    const own = await canary(folder, vector.name);
    const hooks = join(folder, `hooks-${number}`);
    const included = join(folder, `included-${number}`);
    await writeFile(included, `[core]\n\tfsmonitor = ${own}\n`);
    await mkdir(hooks, {recursive: true});
    for (const name of ["pre-commit", "post-checkout", "reference-transaction", "post-index-change", "pre-push"])
      await program(join(hooks, name), `exec '${own}'\n`);
    const put = (text: string) =>
      text
        .replaceAll("$CANARY", own)
        .replaceAll("$HOOKS", hooks)
        .replaceAll("$INCLUDED", included)
        .replaceAll("$ORIGIN", options.origin);
    if (vector.hook !== undefined) await program(join(at, ".git/hooks", vector.hook), `exec '${own}'\n`);
    for (const one of vector.settings ?? []) {
      const [key = "", ...rest] = one.split("=");
      await git(at, ["config", put(key), put(rest.join("="))]);
    }
    for (const [name, text] of Object.entries(vector.files ?? {})) {
      if (name === "HEAD") await writeFile(join(at, ".git", name), text);
      else await appendFile(join(at, ".git", name), put(text));
    }
  }
}

/** A program that notes who it is and which git command is above it. */
export async function canary(folder: string, name: string): Promise<string> {
  const file = join(folder, "canaries", name.replaceAll(/\W/g, "-"));
  await mkdir(join(folder, "canaries"), {recursive: true});
  await program(file, `printf '%s: git %s\\n' '${name}' "$TRACED_GIT" >> '${join(folder, "fired")}'\nexit 1\n`);
  return file;
}

/** Runs a plain command, whatever it ends with: many a canary makes it fail. `variables` are added to those of a bare git. */
export async function runPlain(
  options: Range & {at: string; plain: string; variables?: NodeJS.ProcessEnv},
): Promise<void> {
  const script = options.plain.replaceAll("$ORIGIN", options.origin).replaceAll("$PRIVATE", options.privateUrl);
  const env = {...bareGitEnvironment(), ...options.variables};
  const run = promisify(execFile)("sh", ["-c", script], {cwd: options.at, env, timeout: 10_000});
  await run.catch(() => "how it ends is not the point here");
}

/** Whether the git of this machine is young enough to run the vector. */
export function isRunHere(vector: Vector): boolean {
  const [, major = 0, minor = 0] = (
    /(\d+)\.(\d+)/.exec(execFileSync("git", ["--version"], {encoding: "utf8"})) ?? []
  ).map(Number);
  const [needed, after] = vector.since ?? [0, 0];
  return major > needed || (major === needed && minor >= after);
}

/** What the canaries have noted: `<vector>: git <the command>`, one for each time. */
export async function fired(folder: string): Promise<string[]> {
  const text = await readFile(join(folder, "fired"), "utf8").catch(() => "");
  return [...new Set(text.split("\n").filter(Boolean))];
}

async function program(file: string, body: string): Promise<void> {
  await writeFile(file, `#!/bin/sh\n${body}`);
  await chmod(file, 0o755);
}
