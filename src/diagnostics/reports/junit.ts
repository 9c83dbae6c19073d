/** Reads JUnit XML as test runners write it, from an untrusted stream. */
import sax from "sax";
import type {JunitFormat, TestCase} from "../../tools/tool.ts";
import {firstInformativeLine, type Tally} from "./tally.ts";

/** No test runner nests deeper or writes more attributes on one element. The parser keeps both in memory. */
const MAX_DEPTH = 64;
const MAX_ATTRIBUTES = 64;
const MAX_TEXT = 4_000;

/**
 * Takes the parts of one file, at most 64 kB each, and adds each test to the tally. Returns false if the file is not a
 * complete, well-formed document; then the tally is not usable. The document's own entities are never expanded, because
 * the parser knows only the five of XML. Linear in the bytes; never throws.
 */
export async function readJunit(options: {
  parts: AsyncIterable<string>;
  form: JunitFormat;
  tally: Tally;
}): Promise<boolean> {
  const parser = sax.parser(true);
  let isBad = false;
  let isReport = false;
  let depth = 0;
  let attributes = 0;
  let currentCase: (OpenCase & {depth: number}) | null = null;
  let isInFailure = false;
  parser.onerror = () => {
    isBad = true;
  };
  parser.onattribute = () => {
    isBad ||= ++attributes > MAX_ATTRIBUTES;
  };
  parser.onopentag = (tag) => {
    attributes = 0;
    isBad ||= ++depth > MAX_DEPTH;
    if (depth === 1) isReport = ["testsuite", "testsuites"].includes(tag.name);
    if (tag.name === "testcase" && currentCase === null) {
      const testCase = {name: text(tag, "name"), classname: text(tag, "classname"), file: text(tag, "file")};
      currentCase = {testCase, seconds: text(tag, "time"), failure: null, isSkipped: false, isRetried: false, depth};
    } else if (currentCase !== null && depth === currentCase.depth + 1) {
      if (tag.name === "skipped") currentCase.isSkipped = true;
      // surefire ("Rerun failing tests"), nextest ("JUnit support") and Gradle's retry plugin write it into a pass.
      if (["flakyFailure", "flakyError"].includes(tag.name)) currentCase.isRetried = true;
      if ((tag.name !== "failure" && tag.name !== "error") || options.form.nonFailingTypes?.test(text(tag, "type")))
        return;
      currentCase.failure ??= {message: text(tag, "message"), text: ""};
      isInFailure = true;
    }
  };
  const addText = (more: string): void => {
    const failure = isInFailure ? currentCase?.failure : null;
    if (failure && failure.text.length < MAX_TEXT) failure.text += more.slice(0, MAX_TEXT);
  };
  parser.ontext = addText;
  parser.oncdata = addText;
  parser.onclosetag = () => {
    if (currentCase !== null && depth === currentCase.depth) {
      options.tally.add(outcomeOfTest(currentCase, options.form));
      currentCase = null;
    }
    if (currentCase === null || depth === currentCase.depth + 1) isInFailure = false;
    depth--;
  };
  try {
    for await (const part of options.parts) {
      parser.write(part);
      if (isBad) return false;
    }
    parser.close();
  } catch {
    return false; // an attribute with the name of a method breaks the parser
  }
  return isReport && !isBad;
}

interface JunitFailure {
  readonly message: string;
  text: string;
}

interface OpenCase {
  readonly testCase: TestCase;
  readonly seconds: string;
  failure: JunitFailure | null;
  isSkipped: boolean;
  isRetried: boolean;
}

/** node:test writes a failure into a test that is marked as `todo`; a skipped test has not failed. */
function outcomeOfTest(at: OpenCase, form: JunitFormat): Parameters<Tally["add"]>[0] {
  const {failure, testCase} = at;
  const outcome = at.isSkipped ? "skipped" : failure === null ? "passed" : "failed";
  const identity = form.identify(testCase);
  const textOf = ({message, text}: JunitFailure): string[] =>
    [message, text].map((one) => (form.noise === undefined ? one : one.replace(form.noise, "")));
  const [message = "", text = ""] = failure === null ? [] : textOf(failure);
  return {
    outcome,
    ...{isRetried: at.isRetried, durationMs: 1000 * Number.parseFloat(at.seconds)},
    test: {...identity, message: firstInformativeLine(message) || firstInformativeLine(text, identity.title)},
  };
}

function text(tag: sax.Tag | sax.QualifiedTag, name: string): string {
  const value = tag.attributes[name];
  return typeof value === "string" ? value : "";
}
