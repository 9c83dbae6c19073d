/** Recognizes keys by their published prefixes, for secrets that the run does not know. */

interface Pattern {
  readonly what: string;
  /** group 1, if present, is the key without its context */
  readonly form: RegExp;
  /** every such key has it: without it, a text needs no search */
  readonly part?: string;
  /** words in kebab-case look like some keys, but real keys have a digit */
  readonly needsDigit?: boolean;
  /** examples and test data often have this form: it is masked, but does not block a change */
  readonly isVague?: boolean;
}

/** Tokens as each service publishes their form, behind a part that all of them have. */
const SERVICES: readonly (readonly [part: string, form: string])[] = [
  ["ops_eyJ", "ops_eyJ[A-Za-z0-9+/=]{90,1280}"],
  // Azure, Discord, Telegram and Twilio have no prefix of their own.
  ["Q~", "[\\w~.]{3}\\dQ~[\\w~.-]{31,34}"],
  [".", "[MNO][A-Za-z0-9]{23,25}\\.[\\w-]{6}\\.[\\w-]{27,38}"],
  [":AA", "\\d{8,10}:AA[\\w-]{33}"],
  ["SK", "SK[0-9a-f]{32}"],
  ["cf", "cf(?:k|ut|at)_[A-Za-z0-9]{48}"],
  ["dapi", "dapi[A-Fa-f0-9]{32}"],
  ["_v1_", "do[por]_v1_[a-f0-9]{64}"],
  ["dckr_pat_", "dckr_pat_[\\w-]{27}"],
  ["figd_", "figd_[\\w-]{40,200}"],
  ["glc_", "glc_[A-Za-z0-9+/]{32,400}={0,2}"],
  ["glsa_", "glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}"],
  ["hv", "hv[sbr]\\.[\\w-]{90,300}"],
  ["lin_api_", "lin_api_\\w{32,128}"],
  ["ntn_", "ntn_[A-Za-z0-9]{46}"],
  ["SG.", "SG\\.[\\w-]{16,32}\\.[\\w-]{16,64}"],
  ["shp", "shp(?:pa|ca|at|ss)_[A-Za-z0-9]{32,64}"],
  ["tskey-", "tskey-[a-z]{2,20}-\\w{8,40}-\\w{16,60}"],
  ["vc", "vc[piark]_[A-Za-z0-9]{20,60}"],
];
const asToken = (form: string) => new RegExp(`(?<![A-Za-z0-9])(?:${form})(?![A-Za-z0-9])`, "g");

/** Each has a limited length and an anchor at its start, so that no text makes the search slow. */
const PATTERNS: readonly Pattern[] = [
  {what: "a GitHub token", form: /(?<![A-Za-z0-9])gh[oprsu]_[A-Za-z0-9_]{20,400}/g},
  {what: "a GitHub token", form: /(?<![A-Za-z0-9])github_pat_[A-Za-z0-9_]{20,300}/g},
  {
    what: "a GitHub token",
    part: "ghs_",
    form: /(?<![A-Za-z0-9])ghs_\d{1,20}_[\w-]{1,1000}\.[\w-]{1,10000}\.[\w-]{1,1000}/g,
  },
  {what: "a GitLab token", form: /(?<![A-Za-z0-9])glpat-[\w-]{20,100}/g},
  {what: "a model provider's key", form: /(?<![A-Za-z0-9])sk-[\w-]{16,300}/g, needsDigit: true},
  {what: "a model provider's key", form: /(?<![A-Za-z0-9])(?:gsk_|xai-|hf_|pplx-|r8_)[A-Za-z0-9]{20,200}/g},
  {what: "a payment provider's key", form: /(?<![A-Za-z0-9])[rs]k_(?:live|test)_[A-Za-z0-9]{16,200}/g},
  {what: "an AWS key id", form: /(?<![A-Za-z0-9])(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])/g},
  {what: "a Google key", form: /(?<![A-Za-z0-9])AIza[\w-]{35}/g},
  {what: "a Slack token", form: /(?<![A-Za-z0-9])(?:xox[abeoprs]|xapp)-[\w-]{10,250}/g},
  {what: "a registry token", form: /(?<![A-Za-z0-9])(?:npm_[A-Za-z0-9]{36}|pypi-[\w-]{40,250})/g},
  ...SERVICES.map(([part, form]) => ({what: "a service's token", part, form: asToken(form), needsDigit: true})),
  {
    what: "a chat webhook",
    part: "https://",
    form: /https:\/\/(?:hooks\.slack\.com\/services\/[\w/]{20,120}|discord(?:app)?\.com\/api\/webhooks\/\d{15,20}\/[\w-]{40,100})/g,
  },
  {
    what: "a cloud account's key",
    form: /\b(?:aws_?secret_?access_?key|AccountKey)["']?\s{0,5}[:=]\s{0,5}["']?([A-Za-z0-9/+]{40}(?:[A-Za-z0-9/+]{46}==)?)(?![A-Za-z0-9/+=])/gi,
    needsDigit: true,
  },
  {what: "a registry token", part: "_authToken=", form: /_authToken=([^$\s"']{8,400})/g, isVague: true},
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
  for (const {what, form, needsDigit, part} of PATTERNS) {
    if (part !== undefined && !text.includes(part)) continue;
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
