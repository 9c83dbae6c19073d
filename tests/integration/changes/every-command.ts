/** Uses everything of the product that runs git, on one working folder, as the runs of a year would. */
import {mkdir, rm} from "node:fs/promises";
import {join} from "node:path";
import {prepareWorkspace, writeWork} from "../../../src/agent/workspace.ts";
import {findBuildOutputs} from "../../../src/changes/build-outputs.ts";
import {lastCandidate, makeCandidate, resetPaths, snapshotLeftovers} from "../../../src/changes/candidate.ts";
import {findDocumentReaders} from "../../../src/changes/document-readers.ts";
import {otherFilters} from "../../../src/changes/filtered-files.ts";
import {readRepository} from "../../../src/cli/doctor.ts";
import {folderGit} from "../../../src/cli/folder-git.ts";
import {readWork} from "../../../src/cli/hook/work.ts";
import {leftOutFiles} from "../../../src/cli/left-out-files.ts";
import {EMPTY_TREE, whyEmptied} from "../../../src/cli/local-setup.ts";
import {missingPaths} from "../../../src/cli/missing-paths.ts";
import {DEFAULT_CONFIG} from "../../../src/detect/config/config.ts";
import {leftOutReader} from "../../../src/detect/files/left-out.ts";
import {listFiles} from "../../../src/detect/files/list-files.ts";
import {mayTrimPaths} from "../../../src/engine/checkout/install.ts";
import {choosePathsToOverlay} from "../../../src/engine/checkout/overlaid-installs.ts";
import {findCoverage} from "../../../src/engine/find-coverage.ts";
import {diffStat} from "../../../src/git/diff-stat.ts";
import {hiddenRef, saveOnRef} from "../../../src/git/hidden-ref.ts";
import {commonAncestor, fetchHistory, readHistory} from "../../../src/git/history.ts";
import {openLocalObjects} from "../../../src/git/local-objects.ts";
import {
  readFolderIndex,
  readTreeSettings,
  refuseMissingFiles,
  unfinishedOperation,
  workTreeProblem,
} from "../../../src/git/local-state.ts";
import {addNote, originBranch, readNote} from "../../../src/git/notes.ts";
import {push} from "../../../src/git/push.ts";
import {readBlobs} from "../../../src/git/read-blobs.ts";
import {openRepository, type Repository} from "../../../src/git/repository.ts";
import {snapshotFolder} from "../../../src/git/snapshot.ts";
import {submoduleChanges} from "../../../src/git/submodules.ts";
import {packBundle, unpackWork} from "../../../src/handover/bundle.ts";
import {readChange} from "../../../src/integrity/read-change.ts";
import {committedFindings} from "../../../src/onboarding/doctor/committed.ts";
import {type OwnPrograms, openPrograms} from "../../../src/process/own-programs.ts";
import {observeRoles} from "../../../src/proof/gate-runs/observe-roles.ts";
import {readRequestNames} from "../../../src/proof/held-out/request-names.ts";
import {testFilesFor} from "../../../src/proof/sensitivity/tests-for.ts";
import {idsOf, makeCommit} from "../../../src/publish/commit.ts";
import {expireRefs} from "../../../src/publish/expire.ts";
import {guard} from "../../../src/publish/guard.ts";
import {park} from "../../../src/publish/park.ts";
import {rebase} from "../../../src/publish/rebase.ts";
import {setAside} from "../../../src/publish/set-aside.ts";
import {signCommit, signingRef} from "../../../src/publish/sign.ts";
import {ok} from "../../../src/record/words.ts";
import {diffOf} from "../../../src/run/judge.ts";
import {createSecretFinder} from "../../../src/secrets/redact.ts";
import {git} from "../../rig/git.ts";
import {record} from "../../unit/report/records.ts";
import {openBot, type Place, TOKEN, value, write} from "./place.ts";

const DAYS_31 = 31 * 86_400_000;
const BOT_EMAIL = "assay[bot]@users.noreply.github.com";

/**
 * `at` is a checkout of the base that the product has to be afraid of, `name` is new for each use; `path` goes to every git.
 * Throws where something refuses: a command that ended early was not exercised.
 */
