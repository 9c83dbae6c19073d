/** Which Sigstore signs: a public log only for a repository that is known to be public, and none on an Enterprise Server. */
import {expect, test} from "vitest";
import {chooseInstance} from "../../../src/run/attest.ts";
import type {RunContext} from "../../../src/run/run-context.ts";

const choose = (serverUrl: string, repository: object, attest = "true") =>
  chooseInstance({
    inputs: {attest} as RunContext["inputs"],
    runner: {serverUrl} as RunContext["runner"],
    event: JSON.stringify({repository}),
  });
const GITHUB = "https://github.com";
const PUBLIC = {certificates: "https://fulcio.sigstore.dev", log: "https://rekor.sigstore.dev", time: null};
const OWN = {certificates: "https://fulcio.githubapp.com", log: null, time: "https://timestamp.githubapp.com"};

test.each([
  ["a public repository", GITHUB, {private: false, visibility: "public"}, PUBLIC],
  ["a private one", GITHUB, {private: true, visibility: "private"}, OWN],
  ["an internal one", GITHUB, {private: true, visibility: "internal"}, OWN],
  ["an internal one that says it is not private", GITHUB, {private: false, visibility: "internal"}, OWN],
  ["one of which nothing is known", GITHUB, {}, OWN],
  ["an address that only contains github.com", "https://github.com.example.org", {private: false}, null],
  ["an Enterprise Server", "https://git.example.org", {private: false}, null],
])("%s", (_, serverUrl, repository, expected) => {
  expect(choose(serverUrl, repository)).toEqual(expected);
});

test("a tenant of ghe.com has its own instance, without a public log", () => {
  const instance = choose("https://acme.ghe.com", {private: false, visibility: "public"});
  expect(instance).toEqual({
    certificates: "https://fulcio.acme.ghe.com",
    log: null,
    time: "https://timestamp.acme.ghe.com",
  });
});

test("an own Sigstore gets both requests, whatever the repository is", () => {
  const url = "https://sigstore.example.org";
  expect(choose(GITHUB, {private: true}, url)).toEqual({certificates: url, log: url, time: null});
});
