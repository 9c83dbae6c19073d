/** P11: what a stage gets to see of the machine's environment, and what of a person's `.npmrc`. */
import {execFileSync} from "node:child_process";
import {once} from "node:events";
import {mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from "node:fs";
import {createServer} from "node:http";
import type {AddressInfo} from "node:net";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {describe, expect, test} from "vitest";
import {withoutCredentials} from "../../../src/engine/isolation/home.ts";
import {stageVariables} from "../../../src/engine/isolation/stage-variables.ts";
import {probeIsolation} from "../../../src/process/isolation.ts";
import {run} from "../../../src/process/run.ts";

const FOLDERS = {home: "/stage/home", tmp: "/stage/tmp", pathFirst: [], extra: {}} as const;
const made = (source: Record<string, string | undefined>, options = {}) =>
  stageVariables({...FOLDERS, source, ...options});

describe("stageEnvironment", () => {
  test("is complete for an empty source", () => {
    expect(made({})).toEqual({
      PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
      LANG: "C.UTF-8",
      HOME: "/stage/home",
      TMPDIR: "/stage/tmp",
      TERM: "dumb",
      CI: "true",
    });
  });

  test("passes on toolchains and registries", () => {
    const source = {
      LANG: "de_DE.UTF-8",
      LC_TIME: "en_GB.UTF-8",
      TZ: "Europe/Berlin",
      USER: "runner",
      JAVA_HOME_21_X64: "/opt/jdk@21/21.0.1+12",
      GOROOT: "/opt/go",
      RUNNER_TOOL_CACHE: "/opt/hostedtoolcache",
      npm_config_registry: "https://registry.example.org/npm/",
      NODE_EXTRA_CA_CERTS: "/etc/ca.pem",
      PIP_INDEX_URL: "https://index.example.org/simple",
      GOPROXY: "https://proxy.example.org,direct",
      HTTPS_PROXY: "http://proxy.example.org:3128",
    };
    expect(made(source)).toMatchObject(source);
  });

  const FORBIDDEN = {
    GITHUB_TOKEN: "x",
    GITHUB_WORKSPACE: "/w",
    GITHUB_ENV: "/runner/env",
    ACTIONS_RUNTIME_TOKEN: "x",
    ACTIONS_ID_TOKEN_REQUEST_URL: "https://example.org",
    RUNNER_TEMP: "/t",
    RUNNER_TRACKING_ID: "x",
    INPUT_TOKEN: "x",
    ANTHROPIC_API_KEY: "x",
    AWS_SECRET_ACCESS_KEY: "x",
    NPM_TOKEN: "x",
    NODE_AUTH_TOKEN: "x",
    NODE_OPTIONS: "--require /tmp/evil.js",
    SSH_AUTH_SOCK: "/tmp/agent",
    GIT_ASKPASS: "/bin/x",
    npm_config__auth: "x",
    LC_API_TOKEN: "x",
    JAVA_HOME_SECRET: "x",
    SOMETHING_ELSE: "x",
    HOME: "/root",
    TMPDIR: "/tmp",
    CI: "1",
    TERM: "xterm",
  };
  test.each(Object.entries(FORBIDDEN))("does not pass on %s", (name, value) => {
    expect(made({[name]: value})).toEqual(made({}));
  });

  test.each([
    ["npm_config_registry", "https://user:word@registry.example.org/"],
    ["npm_config_registry", "https://token@registry.example.org/"],
    ["npm_config_registry", "https://:word@registry.example.org/"],
    ["npm_config_registry", "https://registry.example.org/?token=abc"],
    ["PIP_EXTRA_INDEX_URL", "https://a.example.org/simple https://u:p@b.example.org/simple"],
    ["GOPROXY", "https://u:p@proxy.example.org,direct"],
    ["HTTPS_PROXY", "http://u:p@proxy.example.org:3128"],
    ["HTTP_PROXY", "u:p@proxy.example.org:3128"],
    ["TZ", `ghp_${"a".repeat(36)}`],
    ["TZ", `github_pat_${"a".repeat(40)}`],
    ["TZ", `sk-ant-${"a".repeat(40)}`],
    ["TZ", "AKIAABCDEFGHIJKLMNOP"],
    ["TZ", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc"],
    ["TZ", "-----BEGIN RSA PRIVATE KEY-----"],
  ])("does not pass on %s=%s", (name, value) => {
    expect(made({[name]: value})).toEqual(made({}));
  });

  test("the owner's variables win, whatever they are", () => {
    const extra = {CI: "", HOME: "/other", DATABASE_PASSWORD: "test", GITHUB_ACTIONS: "true"};
    expect(made({}, {extra})).toMatchObject(extra);
  });

  test("puts folders first in PATH, and no relative one anywhere", () => {
    const path = made({PATH: "/a::.:bin:/b:"}, {pathFirst: ["/w/node_modules/.bin", "relative"]})["PATH"];
    expect(path).toBe("/w/node_modules/.bin:/a:/b");
  });

  test("names the toolchains of the real home, unless the source does", () => {
    const toolchains = {realHome: "/home/me", existing: [".cargo", "go", "unknown"]};
    const environment = made({GOPATH: "/opt/gopath"}, {toolchains});
    expect(environment).toEqual({...made({}), CARGO_HOME: "/home/me/.cargo", GOPATH: "/opt/gopath"});
  });
});

describe("withoutCredentials", () => {
  test("keeps where packages come from, and nothing else", () => {
    const npmrc = [
      "; a comment",
      "registry = https://registry.example.org/npm/",
      "@scope:registry=https://scope.example.org/",
      "//registry.example.org/:_authToken=npm_0123456789abcdef0123456789abcdef",
      "//registry.example.org/npm/:_password=c2VjcmV0",
      "//registry.example.org/npm/:username=me",
      "_auth=c2VjcmV0",
      "_authToken=${NPM_TOKEN}",
      "email=me@example.org",
      "key=-----BEGIN PRIVATE KEY-----",
      "keyfile=/home/me/key.pem",
      "cafile=/etc/ca.pem",
      `ca[]="-----BEGIN CERTIFICATE-----\\nMIIB\\n-----END CERTIFICATE-----"`,
      `ca="-----BEGIN CERTIFICATE-----\\nMIIB\\n-----BEGIN PRIVATE KEY-----"`,
      "https-proxy=http://u:p@proxy.example.org",
      "noproxy=localhost",
      "strict-ssl=false",
      "@other:registry=https://${USER}:${PASSWORD}@other.example.org/",
      "script-shell=/home/me/shell",
      "node-options=--require /home/me/x.js",
      "no equals sign",
    ].join("\r\n");
    expect(withoutCredentials(npmrc)).toBe(
      [
        "registry=https://registry.example.org/npm/",
        "@scope:registry=https://scope.example.org/",
        "cafile=/etc/ca.pem",
        `ca[]="-----BEGIN CERTIFICATE-----\\nMIIB\\n-----END CERTIFICATE-----"`,
        "noproxy=localhost",
        "strict-ssl=false",
        "",
      ].join("\n"),
    );
  });

  test("of nothing is nothing", () => {
    expect(withoutCredentials("")).toBe("");
  });
});

/** A registry with one package, `tiny`; remembers what it was asked and with which credentials. */
async function registry(folder: string) {
  const source = join(folder, "tiny");
  mkdirSync(source);
  writeFileSync(join(source, "package.json"), JSON.stringify({name: "tiny", version: "1.2.3"}));
  execFileSync("npm", ["pack", "--pack-destination", folder], {cwd: source, stdio: "ignore"});
  const tarball = readFileSync(join(folder, "tiny-1.2.3.tgz"));
  const asked: {path: string; authorization: string | undefined}[] = [];
  const server = createServer((request, response) => {
    asked.push({path: request.url ?? "", authorization: request.headers.authorization});
    if (request.url?.endsWith(".tgz") === true) return void response.end(tarball);
    const dist = {tarball: `${address}tiny/-/tiny-1.2.3.tgz`};
    const versions = {"1.2.3": {name: "tiny", version: "1.2.3", dist}};
    response.end(JSON.stringify({name: "tiny", "dist-tags": {latest: "1.2.3"}, versions}));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const {port} = server.address() as AddressInfo;
  const address = `http://127.0.0.1:${port}/`;
  return {address, asked, close: () => server.close(), port};
}

test("npm ci with a fresh home reaches the registry of the real one, without its credentials", async () => {
  const folder = mkdtempSync(join(tmpdir(), "assay-stage-"));
  const {address, asked, close, port} = await registry(folder);
  try {
    const [home, tmp, cwd] = [join(folder, "home"), join(folder, "tmp"), join(folder, "checkout")];
    for (const made of [home, tmp, cwd]) mkdirSync(made);
    const npmrc = `registry=${address}\n//127.0.0.1:${port}/:_authToken=not-for-stages\nfund=false\n`;
    writeFileSync(join(home, ".npmrc"), withoutCredentials(npmrc));
    writeFileSync(join(cwd, "package.json"), JSON.stringify({name: "project", dependencies: {tiny: "1.2.3"}}));
    const packages = {
      "": {name: "project", dependencies: {tiny: "1.2.3"}},
      "node_modules/tiny": {version: "1.2.3", resolved: `${address}tiny/-/tiny-1.2.3.tgz`},
    };
    writeFileSync(join(cwd, "package-lock.json"), JSON.stringify({name: "project", lockfileVersion: 3, packages}));

    const {npm_config_registry: _, ...source} = process.env;
    const env = stageVariables({source, home, tmp, pathFirst: [], extra: {npm_config_audit: "false"}});
    const ran = await run({argv: ["npm", "ci"], cwd, env}, {timeoutMs: 60_000, isolation: await probeIsolation()});

    expect(ran.output.head).toContain("added 1 package");
    expect(ran.exit).toEqual({kind: "exited", code: 0});
    expect(JSON.parse(readFileSync(join(cwd, "node_modules/tiny/package.json"), "utf8")).version).toBe("1.2.3");
    expect(asked.map(({path}) => path)).toContain("/tiny/-/tiny-1.2.3.tgz");
    expect(asked.every(({authorization}) => authorization === undefined)).toBe(true);
  } finally {
    close();
    rmSync(folder, {recursive: true, force: true});
  }
}, 90_000);
