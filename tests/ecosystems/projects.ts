/** The fixture projects of tests/fixtures/ecosystems/: what each needs on the machine, and bugs that its stages must find. */

export interface Bug {
  /** the stage that must fail; no stage without a bug may */
  readonly stage: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

export interface FixtureProject {
  readonly folder: string;
  /** programs without which nothing can be proven */
  readonly programs: readonly string[];
  readonly bugs: readonly [Bug, ...Bug[]];
  /** the runner of the stage `test`, where it writes a report for machines */
  readonly reports?: string;
}

/** The same slip everywhere: a sum that subtracts. */
const subtracts = (file: string, [one, other]: readonly [string, string] = ["one", "other"]): Bug => ({
  stage: "test",
  file,
  from: `${one} + ${other}`,
  to: `${one} - ${other}`,
});

export const FIXTURE_PROJECTS: readonly FixtureProject[] = [
  {folder: "node-npm", reports: "node:test", programs: ["npm"], bugs: [subtracts("src/sum.js")]},
  {folder: "node-pnpm", reports: "node:test", programs: ["pnpm"], bugs: [subtracts("src/sum.js")]},
  {folder: "node-yarn", reports: "node:test", programs: ["yarn"], bugs: [subtracts("src/sum.js")]},
  {folder: "node-bun", reports: "bun", programs: ["bun"], bugs: [subtracts("src/sum.ts")]},
  {
    folder: "deno",
    reports: "deno",
    programs: ["deno"],
    bugs: [subtracts("sum.ts"), {stage: "lint", file: "sum.ts", from: "return", to: "debugger;\n  return"}],
  },
  {
    folder: "python",
    reports: "pytest",
    programs: ["python3"],
    bugs: [
      subtracts("sums.py"),
      {stage: "typecheck", file: "sums.py", from: "-> int", to: "-> str"},
      {stage: "lint", file: "sums.py", from: "def add", to: "import os\n\n\ndef add"},
    ],
  },
  {
    folder: "rust",
    programs: ["cargo", "cargo-clippy", "cargo-fmt"],
    bugs: [subtracts("src/lib.rs"), {stage: "lint:format", file: "src/lib.rs", from: "-> i32 {", to: "-> i32   {"}],
  },
  {
    folder: "go",
    reports: "go test",
    programs: ["go"],
    bugs: [subtracts("sums.go"), {stage: "typecheck", file: "sums.go", from: "return", to: "one = one\n\treturn"}],
  },
  {
    folder: "java-maven",
    reports: "surefire",
    programs: ["mvn", "java"],
    bugs: [subtracts("src/main/java/example/Sums.java")],
  },
  {
    folder: "ruby",
    reports: "rspec",
    programs: ["ruby", "rspec", "rubocop"],
    bugs: [subtracts("lib/sums.rb"), {stage: "lint", file: "lib/sums.rb", from: "(one, other)", to: "(one,  other)"}],
  },
  {folder: "ruby-rake", programs: ["ruby", "rake"], bugs: [subtracts("lib/sums.rb")]},
  {
    folder: "php",
    reports: "phpunit",
    programs: ["php", "phpunit", "phpcs", "composer"],
    bugs: [
      subtracts("src/Sums.php", ["$one", "$other"]),
      {stage: "lint", file: "src/Sums.php", from: "        return", to: "\t\treturn"},
    ],
  },
  {folder: "c-make", programs: ["make", "gcc"], bugs: [subtracts("sum.c")]},
  {folder: "c-cmake", reports: "ctest", programs: ["cmake", "ctest", "make", "gcc"], bugs: [subtracts("sum.c")]},
  {folder: "c-meson", programs: ["meson", "ninja", "gcc"], bugs: [subtracts("sum.c")]},
  {
    folder: "just",
    programs: ["just", "bash"],
    bugs: [subtracts("sum.sh", ["$1", "$2"]), {stage: "lint", file: "sum.sh", from: "echo", to: "# \necho"}],
  },
  {
    folder: "shell",
    programs: ["shellcheck", "bats"],
    bugs: [subtracts("sum.sh", ["$1", "$2"]), {stage: "lint", file: "sum.sh", from: "echo", to: "unused=1\necho"}],
  },
  {folder: "elixir", programs: ["mix"], bugs: [subtracts("lib/sums.ex")]},
  {
    folder: "lua",
    programs: ["busted", "luacheck"],
    bugs: [
      subtracts("sums.lua"),
      {stage: "lint", file: "sums.lua", from: "return one", to: "local unused\n  return one"},
    ],
  },
  {folder: "perl", programs: ["prove"], bugs: [subtracts("lib/Sums.pm")]},
  {
    folder: "zig",
    programs: ["zig"],
    bugs: [
      subtracts("src/sums.zig"),
      {stage: "lint:format", file: "src/sums.zig", from: "    return one", to: "  return one"},
    ],
  },
  {
    folder: "terraform",
    programs: ["terraform"],
    bugs: [{stage: "typecheck", file: "main.tf", from: "var.name", to: "var.nobody"}],
  },
];

/** Folders of projects whose bugs take minutes, as the base is installed once more to be compared with. */
export const SLOW_TO_COMPARE: readonly string[] = ["python", "java-maven"];
/** Folders of projects that are verified without a bug in each run of the tests. */
export const ALWAYS_WITHOUT_BUG: readonly string[] = [...SLOW_TO_COMPARE, "node-npm", "ruby-rake", "shell", "lua"];
