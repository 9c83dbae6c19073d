/** The machines of the tries, and those that share the stages of the job `verify`, as lines and expressions of a workflow. */
import {download} from "./workflow-parts.ts";

/** The job `admit` decides which tries have a machine; usually the only machine runs all tries. */
const NUMBERS = "(needs.admit.outputs.tries || '[1]')";
const LATER_TRIES = [2, 3, 4, 5];
const ifSeveral = (value: string): string => `\${{ ${NUMBERS} != '[1]' && ${value} || '' }}`;
const SUFFIX = `\${{ matrix.try > 1 && format('-{0}', matrix.try) || '' }}`;
const strategyOf = (axis: string): string[] => ["strategy:", "  fail-fast: false", "  matrix:", `    ${axis}`];

/** The parts of the jobs that differ if each try may have a machine. */
export const TRIES = {
  strategy: strategyOf(`try: \${{ fromJSON${NUMBERS} }}`),
  number: `try: ${ifSeveral("matrix.try")}`,
  suffix: SUFFIX,
  mayLackTheFirst: `  continue-on-error: \${{ ${NUMBERS} != '[1]' }}`,
  digests: `try-digests: ${ifSeveral(
    `format('{0},{1},{2},{3},{4}', ${["", "-2", "-3", "-4", "-5"].map((end) => `needs.verify.outputs.digest${end}`).join(", ")})`,
  )}`,
};

/** Downloads the results of the later tries. */
export const downloadTries = (job: "work" | "verify"): string[] =>
  LATER_TRIES.flatMap((number) =>
    download(
      `assay-${job}-${number}`,
      `  if: always() && contains(fromJSON${NUMBERS}, ${number})`,
      "  continue-on-error: true",
    ),
  );

/** The parts of the jobs that depend on the number of machines. Each machine has its own output and artifact. */
export const machinesOf = (shards: number, hasTries = false) => ({
  ...shareStages(shards),
  ...(hasTries && {
    strategy: TRIES.strategy,
    outputs: [
      `digest: ${digestOfTry(1)}`,
      "next: ${{ steps.assay.outputs.next }}",
      "# an empty output of another machine does not replace it on GitHub",
      ...LATER_TRIES.map((number) => `digest-${number}: ${digestOfTry(number)}`),
    ],
    share: [TRIES.number, "set: 1/2"],
    artifact: `assay-verify${SUFFIX}`,
  }),
});

const digestOfTry = (number: number) => `\${{ matrix.try == ${number} && steps.assay.outputs.digest || '' }}`;

function shareStages(shards: number) {
  if (shards === 1) {
    return {
      strategy: [],
      outputs: ["digest: ${{ steps.assay.outputs.digest }}"],
      share: [],
      artifact: "assay-verify",
      artifacts: ["assay-verify"],
      digests: "${{ needs.verify.outputs.digest }}",
    };
  }
  const numbers = Array.from({length: shards}, (_, at) => at + 1);
  const digestOf = (number: number) => `matrix.shard == ${number} && steps.assay.outputs.digest || ''`;
  return {
    // without fail-fast, each machine reports all its results
    strategy: strategyOf(`shard: [${numbers.join(", ")}]`),
    // an empty output of a later machine does not replace an earlier one on GitHub
    outputs: numbers.map((number) => `digest-${number}: \${{ ${digestOf(number)} }}`),
    share: [`shard: \${{ matrix.shard }}/${shards}`],
    artifact: "assay-verify-${{ matrix.shard }}",
    artifacts: numbers.map((number) => `assay-verify-${number}`),
    digests: numbers.map((number) => `\${{ needs.verify.outputs.digest-${number} }}`).join(","),
  };
}
