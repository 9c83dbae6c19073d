/** Finds the tests of Go, Rust and Java files, whose bodies are in braces. */
import {closingBracket, type MaskedSource} from "../source/mask.ts";
import type {TestMark, TestRange} from "./test-case.ts";

const GO_TEST = /^func\s+(?:\(\s*\w+\s+\*?(\w+)(?:\[[^\]]*\])?\s*\)\s*)?((?:Test|Fuzz)(?![a-z])\w*)\s*\(/gm;
const RUST_TEST =
  /((?:#\[[^\]]*(?:\[[^\]]*\][^\]]*)*\]\s*)+)(?:pub(?:\([^)]*\))?\s+)?(?:async\s+)?(?:unsafe\s+)?fn\s+(\w+)/g;
const RUST_MODULE = /((?:#\[[^\]]*\]\s*)*)\bmod\s+(\w+)\s*\{/g;
const JAVA_ANNOTATED =
  /((?:@[\w.]+(?:\s*\([^()]*(?:\([^()]*\)[^()]*)*\))?\s+)*)((?:(?:public|protected|private|final|static|suspend|override|void|fun|<[^>]*>|[\w<>[\],.?]+)\s+)*)(?:(\w+)|`([^`\n]*)`)\s*\(/g;
const JAVA_CLASS =
  /((?:@[\w.]+(?:\s*\([^()]*\))?\s+)*)(?:(?:public|abstract|final|static|internal|open)\s+)*class\s+(\w+)/g;
const JAVA_TEST = /@(?:[\w.]+\.)?(?:Test|ParameterizedTest|RepeatedTest|TestFactory|TestTemplate|Property|Theory)\b/;

export function findGoTests(source: MaskedSource): TestRange[] {
  return [...source.code.matchAll(GO_TEST)].flatMap((match) => {
    const [, receiver, name = ""] = match;
    const id = receiver === undefined ? name : `${receiver} > ${name}`;
    const marks = new Set<TestMark>();
    return rangeAt({source, match, id, name, marks, markText: ""});
  });
}

export function findRustTests(source: MaskedSource): TestRange[] {
  const modules = [...source.code.matchAll(RUST_MODULE)].map((match) => ({
    name: match[2] ?? "",
    attributes: match[1] ?? "",
    text: source.text.slice(match.index, match.index + (match[1] ?? "").length),
    from: match.index,
    to: closingBracket(source.code, match.index + match[0].length - 1),
  }));
  return [...source.code.matchAll(RUST_TEST)].flatMap((match) => {
    const [, attributes = "", name = ""] = match;
    if (!/#\[\s*(?:[\w:]+::)?(?:\w*test\w*|rstest|case)\b/.test(attributes)) return [];
    const outer = modules.filter(({from, to}) => from < match.index && match.index < to);
    const text = [...outer.map((one) => one.attributes), attributes].join(" ");
    const marks = new Set<TestMark>();
    if (/#\[\s*ignore\b|cfg\(\s*any\(\s*\)\s*\)/.test(text)) marks.add("skip");
    if (/#\[\s*(?:cfg\((?!\s*test\s*\))|cfg_attr\([^\]]*\bignore\b)/.test(text)) marks.add("conditional");
    if (/#\[\s*should_panic\b/.test(text)) marks.add("expected-failure");
    const ownText = source.text.slice(match.index, match.index + attributes.length);
    const markText = [...outer.map((one) => one.text), ownText].join(" ");
    const id = [...outer.map((one) => one.name), name].join(" > ");
    const headCode = attributes;
    return rangeAt({source, match, id, name, marks, markText, headCode});
  });
}

export function findJavaTests(source: MaskedSource): TestRange[] {
  const classes = [...source.code.matchAll(JAVA_CLASS)].map((match) => {
    const open = source.code.indexOf("{", match.index + match[0].length);
    const to = open < 0 ? source.code.length : closingBracket(source.code, open);
    return {
      name: match[2] ?? "",
      annotations: match[1] ?? "",
      text: source.text.slice(match.index, match.index + (match[1] ?? "").length),
      from: match.index,
      to,
      isAbstract: /\babstract\s/.test(match[0]),
    };
  });
  return [...source.code.matchAll(JAVA_ANNOTATED)].flatMap((match) => {
    const [, annotations = "", modifiers = "", plainName, quotedName] = match;
    const name = plainName ?? quotedName ?? "";
    const isOld = /^test[A-Z_0-9]/.test(name) && /public\s+void\s+$/.test(modifiers);
    if (!JAVA_TEST.test(annotations) && !isOld) return [];
    const outer = classes.filter(({from, to}) => from < match.index && match.index < to);
    const text = [...outer.map((one) => one.annotations), annotations].join(" ");
    const marks = new Set<TestMark>();
    // JUnit 5 runs inner classes only with the annotation, and build tools leave nested classes out.
    const inner = outer.slice(1);
    if (inner.some((one) => !/@(?:[\w.]+\.)?Nested\b|@RunWith/.test(one.annotations))) marks.add("skip");
    if (/@(?:[\w.]+\.)?(?:Disabled|Ignore|Ignored)\b|\benabled\s*=\s*false/.test(text)) marks.add("skip");
    if (/@(?:[\w.]+\.)?(?:Disabled|Enabled)(?:On|If|For|Until)\w*/.test(text)) marks.add("conditional");
    // JUnit 5 does not run private methods, and those of an abstract class run in its subclasses only.
    if (!isOld && /\bprivate\s/.test(modifiers)) marks.add("skip");
    if (/@RepeatedTest\(\s*0\b/.test(text)) marks.add("skip");
    if (outer.some((one) => one.isAbstract)) marks.add("conditional");
    if (/@(?:[\w.]+\.)?ExpectedToFail\b/.test(text)) marks.add("expected-failure");
    if (/\bexpected\s*=/.test(text)) marks.add("expected-failure");
    const id = [...outer.map((one) => one.name), name].join(" > ");
    const ownText = source.text.slice(match.index, match.index + annotations.length);
    const markText = [...outer.map((one) => one.text), ownText].join(" ");
    const headCode = annotations;
    return rangeAt({source, match, id, name, marks, markText, headCode});
  });
}

function rangeAt(
  options: Pick<TestRange, "id" | "name" | "marks" | "markText" | "headCode"> & {
    source: MaskedSource;
    match: RegExpExecArray;
  },
): TestRange[] {
  const {code} = options.source;
  const {id, name, marks, markText, headCode = "", match} = options;
  const parameters = code.indexOf("(", match.index + match[0].length - 1);
  const open = code.indexOf("{", closingBracket(code, parameters));
  if (parameters < 0 || open < 0) return [];
  const nameAt = match.index + match[0].lastIndexOf(name);
  const from = nameAt < match.index ? match.index : nameAt;
  return [
    {
      id,
      name,
      from,
      bodyFrom: open + 1,
      bodyTo: closingBracket(code, open),
      marks,
      markText,
      headCode,
      headFrom: Math.min(match.index, from),
    },
  ];
}
