/** Caches the results of the latest calls, because several checks read the same file one after another. */

const MAX_RESULTS = 32;

/** Wraps a pure function. The results are shared and must not be changed. */
export function cacheLatest<Args extends readonly unknown[], T>(give: (...args: Args) => T): (...args: Args) => T {
  const calls: {readonly args: Args; readonly result: T}[] = [];
  return (...args) => {
    const cachedCall = calls.find((call) => call.args.every((value, index) => value === args[index]));
    if (cachedCall !== undefined) return cachedCall.result;
    const result = give(...args);
    calls.unshift({args, result});
    calls.length = Math.min(calls.length, MAX_RESULTS);
    return result;
  };
}
