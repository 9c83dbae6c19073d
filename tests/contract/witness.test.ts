/** Each rule has a place outside of this repository where it decides something, or belongs to a class of attacks; `witness.json` names it. */
import {existsSync, readFileSync} from "node:fs";
import {join} from "node:path";
import {describe, expect, it} from "vitest";
import {parse} from "yaml";
import {listRules} from "./witness-rules.ts";

const root = join(import.meta.dirname, "../..");
const {attacks, ...kinds}: Table = JSON.parse(readFileSync(join(root, "witness.json"), "utf8"));
const rules: Readonly<Record<string, readonly {id: string}[]>> = {...listRules()};

/** For each kind of rule the place of each rule; for each class of attacks the input that shows it. */
interface Table {
  readonly attacks: Readonly<Record<string, string>>;
  readonly [kind: string]: Readonly<Record<string, string>>;
}

const PLACE =
  /^(?:[\w.-]+\/[\w.-]+@[0-9a-f]{40}|log [\w./-]+|output tests\/unit\/diagnostics\/[\w/-]+\.txt|attack: (?<attack>.+))$/;

function mistakesIn(table: Omit<Table, "attacks">): string[] {
  return Object.entries(rules).flatMap(([kind, all]) => {
    const rows = table[kind] ?? {};
    const ids = all.map(({id}) => id);
    return [
      ...ids.filter((id) => rows[id] === undefined).map((id) => `${kind}: no row for \`${id}\``),
      ...Object.keys(rows).flatMap((id) => (ids.includes(id) ? [] : [`${kind}: no rule \`${id}\``])),
      ...Object.entries(rows).flatMap(([id, place]) => {
        const match = PLACE.exec(place);
        const attack = match?.groups?.["attack"];
        if (match !== null && (attack === undefined || attacks[attack] !== undefined)) return [];
        return [`${kind}: \`${id}\` names no place: ${place}`];
      }),
    ];
  });
}

/** A test, or a case of the tamper corpus. */
function isInput(input: string): boolean {
  const [path = "", name] = input.split(/: (.*)/);
  const file = join(root, path);
  if (!existsSync(file) || name === undefined) return existsSync(file) && path.endsWith(".test.ts");
  const {tampered}: {tampered: {name: string; level?: string}[]} = parse(readFileSync(file, "utf8"));
  return tampered.some((one) => one.name === name && one.level !== "none");
}

describe("witness.json", () => {
  it("has a row for each rule, and a rule for each row", () => {
    expect(mistakesIn(kinds), "see “Give a rule its witness” in CONTRIBUTING.md").toEqual([]);
  });

  it.each(Object.keys(kinds))("misses a row that is removed from %s", (kind) => {
    const [first = "", ...rest] = Object.entries(kinds[kind] ?? {}).map(([id]) => id);
    const without = Object.fromEntries(rest.map((id) => [id, kinds[kind]?.[id] ?? ""]));
    const others = mistakesIn(kinds);
    const missed = mistakesIn({...kinds, [kind]: without}).filter((mistake) => !others.includes(mistake));
    expect(missed).toEqual([`${kind}: no row for \`${first}\``]);
  });

  it("has at most 80 classes of attacks, each with its input and with rules", () => {
    expect(Object.keys(attacks).length).toBeLessThanOrEqual(80);
    expect(Object.entries(attacks).flatMap(([name, input]) => (isInput(input) ? [] : [`${name}: ${input}`]))).toEqual(
      [],
    );
    const used = new Set(Object.values(kinds).flatMap((rows) => Object.values(rows)));
    expect(Object.keys(attacks).filter((name) => !used.has(`attack: ${name}`))).toEqual([]);
  });
});
