/** Reads the body of a response within a limit. */

/** The whole body of a response; null if it is longer than `maxBytes`. */
export async function readBody(
  response: {readonly body: AsyncIterable<Uint8Array> | null},
  maxBytes: number,
): Promise<Buffer | null> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
