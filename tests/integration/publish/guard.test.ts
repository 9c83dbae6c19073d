/** What keeps a candidate from being published: protected paths, size and secrets, on real trees. */
import {join} from "node:path";
import {afterAll, beforeAll, beforeEach, describe, expect, it, test} from "vitest";
import {makeCandidate} from "../../../src/changes/candidate.ts";
import {DEFAULT_CONFIG} from "../../../src/detect/config/config.ts";
import {type GuardResult, guard, sizeProblem} from "../../../src/publish/guard.ts";
import {judgePaths} from "../../../src/publish/protected-paths.ts";
import {scan} from "../../../src/publish/scan.ts";
import {setAside} from "../../../src/publish/set-aside.ts";
import {createSecretFinder} from "../../../src/secrets/redact.ts";
import {git} from "../../rig/git.ts";
import {isSweep} from "../../sweep.ts";
import {makePlace, type Place, value, write} from "../changes/place.ts";

test.each([
  [{files: 100, bytes: 4_000_000}, null],
  [{files: 101, bytes: 1}, /101 files/],
  [{files: 1, bytes: 4_100_000}, /4\.1 MB/],
  [{files: 1, bytes: Number.NaN}, /MB/],
])("a change of %j", (size, problem) => {
  const said = sizeProblem(size, DEFAULT_CONFIG.limits);
  if (problem === null) expect(said).toBeNull();
  else expect(said).toMatch(problem);
});

const SECRET = "Wq7-canary-of-the-model-0123456789";
const GITHUB = `ghp_${"a1B2c3D4e5".repeat(4)}`;
const OLD = `ghp_${"Z9y8X7w6V5".repeat(4)}`;
const PEM = `-----BEGIN PRIVATE KEY-----\n${"MIIEvQIBADANBg".repeat(10)}\n-----END PRIVATE KEY-----\n`;

