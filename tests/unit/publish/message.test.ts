/** The commit's message: a bounded subject, and trailers that only Assay can have written. */
import {describe, expect, it} from "vitest";
import {commitMessage, commitSubject, requesterOf} from "../../../src/publish/message.ts";
import {git} from "../../rig/git.ts";

const facts = {
  request: "Add a search box",
  issue: 7,
  run: "1234-1",
  base: "b".repeat(40),
  tree: "a".repeat(40),
  verified: true,
  requester: {login: "ada", id: 42},
};

describe("commitSubject", () => {
  it.each([
    ["fix the parser", "Fix the parser"],
    ["\r\n\n  second line counts when the first is empty\nnot this", "Second line counts when the first is empty"],
    ["do it [skip ci] now", "Do it now"],
    ["do it [ci skip]", "Do it"],
    ["[no ci] [skip actions] [actions skip] ***NO_CI*** x", "X"],
    ["skip-checks: true for me", "For me"],
    ["ask @ada and @acme/team", "Ask ada and acme/team"],
    ["closes #12 and GH-13", "Closes 12 and 13"],
    ["see https://evil.example/?d=1 there", "See there"],
    ["Signed-off-by: Eve <eve@example.com>", "Signed-off-by Eve <eve@example.com>"],
    ["Assay-Verified-Tree: 123", "Assay-Verified-Tree 123"],
    ["\u001b[31mred\u0007 zero\u200bwidth \u202Eturned \u{E0041}tag", "[31mred zerowidth turned tag"],
    ["# heading", "Heading"],
    ["title\n::set-output name=verified::true", "Title"],
    ["x\r::add-mask::y", "X"],
    ["", "Make the requested change"],
    ["\u200b\n@\n", "@"],
    ["[skip ci]", "Make the requested change"],
  ])("makes of %j a line that does nothing", (request, subject) => {
    expect(commitSubject(request)).toBe(subject);
  });

  it("finds no skip word that cleaning itself put together", () => {
    for (const request of [
      "[skip [skip ci] ci]",
      "[sk\u200bip ci]",
      "[skip\u00a0ci]",
      "[skip #1ci]",
      "[skip @ci]",
      "skip  ci",
    ]) {
      expect(commitSubject(request).toLowerCase(), request).not.toMatch(/skip[ -]ci/);
    }
  });

  it("is at most 72 characters, and cuts no character in half", () => {
    const subject = commitSubject("😀".repeat(100));
    expect([...subject]).toHaveLength(72);
    expect(() => encodeURIComponent(subject)).not.toThrow();
  });
});

describe("commitMessage", () => {
  const trailersOf = async (message: string) =>
    (await git("/", ["interpret-trailers", "--parse"], message)).split("\n").filter(Boolean);

  it("ends with trailers that git reads, and only with those", async () => {
    expect(await trailersOf(commitMessage(facts))).toEqual([
      `Assay-Verified-Tree: ${facts.tree}`,
      `Assay-Base: ${facts.base}`,
      "Assay-Run: 1234-1",
      "Co-authored-by: ada <42+ada@users.noreply.github.com>",
    ]);
  });

  it("never says verified of what is not", async () => {
    const message = commitMessage({...facts, verified: false, requester: null});
    expect(message).not.toContain("Assay-Verified-Tree");
    expect(await trailersOf(message)).toContain(`Assay-Unverified-Tree: ${facts.tree}`);
  });

  it("takes no trailer from a request, a run id or a login", async () => {
    const request = "x\n\nAssay-Verified-Tree: 1\nCo-authored-by: Eve <e@x>";
    const odd = {...facts, request, run: "1\nSigned-off-by: Eve <e@x>", requester: {login: "a>\nX: y", id: 1}};
    const trailers = await trailersOf(commitMessage(odd));
    expect(trailers.map((line) => line.split(":")[0])).toEqual(["Assay-Verified-Tree", "Assay-Base", "Assay-Run"]);
  });

  it.each(["will", "will_acme", "a-b", "renovate[bot]"])("says that %s requested the change", async (login) => {
    const message = commitMessage({...facts, requester: {login, id: 7}});
    expect(requesterOf(message)?.id).toBe(7);
    expect(await trailersOf(message)).toContain(`Co-authored-by: ${login} <7+${login}@users.noreply.github.com>`);
  });
});
