/** Commands of tools about which little more than the kind is known. */
import type {ToolCommand} from "./tool-command.ts";

const words = (...lists: readonly string[]): string[] => lists.flatMap((list) => list.split(" "));

export const otherCommands: readonly ToolCommand[] = [
  {
    programs: ["moon"],
    traits: ["starts package scripts", "never a script"],
    kinds: {check: ["moon ci"]},
    // It compares with a branch that a fresh checkout may lack.
    unsafe: [{match: "moon ci", swap: {ci: "check"}, add: ["--all"]}],
  },
  {programs: words("turbo nx moon wireit"), traits: ["orders tasks"]},
  {
    programs: ["vp"],
    traits: ["node package", "never a script", "subcommands"],
    kinds: {lint: ["vp lint", "vp fmt", "vp check"], test: ["vp test"], build: ["vp build"]},
    starts: {"vp test": ["vitest"], "vp lint": ["oxlint"]},
    unsafe: [
      {match: "vp fmt !--check", add: ["--check"]},
      {match: "vp install|i|add|remove|update|dlx|create", kind: "download"},
    ],
  },
  {
    programs: [
      ...words("tox nox hatch invoke rake poe pdm trunk lefthook prek cucumber mvn cross"),
      ...["cargo hack", "cargo llvm-cov", "cargo tarpaulin", "cargo miri", "cargo careful", "cargo semver-checks"],
    ],
  },
  {
    kinds: {
      build: [
        ...words(
          "tsup tsdown rollup webpack esbuild unbuild obuild bunchee pkgroll microbundle parcel rspack rslib swc",
        ),
        ...["babel", "vite build", "next build", "nuxt build", "astro build", "ng build", "gleam build"],
      ],
    },
  },
  {
    kinds: {
      typecheck: [...words("tsd dtslint tstyche pytype pyre flow srb steep dialyzer attw"), "astro check"],
    },
  },
  {
    kinds: {
      lint: [
        ...words("jshint dprint knip publint markdownlint markdownlint-cli2 cspell ls-lint sherif codespell"),
        ...words(
          "yamllint sqlfluff vulture staticcheck revive ecs rector phpmd ktlint detekt scalafmt scalafix cljfmt",
        ),
        ...words("clj-kondo stylua hadolint tflint actionlint zizmor editorconfig-checker reuse taplo typos nixfmt"),
        ...words("alejandra statix pyspelling govulncheck"),
        ...["pre-commit run", "prek run", "gleam format", "buf lint", "buf format"],
        ...["cargo deny", "cargo machete", "cargo shear", "cargo sort"],
      ],
    },
    starts: {"prek run": ["pre-commit run"]},
    reads: {family: "go", commands: ["staticcheck"]},
    compiles: {family: "go", commands: ["staticcheck"]},
    readOnly: [
      {commands: ["markdownlint", "markdownlint-cli2"], without: ["--fix*", "--init*", "--output-file"]},
      {commands: ["yamllint", "actionlint"]},
      {commands: ["knip"], without: ["--fix*", "--watch*"]},
    ],
    unsafe: [{match: "svgo !--help"}, {match: "codespell -w|--write-changes", drop: ["-w", "--write-changes"]}],
  },
  {
    programs: words("cypress wireit tsx"),
    traits: ["node package", "never a script"],
  },
  {
    programs: words("astro tap c8 nyc ts-node rollup vite webpack next nuxt knip tsd attw publint"),
    traits: ["node package"],
  },
  {
    programs: words("python python3 nose2 pyre coverage bandit pydocstyle pyflakes autopep8 yapf trial stestr poe"),
    traits: ["python package"],
  },
  {
    kinds: {lint: ["hatch fmt", "hatch check"]},
    unsafe: [{match: "hatch fmt !--check", add: ["--check"]}],
  },
  {generates: {calls: /^prisma generate( |$)/, inputs: ["/**/*.prisma"]}},
  {generates: {calls: /^svelte-kit sync$/, inputs: ["svelte.config.*", "src/routes/**", "src/params/**"]}},
  {generates: {calls: /^(nuxi|nuxt) prepare$/, inputs: ["nuxt.config.*", "/**/*.vue", "server/**", "modules/**"]}},
  {generates: {calls: /^astro sync$/, inputs: ["astro.config.*", "src/content/**", "src/content.config.*"]}},
  {programs: words("mill helm ruby"), traits: ["subcommands"]},
  {
    kinds: {
      test: [
        ...words("tap tape uvu qunit lab japa brittle poku nosetests nose2 trial stestr codecept kahlan behat atoum"),
        ...words("ginkgo cucumber prove urchin shellspec bashunit"),
        ...["ng test", "hatch test", "gleam test", "tox *"],
      ],
    },
    reads: {family: "node", commands: ["tap"]},
  },
  // Bundlers and compilers whose `-w` means watch.
  {
    programs: words("rollup babel webpack rspack swc tsup tsdown esbuild sass postcss tailwindcss rsbuild"),
    traits: ["-w watches"],
  },
  {programs: ["tap"], traits: ["may test browsers"]},
  {programs: ["cargo hack check", "cargo hack build"], traits: ["extension"]},
  {programs: ["cabal-docspec"], traits: ["extension"], kinds: {check: ["cabal-docspec"]}},
  {programs: ["pkg-pr-new"], traits: ["node package", "never a script"]},
  {programs: words("npm pnpm bun jsr dart flutter"), traits: ["rehearses releases"]},
];