export async function useEverything({
  place,
  at,
  name,
  path,
}: {
  place: Place;
  at: string;
  name: string;
  path: string;
}): Promise<void> {
  const {repository, base, origin} = place;
  const scratch = join(place.folder, `scratch-${name}`);
  const variables = {};
  const programs = openPrograms({first: path});
  await mkdir(scratch);

  // before the agent
  await testFilesFor({repository, commit: base, path: "sub.txt", changed: []});
  const names = readRequestNames({repository, base, request: "Add `half` in half.ts."});
  await names.introduces("half");
  await names.introducesFile("./half.ts");
  value(await repository.fetch("main"));
  value(await repository.readText(base, "a.ts", {maxBytes: 1_000}));
  const elsewhere = value(await repository.fetch("elsewhere")).commit;
  value(await prepareWorkspace({folder: at, repository, base: elsewhere}));
  value(await prepareWorkspace({folder: at, repository, base}));
  value(await prepareWorkspace({folder: join(scratch, "empty"), repository, base}));
  await listFiles(at, {}, programs);

  // the agent's work
  const leftovers = value(await snapshotLeftovers({repository, folder: at, base}));
  await write(at, {"a.ts": `changed ${name}\n`, "new.bin": "n\n", ".github/workflows/ci.yml": "on: push\n"});
  const {candidate, changes} = value(await makeCandidate({repository, folder: at, base, leftovers}));
  const documents = [{path: "a.md", status: "added"}] as const;
  value(await findDocumentReaders({git: repository.git, commit: base, changes: documents, isCode: () => true}));
  value(await resetPaths({repository, candidate, paths: new Set(["new.bin"])}));
  const kept = value(await setAside({repository, candidate, changes, protectedPaths: []}));
  if (kept.aside === null) throw new Error("the workflow was not set aside");
  value(await lastCandidate(repository));
  const changed = value(await repository.trackedChanges({commit: base, folder: at}));
  if (!changed.includes("a.ts")) throw new Error("the change in a.ts was not seen");
  const untracked = value(await repository.untrackedFiles({commit: base, folder: at}));
  if (!untracked.includes("new.bin")) throw new Error("the new file was not seen");
  value(await repository.restore({commit: base, folder: at, paths: changed}));
  value(await writeWork({folder: at, repository, base, tree: candidate.tree}));
  const out = join(scratch, "out");
  value(await repository.checkOut({commit: candidate.commit, folder: out}));
  const change = value(await readChange({repository, base, head: candidate.commit, plan: null}));
  await observeRoles({repository, candidate: {...candidate, base}, change});
  const objects = {folder: join(scratch, "objects"), source: at, revisions: ["HEAD"], variables};
  if ((await openLocalObjects(objects)) === null) throw new Error("the checkout was not read");
  await readBlobs({repository, ids: [base], limits: {fileBytes: 10, allBytes: 10}, take: () => undefined});
  if ((await diffOf(repository, {candidate, changes})).diff === "") throw new Error("the judge got no diff");
  if ((await diffStat(repository, base, candidate.commit)) === null) throw new Error("no statistics of the change");
  const rules = {...DEFAULT_CONFIG, wholePlan: {stages: []}};
  value(await findCoverage({repository, commit: candidate.commit, folder: out, changes, rules}));

  // a link, which is read before it may be in a candidate
  await git(origin.folder, ["branch", "-f", "linked", base]);
  const linked = await origin.commit({branch: "linked", files: {l: {mode: "120000", content: "a.ts"}}});
  value(await repository.fetch(linked));
  value(await makeCandidate({repository, folder: out, base: linked}));

  // to another job and back
  const parcel = join(scratch, "parcel");
  const there = value(await openBot({folder: join(scratch, "job"), url: place.url, token: TOKEN, path}));
  value(await there.fetch(base));
  const others = {repository, candidate: null, others: [candidate]};
  value(await packBundle({folder: parcel, record: record(), session: "", work: others}));
  if (value(await unpackWork({folder: parcel, repository: there, base})) !== null)
    throw new Error("another try counts");
  value(await idsOf(there, candidate.commit));
  value(await packBundle({folder: parcel, record: record(), session: "", work: {repository, candidate}}));
  if (value(await unpackWork({folder: parcel, repository: there, base})) === null) throw new Error("no work came over");
  const refused = await unpackWork({folder: parcel, repository: there, base: value(await there.fetch(linked)).commit});
  if (refused.ok) throw new Error("work on another base came over");

  // publishing
  const find = createSecretFinder({secrets: []});
  value(await guard({repository, candidate, changes, rules: DEFAULT_CONFIG, find}));
  const facts = {request: "Change a", issue: 7, run: "r1", verified: true, requester: null};
  const final = value(await makeCommit({repository, candidate, facts}));
  const ref = `refs/heads/try-${name}`;
  const sent = await push({repository, commit: final.commit, ref, expect: null});
  if (sent.kind !== "pushed") throw new Error(`not pushed: ${sent.kind}`);
  const note = {repository, ref: "refs/notes/assay", commit: final.commit};
  value(await addNote({...note, text: "first\n"}));
  value(await addNote({...note, text: "second\n"}));
  const moved = await origin.commit({branch: `try-${name}`, files: {"b.bin": "theirs\n"}});
  const rebased = value(await rebase({repository, candidate, ref, onto: moved}));
  const again = value(await makeCommit({repository, candidate: rebased.candidate, facts}));
  const forward = await push({repository, commit: again.commit, ref, expect: moved});
  if (forward.kind !== "pushed") throw new Error(`not pushed forward: ${forward.kind}`);
  value(
    await fetchHistory({repository, commits: [again.commit, base], depth: 5, signal: new AbortController().signal}),
  );
  const history = value(await readHistory({repository, tip: again.commit, most: 5}));
  if (history.length < 2) throw new Error("the history was not fetched");
  if ((await commonAncestor(repository, again.commit, base)) !== base) throw new Error("no common ancestor");
  // GitHub's commit, which is none here: all of git's part is done by the time that this is seen
  const answered = ok({commit: again.commit, isSigned: true});
  const signing = signingRef(name);
  const signed = await signCommit({repository, unsigned: final, ref: signing, createCommit: async () => answered});
  if (signed.ok || signed.failure.kind !== "signing-refused") throw new Error("an unsigned commit was taken");
  const own = {repository, to: hiddenRef(`kept-${name}`), message: "Keep", files: async () => ({"a.json": "{}"})};
  value(await saveOnRef(own));
  value(await saveOnRef({...own, files: async () => ({"a.json": "[]"})}));

  // parking, here and there
  const work = {
    repository,
    commit: final.commit,
    tree: final.tree,
    baseRef: "refs/heads/main",
    issue: 7,
    folder: join(scratch, "parked"),
  };
  if ((await park(work)).publication?.kind !== "parked") throw new Error("not parked");
  await origin.refusePushes("refs/*assay/*");
  if ((await park({...work, issue: 8})).publication?.kind !== "parked-locally") throw new Error("not parked here");
  await origin.refusePushes(null);
  const later = new Date(Date.now() + DAYS_31);
  const isInUse = async () => false;
  const gone = value(await expireRefs({repository, botEmail: BOT_EMAIL, now: later, spare: null, isInUse}));
  if (gone.parked.length === 0) throw new Error("nothing expired");

  await useLocally({at, base, scratch, variables, programs});
}

