/** The middle of some numbers: one busy moment of the machine does not move it. */
export const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
