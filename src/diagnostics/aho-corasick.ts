/** Finds in one pass which of many literals a line contains, so that few slow patterns have to be tried. */

/**
 * The maximum number of different characters in the literals; a power of two, so that an index needs no slow
 * multiplication.
 */
const COLUMNS = 128;
const START = "\n";

/** Literals, and the bits that are set for a line with one of them. */
interface LiteralGroup {
  readonly bit: number;
  readonly literals: readonly string[];
}

/**
 * Returns a function that takes a text and the start and end of a line in it, and returns the bits of the groups whose
 * literals the line contains. Literals are in lower case and match both cases; `0` matches any digit, a line break the
 * start of the line. It uses an automaton by Aho and Corasick (Communications of the ACM 18, 1975), so the time depends
 * only on the line's length.
 */
export function literalMatcher(
  groups: readonly LiteralGroup[],
): (text: string) => (from: number, to: number) => number {
  const columns = columnsFor(groups.flatMap(({literals}) => literals).join(""));
  const {next, bits} = automaton(groups, columns);
  const startState = next[columns[START.charCodeAt(0)] ?? 0] ?? 0;
  return (text) => (from, to) => {
    let state = startState;
    let flags = bits[startState] ?? 0;
    for (let index = from; index < to; index++) {
      state = next[state * COLUMNS + (columns[text.charCodeAt(index)] ?? 0)] ?? 0;
      flags |= bits[state] ?? 0;
    }
    return flags;
  };
}

/** Assigns a column of the table to each character of the literals; column 0 is for all others. */
function columnsFor(characters: string): Uint8Array {
  const columns = new Uint8Array(0x10000);
  const different = [...new Set(START + characters)];
  if (different.length >= COLUMNS)
    throw new RangeError("the literals hold more different characters than the table has room for");
  different.forEach((character, index) => {
    columns[character.charCodeAt(0)] = index + 1;
    columns[character.toUpperCase().charCodeAt(0)] = index + 1;
    if (character === "0") columns.fill(index + 1, 48, 58);
  });
  return columns;
}

function automaton(groups: readonly LiteralGroup[], columns: Uint8Array) {
  const mostStates = groups.reduce(
    (sum, {literals}) => literals.reduce((chars, literal) => chars + literal.length, sum),
    1,
  );
  const next = new Uint16Array(mostStates * COLUMNS);
  const bits = new Int32Array(mostStates);
  let states = 1;
  for (const {bit, literals} of groups) {
    for (const literal of literals) {
      let state = 0;
      for (let index = 0; index < literal.length; index++) {
        const place = state * COLUMNS + (columns[literal.charCodeAt(index)] ?? 0);
        if (next[place] === 0) next[place] = states++;
        state = next[place] ?? 0;
      }
      bits[state] = (bits[state] ?? 0) | bit;
    }
  }
  const fallbacks = new Uint16Array(states);
  const queue = [0];
  for (const state of queue) {
    const row = state * COLUMNS;
    const fallbackRow = (fallbacks[state] ?? 0) * COLUMNS;
    for (let column = 1; column < COLUMNS; column++) {
      const child = next[row + column] ?? 0;
      const fallback = state === 0 ? 0 : (next[fallbackRow + column] ?? 0);
      // If no literal continues here, the search continues with the longest suffix of the text that begins another
      // literal.
      if (child === 0) next[row + column] = fallback;
      else {
        fallbacks[child] = fallback;
        bits[child] = (bits[child] ?? 0) | (bits[fallback] ?? 0);
        queue.push(child);
      }
    }
  }
  return {next, bits};
}
