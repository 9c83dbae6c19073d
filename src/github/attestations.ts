/** Stores signed statements as GitHub's attestations, and finds them by the digest of what they are about. */
import {z} from "zod";
import type {Result} from "../record/words.ts";
import type {Refused, Transport} from "./transport.ts";

/** The version whose list contains the bundles themselves: https://docs.github.com/en/rest/repos/attestations */
const VERSION = {"x-github-api-version": "2022-11-28"};
const listSchema = z.object({attestations: z.array(z.object({bundle: z.looseObject({}).nullish()}))});

export function attestationMethods({owner, repo, call}: Transport) {
  /** Storing a bundle twice is harmless. The token needs `attestations: write`. */
  const storeAttestation = (bundle: object): Promise<Result<unknown, Refused>> =>
    call({
      name: "store the attestation",
      answer: z.object({id: z.int()}),
      send: (rest, request) => rest.repos.createAttestation({owner, repo, bundle: {...bundle}, request}),
    });

  /** Of the newest bundles about the subject. `digest`: GitHub accepts `sha256:HEX` only. */
  async function attestations(wanted: {digest: string; predicateType: string}): Promise<Result<object[], Refused>> {
    const found = await call({
      name: "look for attestations",
      answer: listSchema,
      send: (rest, request) =>
        rest.repos.listAttestations({
          ...{owner, repo, request, headers: VERSION, per_page: 30},
          ...{subject_digest: wanted.digest, predicate_type: wanted.predicateType},
        }),
    });
    return found.ok
      ? {ok: true, value: found.value.attestations.flatMap(({bundle}) => (bundle ? [bundle] : []))}
      : found;
  }

  return {storeAttestation, attestations};
}