describe("a candidate", () => {
  let place: Place;
  let folder: string;
  let number = 0;
  beforeAll(async () => {
    const files = {"a.ts": "a\n", "old.ts": `${OLD}\n`, ".github/workflows/ci.yml": "on: push\n", "b.ts": "b\n"};
    place = await makePlace({files});
  });
  beforeEach(async () => {
    folder = join(place.folder, `work-${number++}`);
    value(await place.repository.checkOut({commit: place.base, folder}));
  });
  afterAll(() => place[Symbol.asyncDispose]());

  async function candidateWith(files: Record<string, string | null>) {
    await write(folder, files);
    return value(await makeCandidate({repository: place.repository, folder, base: place.base}));
  }

  async function guarded(files: Record<string, string | null>): Promise<GuardResult> {
    const made = await candidateWith(files);
    const find = createSecretFinder({secrets: [SECRET]});
    return value(await guard({repository: place.repository, ...made, rules: DEFAULT_CONFIG, find}));
  }

  it("of plain code may go out", async () => {
    expect(await guarded({"a.ts": "const a = 1;\n", "c/d.ts": "d\n"})).toEqual({failures: [], doubtful: []});
  });

  it("is held back by every problem at once", async () => {
    const {failures} = await guarded({"verify.json": "{}", "a.ts": SECRET});
    expect(failures.map(({kind}) => kind)).toEqual(["protected-paths", "secret-in-change"]);
  });

  it("of too many files is asked about that before anything is searched", async () => {
    const many = Object.fromEntries(Array.from({length: 101}, (_, i) => [`many/${i}.ts`, `${i}\n`]));
    const made = await candidateWith({...many, "verify.json": "{}", "a.ts": SECRET});
    const find = () => {
      throw new Error("it was searched");
    };
    const {failures} = value(await guard({repository: place.repository, ...made, rules: DEFAULT_CONFIG, find}));
    expect(failures.map(({kind}) => kind)).toEqual(["protected-paths", "change-too-large"]);
  });

  if (isSweep)
    it("of 5,100 new files is searched whole, in a few calls of git, and each content once", async () => {
      const {repository} = place;
      const many = Array.from({length: 5_100}, (_, i) => [`many/${i}.js`, i % 3 === 0 ? `${i % 9}\n` : ""]);
      const made = await candidateWith({...Object.fromEntries(many), "a.ts": "b\n", "many/last.js": SECRET});
      const searched: string[] = [];
      const known = createSecretFinder({secrets: [SECRET]});
      const find = (text: string) => {
        searched.push(text);
        return known(text);
      };
      const calls: string[] = [];
      const git: typeof repository.git = (args, call) => {
        calls.push(args.join(" "));
        return repository.git(args, call);
      };
      const seen = {repository: {...repository, git}, candidate: made.candidate, find, isExample: () => false};
      expect(value(await scan(seen))).toEqual({
        secrets: [{path: "many/last.js", line: 1, what: "a known secret"}],
        doubtful: [],
        unsearched: [],
      });
      expect(calls.length).toBeLessThan(6);
      const texts = searched.filter((text) => !/^(?:many\/\d|many\/last|a\.ts)/.test(text));
      expect(texts[0]).toBe("b\n");
      expect(texts.filter((text) => text !== "").sort()).toEqual(["0\n", "3\n", "6\n", SECRET, "a\n", "b\n"].sort());
    }, 60_000);

  it("with a file that is too large to be searched says so, and claims no secret", async () => {
    const made = await candidateWith({"big.txt": "x".repeat(17 * 1024 * 1024), "a.ts": "b\n"});
    const rules = {...DEFAULT_CONFIG, limits: {files: 100, megabytes: 50, growth: 200}};
    const find = createSecretFinder({secrets: [SECRET]});
    const {failures} = value(await guard({repository: place.repository, ...made, rules, find}));
    expect(failures).toEqual([{kind: "could-not-search", paths: ["big.txt"], count: 1}]);
  });

  it("is too large by what it brings, not by what it moves or deletes", async () => {
    const {failures} = await guarded({"big.txt": "x".repeat(4_100_000)});
    expect(failures).toMatchObject([{kind: "change-too-large"}]);
    expect((await guarded({"big.txt": null, "b.ts": null, "moved.ts": "b\n"})).failures).toEqual([]);
  });

  it("with a secret in any form is held back, and the secret is not repeated", async () => {
    const forms = {
      "as-it-is": SECRET,
      "in-base64": Buffer.from(`key=${SECRET}`).toString("base64"),
      "in-hex": Buffer.from(SECRET).toString("hex"),
      backwards: [...SECRET].reverse().join(""),
      "in-two-byte-characters": Buffer.from(SECRET, "utf16le").toString("latin1"),
      "among-binary-bytes": `\0\u0001${SECRET}\0`,
      "a-part-of-it": SECRET.slice(5, 17),
      "a-token-that-nobody-named": GITHUB,
      "a-private-key": PEM,
    };
    const files = Object.entries(forms).map(([name, text]) => [`${name}.ts`, `first\nsecond ${text}\n`]);
    const {failures} = await guarded({...Object.fromEntries(files), "harmless.ts": SECRET.slice(5, 16)});
    const places = failures.flatMap((failure) => (failure.kind === "secret-in-change" ? failure.places : []));
    expect([...new Set(places.map(({path}) => path))].sort()).toEqual(files.map(([path]) => path).sort());
    const said = JSON.stringify(failures);
    for (const text of Object.values(forms)) expect(said).not.toContain(text.slice(0, 12));
  });

  it("names the line, and a secret in a name", async () => {
    const {failures} = await guarded({"src/c.ts": `1\n2\n${GITHUB}\n`, [`${GITHUB}.txt`]: "x\n"});
    const places = failures.flatMap((failure) => (failure.kind === "secret-in-change" ? failure.places : []));
    expect(places).toContainEqual({path: "src/c.ts", line: 3, what: "a GitHub token"});
    expect(places).toContainEqual(expect.objectContaining({line: null, what: "a GitHub token, in the name"}));
  });

  it("is not charged with what was there before, moved or not", async () => {
    expect((await guarded({"old.ts": `// more\n${OLD}\n`})).failures).toEqual([]);
    expect((await guarded({"old.ts": null, "new.ts": `${OLD}\nmore\n`})).failures).toEqual([]);
    expect((await guarded({"old.ts": `${OLD}\n${GITHUB}\n`})).failures).toHaveLength(1);
  });

  it("with what is an example more often than not goes out, named", async () => {
    const {failures, doubtful} = await guarded({"db.ts": 'connect("postgres://app:example@localhost/app")\n'});
    expect(failures).toEqual([]);
    expect(doubtful).toEqual([{path: "db.ts", line: 1, what: "a password in an address"}]);
  });

  it("with keys where the owner has examples goes out, named, but never with a secret of the run", async () => {
    const path = "tests/fixtures/keys.pem";
    const rules = {...DEFAULT_CONFIG, exampleSecrets: ["tests/fixtures/**"]};
    const find = createSecretFinder({secrets: [SECRET, GITHUB]});
    const judge = async (files: Record<string, string>) => {
      const made = await candidateWith(files);
      return value(await guard({repository: place.repository, ...made, rules, find}));
    };
    expect(await judge({[path]: PEM})).toEqual({
      failures: [],
      doubtful: [{path, line: 1, what: "a private key"}],
    });
    expect((await judge({[path]: `${PEM}${SECRET}\n`})).failures).toHaveLength(1);
    // known, and of a known form as well
    expect((await judge({[path]: `token: "x${GITHUB} ${GITHUB}y"\n`})).failures).toHaveLength(1);
  });

  it("does not hide a token in what looks like an example", async () => {
    expect((await guarded({"db.ts": `fetch("https://x:${GITHUB}@example.com")\n`})).failures).toHaveLength(1);
  });

  it("loses its workflow files to a patch that applies, and keeps the rest", async () => {
    const {repository, base, origin} = place;
    const made = await candidateWith({".github/workflows/ci.yml": "on: [push]\n", ".github/workflows/n.yml": "n\n"});
    const again = await candidateWith({"a.ts": "changed\n"});
    const {candidate, changes, aside} = value(await setAside({repository, ...again, protectedPaths: []}));
    expect(changes).toEqual([{path: "a.ts", status: "modified"}]);
    expect(candidate.base).toBe(base);
    expect(aside?.paths).toEqual([".github/workflows/ci.yml", ".github/workflows/n.yml"]);
    const clone = join(place.folder, "clone");
    await git(place.folder, ["clone", "-q", origin.folder, clone]);
    await git(clone, ["apply", "--index", "-"], aside?.patch);
    expect(await git(clone, ["write-tree"])).toBe(made.candidate.tree);
  });

  it("keeps workflow files where the owner lets them through, or the patch would be too long", async () => {
    const {repository} = place;
    const made = await candidateWith({".github/workflows/ci.yml": "on: [push]\n"});
    const allowed = await setAside({repository, ...made, protectedPaths: ["!.github/workflows/**"]});
    expect(value(allowed).aside).toBeNull();
    const long = await candidateWith({".github/workflows/ci.yml": "# long\n".repeat(10_000)});
    const kept = value(await setAside({repository, ...long, protectedPaths: []}));
    expect(kept).toMatchObject({aside: null, candidate: {tree: long.candidate.tree}});
    expect(judgePaths(kept.changes, []).blocked).toEqual([".github/workflows/ci.yml"]);
  });
});
