/** The forms of claims that can be compared with the change and the checks. Data only. */

const CHANGE = "updated modified changed edited adjusted fixed patched refactored rewrote extended improved touched";
const CREATE = "added created wrote introduced implemented defined";
const DELETE = "deleted removed dropped";
const JOINING = "to in into for of from with on at by as so that which where when if because since via using about";

const WORDS = {
  CHANGE,
  CREATE,
  DELETE,
  DID: `${CHANGE} ${CREATE}`,
  DONE: `${CHANGE} ${CREATE} ${DELETE} renamed moved exported replaced extracted documented bumped`,
  TOUCH: "touch modify change edit touched modified changed edited touching modifying changing editing",
  UNTOUCHED: "untouched unchanged unmodified",
  BE: "is are was were has have been remain remains left now also all both still",
  PASS: "pass passes passed passing succeed succeeds succeeded green clean",
  TESTS: "test tests spec specs example examples case cases",
  THE: "the a an existing new",
  KIND: "entry file module script function method class helper option flag parameter argument field type variant hook test",
  /** what may follow a complete object */
  END: `${JOINING} , ; : ( ) - – — → and but accordingly instead after including too here now`,
  /** words that end an object */
  STOP: `${JOINING} per without and or but not than like no only`,
  /** words that make a statement conditional, negative or a plan */
  HEDGE:
    "should would could may might can cannot can't couldn't will won't if unless please need needs must consider recommend suggest want not no never without didn't haven't wasn't unable instead todo next before previously [ ]",
  /** before lists of commands that were run */
  TESTING: "test tests testing tested validation verification verified checks",
};

const SETS = new Map(Object.entries(WORDS).map(([name, text]) => [name, new Set(text.split(" "))]));

/** True if the set of this name has the word. */
export const isIn = (name: string, word: string): boolean => SETS.get(name)?.has(word) === true;

/** The verbs with which lists of changes begin. */
export const PAST: Readonly<Record<string, string>> = {
  ...{add: "added", create: "created", update: "updated", modify: "modified", change: "changed", fix: "fixed"},
  ...{remove: "removed", delete: "deleted", rename: "renamed", introduce: "introduced", implement: "implemented"},
};

/** By kind of claim, patterns of `matchEnd`. `^` is the beginning of a sentence or of an item. */
export const FORMS = {
  changed: [
    "@CHANGE ANY* CODES @KIND? END",
    "CODES @BE @BE* @CHANGE",
    "@DID ANY* CODES? ANY* in|inside @THE? CODES END",
    "@CREATE ANY* CODES? to|into @THE? CODES END",
    "^ CODES :|-|–|— @BE* @DONE",
  ],
  added: ["@CREATE ANY* CODES @KIND? END", "CODES @BE @BE* @CREATE"],
  removed: ["@DELETE ANY* CODES @KIND? END", "CODES @BE @BE* @DELETE"],
  renamed: ["renamed|moved ANY* CODES to|into|→|-> ANY* CODES END"],
  unchanged: [
    "not|didn't|haven't|without|never @TOUCH ANY* CODES END",
    "no changes to|in ANY* CODES",
    "CODES @BE @BE* not @CHANGE",
    "CODES @BE* @UNTOUCHED",
  ],
  "unchanged tests": [
    "no ANY* tests|specs @BE @BE* @CHANGE",
    "not|didn't|without @TOUCH any|the|existing existing? @TESTS",
  ],
  "new tests": ["@CREATE ANY* @TESTS END"],
  "tests passed": ["all|every ANY* @TESTS ANY* @BE* @PASS", "the ANY* suite ANY* @BE* @PASS", "^ tests @BE* @PASS"],
  "all passed": ["everything @BE* @PASS", "all|every ANY* checks @BE* @PASS"],
  "passed tests": ["NUM ANY* @TESTS @BE* @PASS", "NUM @PASS"],
  "check passed": ["ANY ANY? @BE* @PASS"],
  "command passed": [
    "CODES @BE* @PASS",
    "✅ CODES",
    "CODES reports|prints|finds no type|lint? errors|issues|problems|warnings",
  ],
  ran: ["ran|executed ANY* CODES", "verified|tested|checked ANY* with|using|by CODES"],
  "listed command": ["^ CODES"],
};
export type ClaimKind = keyof typeof FORMS;
