/** Finds the known word that a misspelt one most likely means. */

/** A hint with the closest known word, or `otherwise` if none is close. */
export function suggestWord(word: string, known: readonly string[], otherwise: string): string {
  const closest = findClosestWord(word, known);
  return closest === null ? otherwise : `did you mean \`${closest}\`?`;
}

/** The closest known word by edit distance, at most a third of its length away; null if there is none. */
function findClosestWord(word: string, known: readonly string[]): string | null {
  const target = word.slice(0, 60).toLowerCase();
  let closest: {word: string; distance: number} | null = null;
  for (const candidate of known) {
    const distance = editDistance(target, candidate.toLowerCase());
    const isClose = distance <= Math.max(2, Math.floor(candidate.length / 3));
    const sharesLetters = distance < Math.max(target.length, candidate.length);
    if (isClose && sharesLetters && (closest === null || distance < closest.distance))
      closest = {word: candidate, distance};
  }
  return closest?.word ?? null;
}

/** Levenshtein distance, computed row by row. */
function editDistance(a: string, b: string): number {
  let row = Array.from({length: b.length + 1}, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
