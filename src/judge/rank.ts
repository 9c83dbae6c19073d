/** Ranks texts by their similarity to a query: cosine of TF-IDF vectors, without stemming. */

/** One score from 0 to 1 for each text, in the order of `texts`. */
export function rankByTerms(query: string, texts: readonly string[]): number[] {
  const documents = texts.map(countTerms);
  const documentCounts = new Map<string, number>();
  for (const terms of documents) {
    for (const term of terms.keys()) documentCounts.set(term, (documentCounts.get(term) ?? 0) + 1);
  }
  const weigh = (terms: ReadonlyMap<string, number>) =>
    new Map(
      [...terms].map(([term, count]) => {
        const rarity = Math.log((1 + texts.length) / (1 + (documentCounts.get(term) ?? 0))) + 1;
        return [term, (1 + Math.log(count)) * rarity] as const;
      }),
    );
  const wanted = weigh(countTerms(query));
  return documents.map((terms) => cosine(wanted, weigh(terms)));
}

function countTerms(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  const words = text.replace(/([a-z\d])([A-Z])/g, "$1 $2").toLowerCase();
  for (const [term] of words.matchAll(/[\p{L}\d]{3,}/gu)) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}

function cosine(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  let product = 0;
  for (const [term, weight] of a) product += weight * (b.get(term) ?? 0);
  return product === 0 ? 0 : product / (norm(a) * norm(b));
}

function norm(vector: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const weight of vector.values()) sum += weight * weight;
  return Math.sqrt(sum);
}
