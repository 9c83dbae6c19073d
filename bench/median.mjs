/** The middle of some numbers, or the mean of the two in the middle: one busy moment of the machine does not move it. */
export function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b);
  const half = sorted.length / 2;
  return sorted.length % 2 === 1 ? sorted[Math.floor(half)] : (sorted[half - 1] + sorted[half]) / 2;
}
