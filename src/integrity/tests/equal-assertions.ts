/** Recognizes two forms of one assertion: in typed languages, `Equal(true, x)` accepts the same values as `True(x)`. */
import type {Assertion} from "./test-case.ts";

/** Texts have no blanks. Each form is replaced by the one that all are compared in. */
const FORMS: readonly (readonly [RegExp, string])[] = [
  // testify: `NoError(t, err)` is `Nil(t, err)` for an error.
  [/^(assert|require)\.NoError\(/, "$1.Nil("],
  [/^(assert|require)\.Error\(/, "$1.NotNil("],
  [/^(assert|require)\.Equal\((\w+,)?true,([^,]+)\)/, "$1.True($2$3)"],
  [/^(assert|require)\.Equal\((\w+,)?false,([^,]+)\)/, "$1.False($2$3)"],
  [/^(assert|require)\.Equal\((\w+,)?nil,([^,]+)\)/, "$1.Nil($2$3)"],
  // JUnit and kotlin.test; in Python the same name begins with `self.`, and accepts other values too.
  [/^(Assertions?\.)?assert(?:Equals|Same)\((?:true,([^,]+)|([^,]+),true)\)/, "$1assertTrue($2$3)"],
  [/^(Assertions?\.)?assert(?:Equals|Same)\((?:false,([^,]+)|([^,]+),false)\)/, "$1assertFalse($2$3)"],
  [/^(Assertions?\.)?assertTrue\(!([\w.]+(?:\(.*\))?)\)/, "$1assertFalse($2)"],
  // Rust
  [/^assert_eq!\((?:true,([^,]+)|([^,]+),true)\)/, "assert!($1$2)"],
  [/^assert_eq!\((?:false,([^,]+)|([^,]+),false)\)/, "assert!(!$1$2)"],
];

const commonForm = (text: string): string =>
  FORMS.reduce((result, [form, replacement]) => result.replace(form, replacement), text).replace(/;$/, "");

/** What compares, without the values: the operators of a condition, or the called functions with those in their arguments. */
export function functionOf(assertion: Assertion): string {
  const text = commonForm(assertion.text).replace(/(["'`])(?:\\.|(?!\1).)*\1/g, "");
  let code = text;
  for (let inner = ""; inner !== code; ) [inner, code] = [code, code.replace(/[([{][^()[\]{}]*[)\]}]/g, "#")];
  const operators = code.match(/[=!]==?|[<>]=?/g);
  const calls = [...(code.match(/[\w$.!]+(?=#)/g) ?? []), ...(text.match(/[=!]==?/g) ?? [])];
  return [...new Set(operators ?? calls)].join();
}

/** The assertions accept the same values. */
export const isEqualAssertion = (one: Assertion, other: Assertion): boolean =>
  commonForm(one.text) === commonForm(other.text);
