/** The header of pytest-cov's table looks like the title of a failed test. */
import {expect, it} from "vitest";
import {distill} from "../../../src/diagnostics/distill.ts";

it("is no failed test, and hides no cause outside of the code", () => {
  const log = [
    "py310: failed with could not find python interpreter matching any of the specs py310",
    "============================= test session starts ==============================",
    "tests/test_a.py ...                                                      [100%]",
    "_______________ coverage: platform linux, python 3.11.7-final-0 ________________",
    "TOTAL         3      0   100%",
    "============================== 3 passed in 0.02s ===============================",
    "  evaluation failed :( (89.75 seconds)",
  ].join("\n");
  const {items, kind} = distill({log, maxChars: 6000});
  expect({items, kind}).toEqual({items: [], kind: "environment"});
});
