/** Remembers what a pure function of a text gave: in a large workspace the same script stands in a thousand manifests. */

const MAX_ENTRIES = 5000;
const MAX_LENGTH = 2000;

/** `give` with its last few thousand answers kept. The answers are shared, so nobody may change them. */
export function memoize<T>(give: (text: string) => T): (text: string) => T {
  const known = new Map<string, {readonly answer: T}>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before.answer;
    const answer = give(text);
    if (text.length > MAX_LENGTH) return answer;
    // Starting afresh is simple, and rare.
    if (known.size >= MAX_ENTRIES) known.clear();
    known.set(text, {answer});
    return answer;
  };
}
