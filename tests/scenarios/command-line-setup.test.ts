/** `assay verify` where the owner's set-up builds what the tests use: a change is tested with its own build. */
import {rmSync} from "node:fs";
import {expect, onTestFinished, test} from "vitest";
import {assay, put, repositoryOf} from "../rig/command-line.ts";
import {isSweep} from "../sweep.ts";

const TEST = `require("node:test")("two", () => require("node:assert").equal(require("./dist/a.js"), 2));\n`;
const BUILD = "mkdir -p dist && cp src/a.js dist/";
const PACKAGES = ".venv/lib/python3/site-packages";
const LINKING_ENVIRONMENT = `mkdir -p ${PACKAGES} && touch .venv/pyvenv.cfg && pwd > ${PACKAGES}/__editable__.a.pth`;

function verify(setup: unknown, change: Record<string, string>) {
  const stages = [{name: "test", command: "node --test a.test.js"}];
  const folder = repositoryOf({
    "verify.json": JSON.stringify({setup: [setup], stages}),
    ".gitignore": "dist/\n",
    "src/a.js": "module.exports = 2;\n",
    "a.test.js": TEST,
  });
  onTestFinished(() => rmSync(folder, {recursive: true, force: true}));
  put(folder, change);
  const {status, record, stderr} = assay(folder, ["verify", "--json"]);
  const setUps = record?.attempts[0]?.verification?.setup.length;
  return {status, setUps, runs: stderr.match(/^\S+ +setup /gm)?.length};
}

test("a set-up without `inputs` runs for every change, and on the base only for a comparison", () => {
  expect(verify(BUILD, {"src/a.js": "module.exports = 3;\n"})).toEqual({status: 1, setUps: 1, runs: 2});
  expect(verify({command: BUILD}, {"src/a.js": "module.exports = 1 + 1;\n"})).toEqual({status: 0, setUps: 1, runs: 1});
});

if (isSweep)
  test("a virtual environment is made once, also without a change", () => {
    const setup = {command: `${BUILD} && ${LINKING_ENVIRONMENT}`, inputs: ["/**"], provides: [".venv"]};
    expect(verify(setup, {})).toEqual({status: 0, setUps: 1, runs: 1});
  });

if (isSweep)
  test("a set-up that the change breaks is the change's failure", () => {
    expect(verify(`${BUILD} && node src/a.js`, {"src/a.js": "throw 1;\n"})).toMatchObject({status: 1, runs: 2});
  });

if (isSweep)
  test("a set-up that fails on the base too is not the change's failure", () => {
    expect(verify(`${BUILD}; exit 3`, {"src/a.js": "1;\n"})).toMatchObject({status: 2, setUps: 1, runs: 2});
  });

if (isSweep)
  test("a set-up with `inputs` runs again only for these", () => {
    const setup = {command: BUILD, inputs: ["src/**"]};
    expect(verify(setup, {"src/a.js": "module.exports = 3;\n"})).toMatchObject({status: 1});
    expect(verify({...setup, inputs: ["package.json"]}, {"b.js": "1;\n"})).toMatchObject({status: 0});
  });

if (isSweep)
  test("a folder of `inputs` may be written with a slash, or from here", () => {
    const change = {"src/a.js": "module.exports = 3;\n"};
    for (const input of ["src/", "./src"]) expect(verify({command: BUILD, inputs: [input]}, change).status).toBe(1);
  });

test("an environment that leads back to the base's code is made again for the change", () => {
  const read = `echo "module.exports = require('$(cat ${PACKAGES}/*.pth)/src/a.js')" > dist/a.js`;
  const folder = repositoryOf({
    "verify.json": JSON.stringify({
      setup: [{command: LINKING_ENVIRONMENT, inputs: ["setup.py"], provides: [".venv"]}],
      stages: [{name: "test", command: `mkdir -p dist && ${read} && node --test a.test.js`}],
    }),
    ".gitignore": "dist/\n.venv/\n",
    "src/a.js": "module.exports = 2;\n",
    "a.test.js": TEST,
  });
  onTestFinished(() => rmSync(folder, {recursive: true, force: true}));
  put(folder, {"src/a.js": "module.exports = 3;\n"});
  const {status, record} = assay(folder, ["verify", "--json"]);
  expect({status, verdict: record?.verdict}).toEqual({status: 1, verdict: {kind: "failed", stages: ["test"]}});
});
