/** Tells in one pass over a line which of many words stand in it, so that slow patterns are tried only where they can fit. */

/** Room for the different characters of the words; a power of two, so that an index needs no slow multiplication. */
const COLUMNS = 128;
const START = "\n";

/** Words, and the bits that a line gets in which one of them stands. */
interface Group {
  readonly bit: number;
  readonly words: readonly string[];
}

/**
 * Takes groups of words; gives a function from a text, and where in it a line starts and ends, to the bits of the groups of
 * which a word stands in it. Words are written in lower case and found in either; `0` in a word stands for any digit, a line
 * break for the start of the line. An automaton after Aho and Corasick (Communications of the ACM 18, 1975): its time depends
 * on the line's length alone.
 */
export function sieve(groups: readonly Group[]): (text: string) => (from: number, to: number) => number {
  const columns = columnsFor(groups.flatMap(({words}) => words).join(""));
  const {next, bits} = automaton(groups, columns);
  const first = next[columns[START.charCodeAt(0)] ?? 0] ?? 0;
  return (text) => (from, to) => {
    let state = first;
    let found = bits[first] ?? 0;
    for (let at = from; at < to; at++) {
      state = next[state * COLUMNS + (columns[text.charCodeAt(at)] ?? 0)] ?? 0;
      found |= bits[state] ?? 0;
    }
    return found;
  };
}

/** Gives each character of the words a column of the table; column 0 is for all others. */
function columnsFor(characters: string): Uint8Array {
  const columns = new Uint8Array(0x10000);
  const different = [...new Set(START + characters)];
  if (different.length >= COLUMNS)
    throw new RangeError("the words hold more different characters than the table has room for");
  different.forEach((character, at) => {
    columns[character.charCodeAt(0)] = at + 1;
    columns[character.toUpperCase().charCodeAt(0)] = at + 1;
    if (character === "0") columns.fill(at + 1, 48, 58);
  });
  return columns;
}

function automaton(groups: readonly Group[], columns: Uint8Array) {
  const most = groups.reduce((sum, {words}) => words.reduce((chars, word) => chars + word.length, sum), 1);
  const next = new Uint16Array(most * COLUMNS);
  const bits = new Int32Array(most);
  let states = 1;
  for (const {bit, words} of groups) {
    for (const word of words) {
      let state = 0;
      for (let at = 0; at < word.length; at++) {
        const place = state * COLUMNS + (columns[word.charCodeAt(at)] ?? 0);
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
    const other = (fallbacks[state] ?? 0) * COLUMNS;
    for (let column = 1; column < COLUMNS; column++) {
      const child = next[row + column] ?? 0;
      const fallback = state === 0 ? 0 : (next[other + column] ?? 0);
      // Where no word goes on from here, the longest end of what was read that begins another word does.
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
