/** The word that somebody most likely meant. */

/** The known word nearest to a misspelt one, by edit distance, at most a third of its length away; null when none is near. */
export function findClosestWord(word: string, known: readonly string[]): string | null {
  const wanted = word.slice(0, 60).toLowerCase();
  let best: {word: string; distance: number} | null = null;
  for (const candidate of known) {
    const distance = edits(wanted, candidate.toLowerCase());
    const near = distance <= Math.max(2, Math.floor(candidate.length / 3));
    if (near && distance < Math.max(wanted.length, candidate.length) && (best === null || distance < best.distance)) {
      best = {word: candidate, distance};
    }
  }
  return best?.word ?? null;
}

/** Levenshtein distance, one row at a time. */
function edits(a: string, b: string): number {
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