/** What the command line runs in a developer's folder, also where nothing is committed yet, or something is damaged. */
async function useLocally({
  at,
  base,
  scratch,
  variables,
  programs,
}: {
  at: string;
  base: string;
  scratch: string;
  variables: Readonly<Record<string, string>>;
  programs: OwnPrograms;
}): Promise<void> {
  const open = (name: string, folder: string) =>
    openRepository({
      folder: join(scratch, name),
      source: {kind: "local", folder},
      variables,
      programs,
      lfsFolder: folder,
    });
  const local = value(await open("local", at));
  const place = {git: local.git, folder: at};
  if ((await workTreeProblem(place)) !== null) throw new Error("there is no work tree");
  value(await local.fetch("HEAD"));
  value(await local.git(["update-index", "--assume-unchanged", "sub.txt"], {cwd: at}));
  await write(at, {"sub.txt": "not looked at\n"});
  const index = value(await readFolderIndex(place));
  const settings = value(await readTreeSettings({...place, repository: local.folder, variables}));
  value(await snapshotFolder({repository: local, folder: at, commit: base, own: {...index, ...settings}}));
  value(await unfinishedOperation(place));
  const noted = {git: local.git, ref: "refs/notes/assay", commit: base};
  if ((await readNote({...noted, source: at})) !== null) throw new Error("a note that nobody made");
  await git(local.folder, ["notes", "--ref=refs/notes/assay", "add", "-f", "-m", "a note", base]);
  if ((await readNote({...noted, source: local.folder})) !== "a note\n") throw new Error("no note");
  await originBranch(local.git, at);
  for (const answer of await readRepository(local.git, at)) value(answer);
  await leftOutFiles({folder: at, paths: ["a.ts"]});
  if ((await committedFindings(await folderGit(at), {folder: at, paths: ["a.ts"]})).length !== 1)
    throw new Error("no status");
  await write(at, {".git/info/sparse-checkout": "/*\n"});
  leftOutReader(at, programs)?.("a.ts");
  await rm(join(at, ".git/info/sparse-checkout"));
  if ((await readWork({folder: at}, local.git)) === null) throw new Error("the hook cannot read the work");
  const withoutFilters = join(scratch, "plain");
  await git(scratch, ["init", "-q", withoutFilters]);
  await git(withoutFilters, ["commit", "-q", "--allow-empty", "-m", "First"]);
  if ((await readWork({folder: withoutFilters}, local.git)) === null)
    throw new Error("the hook cannot read plain work");
  value(await submoduleChanges({repository: local, folder: at, base, variables, programs}));
  value(await makeCandidate({repository: local, folder: at, base}));

  await write(at, {".gitattributes": "*.big filter=lfs\n*.key filter=crypt\n", "a.big": "content\n", "a.key": "key\n"});
  const skipped = [{mode: "100644", id: await git(at, ["rev-parse", `${base}:a.ts`]), path: "left/out.ts"}];
  await mayTrimPaths({repository: local, base});
  const isolation = {overlays: true};
  await mkdir(join(at, "node_modules"));
  await choosePathsToOverlay({repository: local, base, folder: at, isolation}, {root: at, added: ["node_modules"]});
  const emptied = await local.git(["commit-tree", EMPTY_TREE, "-p", base], {input: "Empty\n"});
  if (!emptied.ok) throw new Error(emptied.failure.message);
  if ((await whyEmptied(local, {commit: emptied.value.trim(), tree: EMPTY_TREE})) === null) throw new Error("not seen");
  if ((await missingPaths(at, ["gone.ts"], programs)).length !== 1) throw new Error("a missing path was not seen");
  const {candidate} = value(await makeCandidate({repository: local, folder: at, base, skipped, isLocal: true}));
  const {commit, tree} = candidate;
  await findBuildOutputs(local, candidate);
  const branch = {repository: local, commit: candidate.commit, ref: "refs/heads/assay/run-1", expect: null};
  if ((await push(branch)).kind !== "pushed") throw new Error("not in the clone");
  value(await otherFilters({git: local.git, repository: local.folder, tree, paths: ["a.key"]}));
  value(await local.missingLfs(commit));
  value(await local.checkOut({commit, folder: join(scratch, "with-lfs")}));
  value(await local.writeFiles({commit, folder: join(scratch, "files")}));

  await useSubmodule({at, base, scratch, local});

  const unborn = join(scratch, "unborn");
  await git(scratch, ["init", "-q", "unborn"]);
  const none = value(await open("none", unborn));
  value(await none.fetch("HEAD"));
  await git(unborn, ["config", "remote.p.promisor", "true"]);
  value(await refuseMissingFiles({git: local.git, folder: unborn, revision: "HEAD", commit}));
  await write(unborn, {
    ".git/index": "damaged",
    ".git/refs/heads/main": "damaged",
    ".git/HEAD": "ref: refs/heads/main",
  });
  value(await readFolderIndex({git: none.git, folder: unborn}));
  if ((await none.fetch("HEAD")).ok) throw new Error("a damaged HEAD was read");
}

/** A checkout with the files of a submodule, whose repository stands in the folder. */
async function useSubmodule({
  at,
  base,
  scratch,
  local,
}: {
  at: string;
  base: string;
  scratch: string;
  local: Repository;
}): Promise<void> {
  const sub = join(at, "sub");
  await write(sub, {"s.ts": "s\n"});
  await git(sub, ["init", "-q"]);
  await git(sub, ["add", "s.ts"]);
  await git(sub, ["commit", "-q", "-m", "Sub"]);
  const pinned = await git(sub, ["rev-parse", "HEAD"]);
  const input = `160000 commit ${pinned}\tsub\n`;
  const made = await local.git(["mktree", "--missing"], {input});
  if (!made.ok) throw new Error(made.failure.message);
  const commit = await local.git(["commit-tree", made.value.trim(), "-p", base], {input: "With a submodule\n"});
  if (!commit.ok) throw new Error(commit.failure.message);
  value(await local.checkOut({commit: commit.value.trim(), folder: join(scratch, "with-sub"), withSubmodules: true}));
  await rm(sub, {recursive: true});
}
