/** Looks for many fixed strings of two characters or more in one pass, so that only the rules of tools that were there are tried. */

/** How common a character is in logs; a pair of rare ones finds a sign with few false starts. */
function commonness(char: string): number {
  if (/[ etaoinsr\-.:/0]/.test(char)) return 3;
  return /[a-z0-9_=]/.test(char) ? 2 : 1;
}

function commonnessOfPair(pair: string): number {
  const [first = "", second = ""] = pair;
  const twice = first === second && /[a-z]/.test(first);
  return commonness(first) + commonness(second) - (twice ? 3 : 0);
}

const SLOTS = 1 << 12;
const slotOf = (first: number, second: number): number => (first * 31 + second) & (SLOTS - 1);

/** Takes the strings once; gives a function from a text to those of the strings that stand in it. Linear in the text. */
export function signFinder(signs: readonly string[]): (text: string) => Set<string> {
  const slots: {sign: string; offset: number}[][] = Array.from({length: SLOTS}, () => []);
  for (const sign of new Set(signs)) {
    const costAt = (offset: number): number => commonnessOfPair(sign.slice(offset, offset + 2));
    const offsets = Array.from({length: sign.length - 1}, (_, offset) => offset);
    const best = offsets.reduce((a, b) => (costAt(b) < costAt(a) ? b : a));
    slots[slotOf(sign.charCodeAt(best), sign.charCodeAt(best + 1))]?.push({sign, offset: best});
  }
  const used = Uint8Array.from(slots, (slot) => (slot.length > 0 ? 1 : 0));
  return (text) => {
    const found = new Set<string>();
    const open = Uint8Array.from(used);
    let first = text.charCodeAt(0);
    for (let at = 1; at < text.length; at++) {
      const second = text.charCodeAt(at);
      const slot = slotOf(first, second);
      first = second;
      if (open[slot] === 0) continue;
      const here = slots[slot] ?? [];
      const before = found.size;
      for (const {sign, offset} of here) {
        if (text.startsWith(sign, at - 1 - offset)) found.add(sign);
      }
      if (found.size > before && here.every(({sign}) => found.has(sign))) open[slot] = 0;
    }
    return found;
  };
}
