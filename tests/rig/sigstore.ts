/** A Sigstore on this machine, over HTTP: the certificate authority, the log and the time authority of `@sigstore/mock`. */
import {createHash, generateKeyPairSync, randomBytes} from "node:crypto";
import {createServer} from "node:http";
import type {AddressInfo} from "node:net";
import {
  fulcioHandler,
  initializeCA,
  initializeCTLog,
  initializeTLog,
  initializeTSA,
  rekorHandler,
  tsaHandler,
} from "@sigstore/mock";

/** What GitHub's identity token says about a job. */
export interface JobClaims {
  readonly iss?: string;
  /** such as ada/shop */
  readonly repository: string;
  /** such as ada/shop/.github/workflows/assay.yml@refs/heads/main */
  readonly workflow: string;
  /** the file that has the job; by default the workflow's own */
  readonly jobWorkflow?: string;
}

export interface LocalSigstore extends AsyncDisposable {
  readonly url: string;
  /** the variables that GitHub gives to a job with `id-token: write`; its identity has these claims */
  readonly identityOf: (claims: JobClaims) => Readonly<Record<string, string>>;
  /** the text for `--trusted-root` */
  readonly trustedRoot: string;
  /** the paths that were asked for */
  readonly requests: string[];
}

export const GITHUB_ISSUER = "https://token.actions.githubusercontent.com";

/** An identity token as GitHub gives it to a job. The mock reads it and does not verify its signature. */
export function identityToken({iss = GITHUB_ISSUER, repository, workflow, jobWorkflow = workflow}: JobClaims): string {
  const claims = {
    ...{iss, aud: "sigstore", repository, workflow_ref: workflow, job_workflow_ref: jobWorkflow},
    sub: `https://github.com/${jobWorkflow}`,
    exp: Math.floor(Date.now() / 1000) + 300,
  };
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${part({alg: "RS256"})}.${part(claims)}.c2lnbmF0dXJl`;
}

export async function startSigstore({hasLog = true}: {hasLog?: boolean} = {}): Promise<LocalSigstore> {
  const requests: string[] = [];
  const handlers: ReturnType<typeof fulcioHandler>[] = [];
  const tokens = new Map<string, string>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", async () => {
      requests.push(request.url ?? "");
      if (request.url?.startsWith("/token?") && request.url.endsWith("&audience=sigstore")) {
        const value = tokens.get(request.headers.authorization ?? "");
        response.writeHead(value === undefined ? 401 : 200, {"content-type": "application/json"});
        response.end(JSON.stringify({value}));
        return;
      }
      const handler = handlers.find(({path}) => path === request.url);
      const body = Buffer.concat(chunks).toString();
      const ask = () => handler?.fn(request.url?.includes("/log/") ? loggedEntry(body) : body);
      let answer = await ask();
      while (answer?.statusCode === 201 && hasShortTime(answer.response)) answer = await ask();
      response.writeHead(answer?.statusCode ?? 404, {"content-type": answer?.contentType ?? "text/plain"});
      const content = answer?.response ?? "";
      response.end(
        typeof content === "string" ? content : Buffer.from(content.buffer, content.byteOffset, content.byteLength),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const newKey = () => generateKeyPairSync("ec", {namedCurve: "prime256v1"});
  const [caKey, tlogKey] = [newKey(), newKey()];
  const ctlog = await initializeCTLog(newKey());
  const [ca, tlog, tsa] = await Promise.all([
    initializeCA(caKey, ctlog),
    initializeTLog(url, tlogKey),
    initializeTSA(newKey()),
  ]);
  handlers.push(fulcioHandler(ca), ...(hasLog ? [rekorHandler(tlog)] : []), tsaHandler(tsa));
  const base64 = (bytes: ArrayBufferView) =>
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
  const validFor = {start: new Date(Date.now() - 86_400_000).toISOString()};
  const logOf = (publicKey: Buffer, keyId: string) => ({
    baseUrl: url,
    hashAlgorithm: "SHA2_256",
    publicKey: {rawBytes: publicKey.toString("base64"), keyDetails: "PKIX_ECDSA_P256_SHA_256", validFor},
    logId: {keyId},
  });
  const authority = (certificates: ArrayBufferView[]) => ({
    subject: {organization: "sigstore.mock", commonName: "sigstore"},
    uri: url,
    certChain: {certificates: certificates.map((certificate) => ({rawBytes: base64(certificate)}))},
    validFor,
  });
  const trustedRoot = JSON.stringify({
    mediaType: "application/vnd.dev.sigstore.trustedroot+json;version=0.1",
    tlogs: hasLog ? [logOf(tlog.publicKey, createHash("sha256").update(tlog.publicKey).digest("base64"))] : [],
    certificateAuthorities: [authority([ca.rootCertificate])],
    ctlogs: [logOf(ctlog.publicKey, base64(ctlog.logID))],
    timestampAuthorities: [authority([tsa.intCertificate, tsa.rootCertificate])],
  });
  return {
    ...{url, trustedRoot, requests},
    identityOf(claims) {
      const secret = randomBytes(16).toString("hex");
      tokens.set(`Bearer ${secret}`, identityToken(claims));
      return {
        ACTIONS_ID_TOKEN_REQUEST_URL: `${url}/token?api-version=2.0`,
        ACTIONS_ID_TOKEN_REQUEST_TOKEN: secret,
      };
    },
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** The mock drops zeros at the end of the milliseconds, and Sigstore's parser then refuses the time. */
const hasShortTime = (response: string | ArrayBufferView): boolean =>
  typeof response !== "string" &&
  /\d{14}\.\d{1,2}Z/.test(Buffer.from(response.buffer, response.byteOffset, response.byteLength).toString("latin1"));

/** What Rekor logs of a proposed envelope: its digests and signatures. The mock would log the proposal itself. */
function loggedEntry(body: string): string {
  const {spec, ...entry} = JSON.parse(body);
  const envelope = JSON.parse(spec.proposedContent.envelope);
  const hash = (bytes: string | Buffer) => ({
    algorithm: "sha256",
    value: createHash("sha256").update(bytes).digest("hex"),
  });
  const [verifier] = spec.proposedContent.verifiers;
  const logged = {
    envelopeHash: hash(spec.proposedContent.envelope),
    payloadHash: hash(Buffer.from(envelope.payload, "base64")),
    signatures: envelope.signatures.map(({sig}: {sig: string}) => ({signature: sig, verifier})),
  };
  return JSON.stringify({...entry, spec: logged});
}
