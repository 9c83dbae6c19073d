/** Finds in one pass over a line which of many literals it contains, so that slow patterns are tried only if they can match. */

/** Room for the different characters of the words; a power of two, so that an index needs no slow multiplication. */
const COLUMNS = 128;
const START = "\n";

/** Literals, and the bits of a line that contains one of them. */
interface LiteralGroup {
  readonly bit: number;
  readonly literals: readonly string[];
}

/**
 * Takes groups of literals; gives a function from a text, and a line's start and end in it, to the bits of the groups that the
 * line contains. Literals are written in lower case and match both cases; `0` matches any digit, a line break the start
 * of the line. An automaton after Aho and Corasick (Communications of the ACM 18, 1975): its time depends on the line's length
 * alone.
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

/** Gives each character of the literals a column of the table; column 0 is for all others. */
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
      // If no literal continues here, the longest suffix of the text that begins another literal does.
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
