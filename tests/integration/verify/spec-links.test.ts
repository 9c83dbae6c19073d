/** The comparison of specs with a change does not read links: their text is the path of another file. */
import {rmSync, symlinkSync} from "node:fs";
import {mkdtemp, rm} from "node:fs/promises";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {expect, onTestFinished, test} from "vitest";
import {DEFAULT_CONFIG} from "../../../src/detect/config/config.ts";
import {openRepository} from "../../../src/git/repository.ts";
import {checkSpecDrift} from "../../../src/verify/spec-drift.ts";
import {git} from "../../rig/git.ts";
import {value, write} from "../changes/place.ts";

test("a removed file is reported for the spec that names it and not for a link to it, and a spec that becomes a link is removed", async () => {
  const folder = await mkdtemp(join(tmpdir(), "assay-spec-links-"));
  onTestFinished(() => rm(folder, {recursive: true, force: true, maxRetries: 3}));
  const source = join(folder, "source");
  await git(folder, ["init", "--quiet", source]);
  const commit = async (): Promise<string> => {
    await git(source, ["add", "--all"]);
    await git(source, ["commit", "--quiet", "-m", "x"]);
    return git(source, ["rev-parse", "HEAD"]);
  };
  await write(source, {
    ...{"docs/b.md": "text\n", "a.spec.md": "See docs/b.md.\n"},
    ...{"src/c.js": "1\n", "c.spec.md": "See src/c.js.\n"},
  });
  symlinkSync("docs/b.md", join(source, "link.spec.md"));
  const base = await commit();
  rmSync(join(source, "docs/b.md"));
  await write(source, {"src/c.js": "2\n", "c.spec.md": null});
  symlinkSync("docs/b.md", join(source, "c.spec.md"));
  const head = await commit();
  const tree = await git(source, ["rev-parse", "HEAD^{tree}"]);
  const repository = value(
    await openRepository({
      folder: join(folder, "bot"),
      source: {kind: "local", folder: source},
      variables: {PATH: process.env["PATH"]},
    }),
  );
  const rules = DEFAULT_CONFIG.specs;
  if (rules === null) throw new Error("specs are switched off by default");
  const results = await checkSpecDrift({
    repository,
    candidate: {commit: head, tree, base},
    changes: [
      {path: "docs/b.md", status: "deleted"},
      {path: "src/c.js", status: "modified"},
    ],
    stages: [],
    check: {rules: {...rules, paths: ["*.spec.md"]}, commit: base},
    codeExtensions: DEFAULT_CONFIG.codeExtensions,
  });
  expect(results.flatMap(({diagnostics}) => diagnostics.map(({file, code}) => [file, code]))).toEqual([
    ["a.spec.md", "file-gone"],
    ["c.spec.md", "spec-removed"],
  ]);
});
