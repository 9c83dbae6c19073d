/** Recognizes keys by their published prefixes, for secrets that the run does not know. */

interface Pattern {
  readonly what: string;
  /** group 1, if present, is the key without its context */
  readonly form: RegExp;
  /** words in kebab-case look like some keys, but real keys have a digit */
  readonly needsDigit?: boolean;
  /** examples and test data often have this form: it is masked, but does not block a change */
  readonly isVague?: boolean;
}

/** Each has a limited length and an anchor at its start, so that no text makes the search slow. */
const PATTERNS: readonly Pattern[] = [
  {what: "a GitHub token", form: /(?<![A-Za-z0-9])gh[oprsu]_[A-Za-z0-9_]{20,400}/g},
  {what: "a GitHub token", form: /(?<![A-Za-z0-9])github_pat_[A-Za-z0-9_]{20,300}/g},
  {what: "a GitLab token", form: /(?<![A-Za-z0-9])glpat-[\w-]{20,100}/g},
  {what: "a model provider's key", form: /(?<![A-Za-z0-9])sk-[\w-]{16,300}/g, needsDigit: true},
  {what: "a model provider's key", form: /(?<![A-Za-z0-9])(?:gsk_|xai-|hf_|pplx-|r8_)[A-Za-z0-9]{20,200}/g},
  {what: "a payment provider's key", form: /(?<![A-Za-z0-9])[rs]k_(?:live|test)_[A-Za-z0-9]{16,200}/g},
  {what: "an AWS key id", form: /(?<![A-Za-z0-9])(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])/g},
  {what: "a Google key", form: /(?<![A-Za-z0-9])AIza[\w-]{35}/g},
  {what: "a Slack token", form: /(?<![A-Za-z0-9])(?:xox[abeoprs]|xapp)-[\w-]{10,250}/g},
  {what: "a registry token", form: /(?<![A-Za-z0-9])(?:npm_[A-Za-z0-9]{36}|pypi-[\w-]{40,250})/g},
  {what: "a signed token", form: /(?<![\w-])eyJ[\w-]{10,2000}\.[\w-]{10,4000}\.[\w-]{10,1000}/g, isVague: true},
  {what: "a password in an address", form: /:\/\/[^\s/:@]{0,100}:([^\s/:@]{3,200})@/g, isVague: true},
  {
    what: "an authorization header",
    form: /\bauthorization["']?\s{0,5}[:=]\s{0,5}["']?(?:basic|bearer|token)\s{1,5}([\w.~+/=-]{8,4000})/gi,
    isVague: true,
  },
];

/** A person must decide about these kinds. */
export const VAGUE_KINDS: ReadonlySet<string> = new Set(PATTERNS.flatMap(({what, isVague}) => (isVague ? [what] : [])));

const PEM_LONGEST = 20_000;

/** The parts of the text that look like keys, unordered. */
export function patternSpans(text: string): {start: number; end: number; what: string}[] {
  const spans = privateKeys(text);
  for (const {what, form, needsDigit} of PATTERNS) {
    for (const match of text.matchAll(form)) {
      const key = match[1] ?? match[0];
      if (needsDigit === true && !/\d/.test(key)) continue;
      const start = match.index + match[0].lastIndexOf(key);
      spans.push({start, end: start + key.length, what});
    }
  }
  return spans;
}

/** From the first line of a private key to its last, or to the longest possible length if the last is missing. */
function privateKeys(text: string): {start: number; end: number; what: string}[] {
  const spans: {start: number; end: number; what: string}[] = [];
  let close = Number.NEGATIVE_INFINITY;
  for (const open of text.matchAll(/-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY/g)) {
    const start = open.index;
    if (start < (spans.at(-1)?.end ?? 0)) continue;
    if (close !== -1 && close < start) close = text.indexOf("-----END ", start);
    const lastIndex =
      close === -1 ? start + PEM_LONGEST : Math.min(text.indexOf("-----", close + 9), start + PEM_LONGEST) + 5;
    spans.push({start, end: Math.min(text.length, Math.max(lastIndex, start + open[0].length)), what: "a private key"});
  }
  return spans;
}
