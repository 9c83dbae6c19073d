/** The machines that share the stages of the job `verify`, as lines and expressions of a workflow. */

/** The parts of the jobs that depend on the number of machines. Each machine has its own output and artifact. */
export function machinesOf(shards: number) {
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
    strategy: ["strategy:", "  fail-fast: false", "  matrix:", `    shard: [${numbers.join(", ")}]`],
    // an empty output of a later machine does not replace an earlier one on GitHub
    outputs: numbers.map((number) => `digest-${number}: \${{ ${digestOf(number)} }}`),
    share: [`shard: \${{ matrix.shard }}/${shards}`],
    artifact: "assay-verify-${{ matrix.shard }}",
    artifacts: numbers.map((number) => `assay-verify-${number}`),
    digests: numbers.map((number) => `\${{ needs.verify.outputs.digest-${number} }}`).join(","),
  };
}
