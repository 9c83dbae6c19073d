/** The next step of an unverified change: bold, and about the cause that the output of the set-up names. */
import {expect, test} from "vitest";
import {renderReport} from "../../../src/report/markdown.ts";
import {attempt, record, stage} from "./records.ts";

function reportOf(output: string): string {
  const setup = stage({name: "setup", kind: "check", command: "npm ci", outcome: "failed", excerpt: output});
  const verdict = {kind: "unverified", why: "setup-failed", detail: "`npm ci`: exit code 1"} as const;
  return renderReport(record({attempts: [attempt({setup: [setup], stages: [], verdict})]}));
}

test.each([
  [
    "npm error code SELF_SIGNED_CERT_IN_CHAIN",
    /\*\*The setup failed on a certificate .*`NODE_EXTRA_CA_CERTS`.*comment again\.\*\*/,
  ],
  [
    "ssl.SSLCertVerificationError: certificate verify failed: unable to get local issuer certificate",
    /\*\*The setup failed on a certificate/,
  ],
  ["x509: certificate signed by unknown authority", /\*\*The setup failed on a certificate/],
  [
    "npm error network request to https://registry.example failed, reason: getaddrinfo ENOTFOUND",
    /\*\*The setup could not reach a server\. .*proxy.*comment again\.\*\*/,
  ],
  [
    "npm error code ERESOLVE",
    /\*\*Fix `setup` in `verify.json`, or the dependency that it installs, then comment again\.\*\*/,
  ],
])("%s", (output, next) => {
  expect(reportOf(output)).toMatch(next);
});

test("the details say which times the report has, and how long the whole run took", () => {
  expect(renderReport(record())).toContain("| Time | agent 1 min 34 s, checks 25 s, whole run 3 min 20 s |");
});
