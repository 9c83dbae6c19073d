/** GitHub's service for artifacts, as far as its own actions use it: five calls in JSON, and a store for blobs in blocks. */
import {createServer, type IncomingMessage, type ServerResponse} from "node:http";
import {type Json, parseObject, textAt} from "./json.ts";

export interface ArtifactServer {
  readonly url: string;
  close(): void;
}

export async function startArtifactServer(): Promise<ArtifactServer> {
  const artifacts = new Map<string, Buffer>();
  const blocks = new Map<string, Buffer>();
  let url = "";
  const blobUrl = (name: string) => `${url}blobs/${encodeURIComponent(name)}?sig=rig`;
  const idOf = (name: string) => String([...artifacts.keys()].indexOf(name) + 1);

  const calls: Readonly<Record<string, (name: string, request: Json) => Json>> = {
    CreateArtifact: (name) => ({ok: true, signed_upload_url: blobUrl(name)}),
    FinalizeArtifact: (name) => ({ok: true, artifact_id: idOf(name)}),
    DeleteArtifact(name) {
      const artifact_id = idOf(name);
      artifacts.delete(name);
      return {ok: true, artifact_id};
    },
    GetSignedArtifactURL: (name) => ({signed_url: blobUrl(name)}),
    ListArtifacts(_name, request) {
      const filter = {name: textAt(request, "name_filter"), id: textAt(request, "id_filter")};
      const found = [...artifacts].filter(
        ([name]) => ["", name].includes(filter.name) && ["", idOf(name)].includes(filter.id),
      );
      const {workflow_run_backend_id, workflow_job_run_backend_id} = request;
      const owner = {workflow_run_backend_id, workflow_job_run_backend_id};
      return {
        artifacts: found.map(([name, {length}]) => ({...owner, database_id: idOf(name), name, size: String(length)})),
      };
    },
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    const body = Buffer.concat(chunks);
    const asked = new URL(request.url ?? "", url);
    const last = decodeURIComponent(asked.pathname.split("/").at(-1) ?? "");
    const call = calls[last];
    if (call !== undefined) {
      const json = parseObject(body.toString());
      response
        .writeHead(200, {"content-type": "application/json"})
        .end(JSON.stringify(call(textAt(json, "name"), json)));
      return;
    }
    if (request.method === "PUT") {
      const block = asked.searchParams.get("blockid");
      if (block !== null) blocks.set(`${last} ${block}`, body);
      else artifacts.set(last, asked.searchParams.get("comp") === "blocklist" ? joined(last, body.toString()) : body);
      response.writeHead(201, {etag: '"rig"', "last-modified": new Date().toUTCString()}).end();
      return;
    }
    const blob = artifacts.get(last);
    response.writeHead(blob === undefined ? 404 : 200, {"content-type": "application/zip"}).end(blob);
  }

  const joined = (name: string, list: string): Buffer =>
    Buffer.concat(
      [...list.matchAll(/<Latest>([^<]+)<\/Latest>/g)].map(([, id]) => blocks.get(`${name} ${id}`) ?? Buffer.of()),
    );

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}/`;
  return {url, close: () => void server.close()};
}
