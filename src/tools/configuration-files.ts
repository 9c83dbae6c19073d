/** Lists the files that configure checks, by the names that the tools read. Data only. */

export interface ConfigurationFile {
  /** names of files, with spaces between them; `*` stands for any characters */
  readonly names: string;
  /** the first keys of its settings, if the file has others too; `*` stands for the rest of a key */
  readonly sections?: string;
  /** the key above these */
  readonly under?: string;
  /** only what a row of `directions.ts` knows is a setting: most other keys are about the product */
  readonly isMostlyOther?: true;
  /** every program that starts here reads it, so that a new one decides as much as a changed one */
  readonly decidesIfNew?: true;
}

const PYTHON = `
  pytest coverage* mypy* ruff pylint flake8 pycodestyle pydocstyle pyright basedpyright pyrefly ty tox testenv*
  bandit vulture interrogate codespell run report isort black importlinter* mutmut hypothesis
`;

const CONFIGURATION_FILES: readonly ConfigurationFile[] = [
  // JavaScript and TypeScript. A build has other files than the check of types.
  {
    names:
      "tsconfig.build*.json tsconfig.prod*.json tsconfig.release.json tsconfig.dist.json tsconfig.lib.json tsconfig.esm.json tsconfig.cjs.json",
    sections: "compilerOptions",
  },
  {
    names:
      "tsconfig*.json jsconfig*.json .eslintrc* eslint.config.* .oxlintrc.json biome.json biome.jsonc deno.json deno.jsonc",
  },
  {
    names: "vitest*.ts vitest*.js vitest*.mts vitest*.mjs jest*.js jest*.ts jest*.cjs jest*.mjs jest*.json .mocharc*",
  },
  {names: "ava.config.* karma.conf.* playwright.config.* cypress.config.* cypress.json .taprc bunfig.toml"},
  {names: "vite.config.*", sections: "test resolve"},
  {names: ".nycrc* .c8rc* .size-limit.json .size-limit.js"},
  {names: "package.json", sections: "jest vitest mocha ava nyc c8 tap eslintConfig eslintIgnore xo size-limit"},
  {names: ".npmrc", isMostlyOther: true, decidesIfNew: true},
  // Python
  {names: "pyproject.toml", sections: PYTHON, under: "tool"},
  {names: "setup.cfg tox.ini", sections: PYTHON},
  {
    names:
      "tox.toml pytest.ini .pytest.ini pytest.toml mypy.ini .mypy.ini ruff.toml .ruff.toml .flake8 .coveragerc .pylintrc",
  },
  {names: "pyrightconfig.json pyrefly.toml ty.toml"},
  // Rust
  {names: "Cargo.toml", sections: "lib test bin lints workspace package", isMostlyOther: true},
  {names: "clippy.toml .clippy.toml deny.toml nextest.toml"},
  {names: ".cargo/config.toml .cargo/config", decidesIfNew: true},
  // Java, C#
  {names: "pom.xml *.csproj *.fsproj *.props *.targets", isMostlyOther: true},
  {names: "*checkstyle*.xml *pmd*.xml *spotbugs*.xml detekt*.yml detekt*.yaml *.runsettings"},
  // other languages
  {
    names: ".golangci.yml .golangci.yaml .golangci.toml .golangci.json .clang-tidy .rubocop*.yml .swiftlint.yml",
  },
  {names: "phpunit*.xml phpunit*.xml.dist psalm*.xml analysis_options.yaml dart_test.yaml .shellcheckrc"},
  {names: ".editorconfig", isMostlyOther: true},
  // any language
  {names: "codecov.yml .codecov.yml codecov.yaml .testcoverage.yml .pre-commit-config.yaml"},
  {names: "verify.json", decidesIfNew: true},
];

const ROWS = CONFIGURATION_FILES.flatMap((file) =>
  patternsOf(file.names).map((parts) => ({file, parts, depth: parts.join("").split("/").length})),
);

/** Null for a file that configures no check. */
export function configurationOf(path: string): ConfigurationFile | null {
  const segments = path.split("/");
  return ROWS.find(({parts, depth}) => fits(segments.slice(-depth).join("/"), parts))?.file ?? null;
}

export const isConfiguration = (path: string): boolean => configurationOf(path) !== null;

/** Whether a key path is in one of the sections with settings. */
export function isSetting({sections, under}: ConfigurationFile, key: string): boolean {
  const [first = "", second = ""] = key.split(" ");
  if (sections === undefined) return true;
  return (
    (under === undefined || under === first) &&
    patternsOf(sections).some((parts) => fits(under === undefined ? first : second, parts))
  );
}

/** Each name as the texts around its `*`. */
function patternsOf(names: string): string[][] {
  return names
    .trim()
    .split(/\s+/)
    .map((name) => name.split("*"));
}

function fits(name: string, parts: readonly string[]): boolean {
  const [first = "", ...rest] = parts;
  const last = rest.pop();
  if (last === undefined) return name === first;
  if (!name.startsWith(first) || !name.endsWith(last) || name.length < first.length + last.length) return false;
  const middle = name.slice(first.length, name.length - last.length);
  return rest.every((part) => middle.includes(part));
}
