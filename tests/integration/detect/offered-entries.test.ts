/** The entries that a plan offers for verify.json can be pasted: each is a whole check of CI that can fail and writes nothing. */
import {spawnSync} from "node:child_process";
import {expect, test} from "vitest";
import {stringify} from "yaml";
import {planOf} from "../../unit/detect/tree.ts";

/** Each job has a service, so none of its lines becomes a stage. */
const offeredFor = (...steps: readonly object[]) => {
  const job = {"runs-on": "ubuntu-latest", services: {db: {image: "postgres"}}, steps};
  const plan = planOf({
    ".github/workflows/ci.yml": stringify({on: ["pull_request"], jobs: {job}}),
    "package.json": {scripts: {"cacheComponents:codemod": "node codemods/run.js ."}},
    Makefile: "cover:\n\tpytest db || true\ndb:\n\tpytest tests/db\n",
    "sub/a.py": "",
  });
  return (plan.ci ?? []).flatMap(({outcome}) => {
    if (outcome.kind !== "listed" || !outcome.fix.startsWith('"extraStages"')) return [];
    const [entry] = JSON.parse(`{${outcome.fix}}`).extraStages;
    return [entry as {name: string; command: string; cwd?: string}];
  });
};

test("an entry has the words and the folder of its step, and bash can parse it", () => {
  const entries = offeredFor(
    {run: "make db"},
    {run: "pytest db", "working-directory": "sub"},
    {run: "pytest -k 'a and $b' tests/db"},
    {run: "go test -race -tags=db ./..."},
  );
  expect(entries.map(({command, cwd}) => [command, cwd])).toEqual([
    ["make db", undefined],
    ["pytest db", "sub"],
    ["pytest -k 'a and $b' tests/db", undefined],
    ["go test -race -tags=db ./...", undefined],
  ]);
  for (const {command} of entries) expect(spawnSync("bash", ["-n", "-c", command]).status).toBe(0);
});

test.each([
  // muesli/reflow: .github/workflows/lint.yml and coverage.yml
  ["golangci-lint run --issues-exit-code=0", "it always passes"],
  ["goveralls -coverprofile=profile.cov -service=github", "it uploads"],
  ["ruff check --exit-zero .", "it always passes"],
  ["pytest db || true", "it always passes"],
  ["pytest db | tee out.log", "another command decides, and a file is written"],
  ["pytest db > out.log", "a file is written"],
  ["make cover", "its recipe writes what always passes"],
  // the untouched heads of public repositories: jshttp/vary, nodejs/undici, huginn/huginn, apple/swift-argument-parser
  ["npm -s ls --depth=0 ||:) | awk '{ print $2 }' >> \"$GITHUB_OUTPUT\"", "a fragment"],
  ["=> (i !== arr.length - 1 ? '├──' : '└──'", "a fragment"],
  ["git diff --staged --quiet || {", "a fragment"],
  ["if git diff --quiet flake.nix", "a fragment"],
  ["fi", "a fragment"],
  // vercel/next.js, sharkdp/fd, pydantic/pydantic-settings
  ["npm run cacheComponents:codemod", "it rewrites files"],
  ["$BUILD_CMD test --locked", "a value of CI"],
  ["cargo test --features ${{ github.event.inputs.features }}", "a value of CI"],
  ["uv run coverage html --show-contexts", "it checks nothing"],
  ["dotnet publish --no-restore", "it publishes"],
  ["php artisan koel:license:activate", "it activates a licence"],
])("`%s` is not offered: %s", (run) => {
  expect(offeredFor({run})).toEqual([]);
});

test("a command is not offered without its folder", () => {
  expect(offeredFor({run: "pytest", "working-directory": "${{ env.OUT }}"})).toEqual([]);
});
