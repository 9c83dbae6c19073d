/** Which parts of a variable with HTTP headers are secrets. */
import {expect, test} from "vitest";
import {headerSecrets} from "../../../src/secrets/header-secrets.ts";

test.each([
  ["Authorization: Bearer abc-123", ["abc-123"]],
  [
    "x-portkey-api-key: k-1\r\nContent-Type: application/json\nHelicone-Auth:basic dXNlcjpwdw==",
    ["k-1", "dXNlcjpwdw=="],
  ],
  ["anthropic-beta: context-1m-2025-08-07\\ncf-access-client-secret: s:1", ["s:1"]],
  ['{"Authorization": "Bearer abc-123", "User-Agent": "me/1.0"}', ["abc-123"]],
  ["Authorization=token abc-123", ["abc-123"]],
  ["api-key=secret-1,x-tenant=a,b", ["secret-1", "a,b"]],
  ['{"Authorization": "abc-123", "More": {"a": 1}}', ["abc-123"]],
  ["/usr/src/linux-headers-6.8", []],
])("%j: %j", (text, secrets) => {
  expect(headerSecrets(text)).toEqual(secrets);
});
