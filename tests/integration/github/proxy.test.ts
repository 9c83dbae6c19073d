/** Requests to GitHub's API go through the runner's proxy, except where `no_proxy` says so. */
import {once} from "node:events";
import {createServer} from "node:http";
import {expect, onTestFinished, test, vi} from "vitest";
import {connect} from "../../../src/github/client.ts";

test("the client asks the proxy of the environment for GitHub's address", async () => {
  const asked: string[] = [];
  const proxy = createServer((request, response) => {
    asked.push(request.url ?? "");
    response.end("{}");
  });
  proxy.on("connect", ({url = ""}, socket) => {
    asked.push(url);
    socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n");
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const address = proxy.address();
  if (address === null || typeof address === "string") throw new Error("the proxy has no port");
  vi.stubEnv("http_proxy", `http://127.0.0.1:${address.port}`);
  vi.stubEnv("no_proxy", "inside.test");
  onTestFinished(() => {
    vi.unstubAllEnvs();
    proxy.close();
  });
  const ask = (apiUrl: string) => {
    const patience = {tries: 1, tryMs: 5_000, callMs: 5_000};
    return connect({token: "x", apiUrl, repository: "a/b", log: () => {}, patience}).issue(1);
  };
  expect((await ask("http://github.test")).ok).toBe(false);
  expect(asked).toEqual([expect.stringContaining("github.test")]);
  await ask("http://inside.test");
  expect(asked).toHaveLength(1);
});
