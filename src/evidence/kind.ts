/** Says whose business a failure is: the code's, the environment's, the clock's, or nobody's because nothing was checked. */
import type {TestCounts} from "../record.ts";
import type {FailureKind} from "../words.ts";
import type {Line} from "./lines.ts";

export function kindOf(o: {lines: readonly Line[]; tests: TestCounts | null}): FailureKind {
  const text = o.lines.map((line) => line.body).join("\n");
  if (/Error: no test specified|No tests? (?:found|files found)|no tests ran|collected 0 items$/m.test(text))
    return "no-check";
  return "code";
}
