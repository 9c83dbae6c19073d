/** Caches the results of a pure function of a text: in a large workspace, many manifests contain the same script. */

const MAX_CHARS = 2_000_000;

/** Wraps `give` with a cache of its latest results. The results are shared and must not be changed. */
export function memoize<T>(give: (text: string) => T): (text: string) => T {
  const cache = new Map<string, {readonly answer: T}>();
  let chars = 0;
  return (text) => {
    const cached = cache.get(text);
    if (cached !== undefined) return cached.answer;
    const answer = give(text);
    // Clearing the cache is simple, and rare.
    if (chars > MAX_CHARS) {
      cache.clear();
      chars = 0;
    }
    chars += text.length;
    cache.set(text, {answer});
    return answer;
  };
}
