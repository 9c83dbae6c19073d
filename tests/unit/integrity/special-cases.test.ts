/** Special cases are searched in lines as long and as odd as real repositories have them. */
import {spawnSync} from "node:child_process";
import {expect, it} from "vitest";

it("splits a line of escapes that never closes its quote (charmbracelet/glow)", () => {
  const module = new URL("../../../src/integrity/special-cases/literal-cases.ts", import.meta.url).href;
  // In a process, because backtracking without end would not let the test's own limit end it.
  const script = `import {statementsOf} from ${JSON.stringify(module)};
    console.log(statementsOf({number: 1, text: "x = \\"" + "\\\\".repeat(80)}).length);`;
  const {stdout} = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    timeout: 20_000,
    encoding: "utf8",
  });
  expect(stdout.trim()).toBe("1");
});
