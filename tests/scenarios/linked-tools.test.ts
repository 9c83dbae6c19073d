/** `assay verify` with tools that pipx, uv or npm keep in the home: in `PATH` there are only links to them. */
import {chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync} from "node:fs";
import {tmpdir} from "node:os";
import {dirname, join} from "node:path";
import {expect, onTestFinished, test} from "vitest";
import {assay, put, repositoryOf} from "../rig/command-line.ts";
import {isSweep} from "../sweep.ts";

/** A home with `files`, of which those in a `bin` are programs, and with `links` from `.local/bin`. */
function homeWith(files: Record<string, string>, links: Record<string, string>) {
  const home = mkdtempSync(join(tmpdir(), "assay-home-"));
  onTestFinished(() => rmSync(home, {recursive: true}));
  put(home, files);
  for (const name of Object.keys(files)) chmodSync(join(home, name), 0o755);
  for (const [name, target] of Object.entries(links)) {
    mkdirSync(dirname(join(home, name)), {recursive: true});
    symlinkSync(target.startsWith("/") ? target : join(home, target), join(home, name));
  }
  return {HOME: home, PATH: `${home}/.local/bin:${process.env["PATH"] ?? ""}`};
}

function verify(command: string, machine: Record<string, string>) {
  const stages = [{name: "check", kind: "check", command}];
  const folder = repositoryOf({"verify.json": JSON.stringify({setup: false, stages}), "a.js": "1;\n"});
  onTestFinished(() => rmSync(folder, {recursive: true, force: true}));
  const {status, record} = assay(folder, ["verify", "--json"], machine);
  const [stage] = record?.attempts[0]?.verification?.stages ?? [];
  return {status, outcome: stage?.outcome};
}

const VENV = ".local/share/pipx/venvs/tool";
const PYTHONS = ".local/share/uv/python/3.12";

test("a program of pipx or uv runs, with the interpreter behind its environment", () => {
  const machine = homeWith(
    {
      [`${VENV}/bin/tool`]: '#!/bin/sh\nexec "$(dirname "$(readlink -f "$0")")/python" ok\n',
      [`${PYTHONS}/bin/python3`]: "#!/bin/sh\nexit 0\n",
    },
    {".local/bin/tool": `${VENV}/bin/tool`, [`${VENV}/bin/python`]: `${PYTHONS}/bin/python3`},
  );
  expect(verify("tool", machine)).toEqual({status: 0, outcome: "passed"});
});

if (isSweep)
  test("a program of npm finds the packages next to its own", () => {
    const modules = ".cache/tools/node_modules";
    const machine = homeWith(
      {
        [`${modules}/tool/bin/tool.sh`]: `#!/bin/sh\ncat "$(dirname "$(readlink -f "$0")")/../../other/index.js"\n`,
        [`${modules}/other/index.js`]: "",
      },
      {".local/bin/tool": `${modules}/tool/bin/tool.sh`},
    );
    expect(verify("tool", machine)).toEqual({status: 0, outcome: "passed"});
  });

if (isSweep)
  test("a link into another folder of the home shows the program and not its neighbours", () => {
    const machine = homeWith(
      {
        "work/bin/tool": '#!/bin/sh\n! test -e "$(dirname "$(readlink -f "$0")")/../.env"\n',
        "work/.env": "KEY=1\n",
        ".docker/bin/helper": '#!/bin/sh\n! test -e "$(dirname "$(readlink -f "$0")")/../config.json"\n',
        ".docker/config.json": "{}",
      },
      {".local/bin/tool": "work/bin/tool", ".local/bin/helper": ".docker/bin/helper"},
    );
    expect(verify("tool && helper", machine)).toEqual({status: 0, outcome: "passed"});
  });

test("a program in a hidden folder of the home finds its library, and no credentials next to it", () => {
  const [registry, keys] = ["! test -s ~/.registry/config.json", "! test -s ~/.config/cloud/keys.db"];
  const machine = homeWith(
    {
      ".registry/bin/tool": '#!/bin/sh\ncat "$(dirname "$0")/../lib/tool.sh"\n',
      ".registry/lib/tool.sh": "",
      ".registry/config.json": "{}",
      ".config/cloud/bin/cloud": "#!/bin/sh\n",
      ".config/cloud/keys.db": "key",
      "work/bin/own": "#!/bin/sh\n",
      "work/.env": "KEY=1",
    },
    {},
  );
  const PATH = [".registry/bin", ".config/cloud/bin", "work/bin"].map((path) => `${machine.HOME}/${path}`).join(":");
  const command = `tool && cloud && own && ${registry} && ${keys} && ! test -s ~/work/.env`;
  expect(verify(command, {...machine, PATH: `${PATH}:${machine.PATH}`})).toEqual({status: 0, outcome: "passed"});
});

if (isSweep)
  test("a folder of programs that is a link in a visible folder leads to its program", () => {
    const outside = mkdtempSync(join(tmpdir(), "assay-tools-"));
    onTestFinished(() => rmSync(outside, {recursive: true}));
    put(outside, {"bin/outer": "#!/bin/sh\n"});
    chmodSync(join(outside, "bin/outer"), 0o755);
    const java = ".sdkman/candidates/java";
    const machine = homeWith(
      {[`${java}/21/bin/inner`]: "#!/bin/sh\n"},
      {[`${java}/current`]: `${java}/21`, [`${java}/own`]: outside},
    );
    const PATH = ["current", "own"].map((name) => join(machine.HOME, java, name, "bin")).join(":");
    expect(verify("inner && outer", {...machine, PATH: `${PATH}:${machine.PATH}`})).toEqual({
      status: 0,
      outcome: "passed",
    });
  });

if (isSweep)
  test("pnpm can install the version that `packageManager` names, and the machine's own stays as it is", () => {
    const machine = homeWith({".local/share/pnpm/pnpm": "#!/bin/sh\n", ".local/share/pnpm/.tools/pnpm/1/ok": ""}, {});
    const tools = "$PNPM_HOME/.tools/pnpm";
    expect(verify(`test -e ${tools}/1/ok && mkdir ${tools}/2`, machine)).toEqual({status: 0, outcome: "passed"});
    expect(existsSync(join(machine.HOME, ".local/share/pnpm/.tools/pnpm/2"))).toBe(false);
  });
