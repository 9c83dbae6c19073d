/** Caches the results of a pure function of a text: in a large workspace, many manifests contain the same script. */

const MAX_ENTRIES = 5000;
const MAX_LENGTH = 2000;

/** Wraps `give` with a cache of a few thousand results. The results are shared and must not be changed. */
export function memoize<T>(give: (text: string) => T): (text: string) => T {
  const cache = new Map<string, {readonly answer: T}>();
  return (text) => {
    const cached = cache.get(text);
    if (cached !== undefined) return cached.answer;
    const answer = give(text);
    if (text.length > MAX_LENGTH) return answer;
    // Clearing the cache is simple, and rare.
    if (cache.size >= MAX_ENTRIES) cache.clear();
    cache.set(text, {answer});
    return answer;
  };
}
