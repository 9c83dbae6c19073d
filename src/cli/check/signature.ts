/** Verifies the signature of a statement with Sigstore, and reads who signed it. */
import {readFile} from "node:fs/promises";
import {bundleFromJSON} from "@sigstore/bundle";
import {ASN1Obj} from "@sigstore/core";
import {TrustedRoot} from "@sigstore/protobuf-specs";
import {type Signer, toSignedEntity, toTrustMaterial, VerificationError, Verifier} from "@sigstore/verify";
import {parseJson} from "../../record/parse-json.ts";
import {ok, type Result, refused} from "../../record/words.ts";
import type {RefusalKind} from "./refusals.ts";

/** The parts of the certificate that GitHub's identity token determined (Fulcio's `oid-info.md`). */
export interface SignerIdentity {
  readonly issuer: string;
  /** the page of the repository that the job ran in */
  readonly repository: string;
  /** the file and ref of the workflow that was started, as a URL */
  readonly workflow: string;
  /** the file and ref that has the job: another one if the workflow calls one */
  readonly jobWorkflow: string;
}

const SOURCE_REPOSITORY = "1.3.6.1.4.1.57264.1.12";
const BUILD_CONFIG = "1.3.6.1.4.1.57264.1.18";
const PAYLOAD_TYPE = "application/vnd.in-toto+json";
const MAX_ROOT_BYTES = 4 * 1024 * 1024;

/** The roots in a file, JSON or lines of JSON; without a file, that of the public Sigstore. Null if there are none. */
export async function loadTrustedRoots(file: string | null): Promise<readonly TrustedRoot[] | null> {
  try {
    if (file === null) return [await (await import("@sigstore/tuf")).getTrustedRoot()];
    const text = (await readFile(file)).subarray(0, MAX_ROOT_BYTES).toString();
    const whole = parseJson(text);
    const documents = whole === undefined ? text.trim().split("\n").map(parseJson) : [whole];
    return documents.map((document) => TrustedRoot.fromJSON(document));
  } catch {
    return null;
  }
}

/** The signer, if one of the roots vouches for it; else the reason of the first root. Never throws. */
export function verifySignature(bundle: unknown, roots: readonly TrustedRoot[]): Result<SignerIdentity, RefusalKind> {
  const answers = roots.map((root) => verifyWith(bundle, root));
  return answers.find(({ok: isOk}) => isOk) ?? answers[0] ?? refused("no-trust");
}

function verifyWith(json: unknown, root: TrustedRoot): Result<SignerIdentity, RefusalKind> {
  try {
    const bundle = bundleFromJSON(json);
    if (bundle.content.$case !== "dsseEnvelope" || bundle.content.dsseEnvelope.payloadType !== PAYLOAD_TYPE)
      return refused("edited");
    // GitHub's own instance has no log; its time authority takes the log's place.
    const tlogThreshold = root.tlogs.length > 0 ? 1 : 0;
    const ctlogThreshold = root.ctlogs.length > 0 ? 1 : 0;
    const verifier = new Verifier(toTrustMaterial(root), {tlogThreshold, ctlogThreshold, timestampThreshold: 1});
    return identityOf(verifier.verify(toSignedEntity(bundle)));
  } catch (error) {
    return refused(error instanceof VerificationError ? reasonOf(error) : "edited");
  }
}

function reasonOf({code}: VerificationError): RefusalKind {
  if (code === "CERTIFICATE_ERROR" || code === "PUBLIC_KEY_ERROR") return "foreign-key";
  return code === "SIGNATURE_ERROR" || code === "TLOG_BODY_ERROR" ? "edited" : "not-logged";
}

/** A signature by a bare key has no identity. */
function identityOf({identity}: Signer): Result<SignerIdentity, RefusalKind> {
  const textOf = (id: string): string => {
    const extension = identity?.oids?.find(({oid}) => oid?.id.join(".") === id);
    return extension === undefined ? "" : ASN1Obj.parseBuffer(Buffer.from(extension.value)).value.toString();
  };
  if (identity?.subjectAlternativeName === undefined) return refused("foreign-key");
  return ok({
    issuer: identity.extensions?.issuer ?? "",
    repository: textOf(SOURCE_REPOSITORY),
    workflow: textOf(BUILD_CONFIG),
    jobWorkflow: identity.subjectAlternativeName,
  });
}
