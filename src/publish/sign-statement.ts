/** Signs statements with Sigstore, with the identity that GitHub gives to this job. Loaded only where that is asked for. */
import {bundleToJSON} from "@sigstore/bundle";
import {DSSEBundleBuilder, FulcioSigner, RekorWitness, TSAWitness} from "@sigstore/sign";
import {ok, type Result, refused} from "../record/words.ts";

/** The addresses of a Sigstore. Without a log, its time authority confirms the time of the signature. */
export interface SigningInstance {
  readonly certificates: string;
  readonly log: string | null;
  readonly time: string | null;
}

const IN_TOTO = "application/vnd.in-toto+json";
const LIMITS = {timeout: 10_000, retry: {retries: 2, minTimeout: 500}};

/** The bundles as JSON, each with its statement. Fails with the service's message; never throws. */
export async function signStatements(
  statements: readonly object[],
  {instance, getToken}: {readonly instance: SigningInstance; readonly getToken: () => Promise<string>},
): Promise<Result<readonly string[], string>> {
  const {certificates, log, time} = instance;
  const signer = new FulcioSigner({...LIMITS, fulcioBaseURL: certificates, identityProvider: {getToken}});
  const witnesses = [
    ...(log === null ? [] : [new RekorWitness({...LIMITS, rekorBaseURL: log})]),
    ...(time === null ? [] : [new TSAWitness({...LIMITS, tsaBaseURL: time})]),
  ];
  try {
    const bundles: string[] = [];
    for (const statement of statements) {
      const data = Buffer.from(JSON.stringify(statement));
      const bundle = await new DSSEBundleBuilder({signer, witnesses}).create({data, type: IN_TOTO});
      bundles.push(JSON.stringify(bundleToJSON(bundle)));
    }
    return ok(bundles);
  } catch (error) {
    return refused(error instanceof Error ? error.message : String(error));
  }
}
