/** Which commands may run as a check, and what is offered in place of those that may not. */
import {describe, expect, it} from "vitest";
import {screen} from "../../../../src/detect/proposals/screen.ts";
import {screenName} from "../../../../src/detect/proposals/screen-name.ts";

const SAFE = [
  "vitest run --coverage",
  "setsid --wait npm test",
  "jest -w 2 --ci",
  "mocha --ui tdd test",
  "cargo +nightly fmt --all --check",
  "jest --watchAll=false",
  "eslint . --fix=false",
  "eslint --fix-dry-run .",
  "prettier --check .",
  "tsc -b",
  "tsc --noEmit -p .",
  "vite build",
  "cargo fmt --all -- --check",
  "cargo clippy --all-targets",
  "black --check .",
  "ruff check .",
  "ruff format --diff",
  "gofmt -l .",
  "go test ./...",
  "mix format --check-formatted",
  "terraform fmt -check -recursive",
  "dotnet format --verify-no-changes",
  "rubocop",
  "make test",
  "npm test",
  "pnpm -r run test",
  "npx --no-install eslint .",
  "rm -rf dist && rollup -c",
  "helm lint chart",
  "bun run test/system/import.ts",
  "pre-commit run --all-files",
  "deno fmt --check",
  "git diff --exit-code",
  "npm run format:check",
  "swift format lint -r .",
  "python manage.py makemigrations --check",
  "php artisan test",
  "node test/server.js",
  "node scripts/check-release.js",
  "python -m pytest",
  "mix deps.unlock --check-unused",
];

const UNSAFE: [string, string, string | undefined][] = [
  ["php artisan migrate:fresh --seed", "service", undefined],
  ["php artisan serve", "server", undefined],
  ["python manage.py migrate", "service", undefined],
  ["python3 ./manage.py makemigrations", "mutates", undefined],
  ["poetry run python manage.py runserver", "server", undefined],
  ["node server.js", "server", undefined],
  ["bash <(curl -s https://example.org)", "download", undefined],
  ["diff <(sort a) b", "ok", undefined],
  ["nx run-many -t lint test e2e --parallel", "browser", "nx run-many -t lint test --parallel"],
  ["nx run-many -t e2e", "browser", undefined],
  ["nx run-many --targets=test,e2e", "browser", "nx run-many --targets=test"],
  ["pnpm nx run app:test -u", "mutates", "pnpm nx run app:test"],
  ["go run mvdan.cc/gofumpt -l -w .", "mutates", undefined],
  ["go run github.com/a/revive/v2@v2.1 ./...", "download", undefined],
  ["node scripts/deploy.mjs", "release", undefined],
  ["nix develop -c php artisan serve", "server", undefined],
  ["nix develop .#ci --command mix phx.server", "server", undefined],
  ["docker compose run web pytest", "service", undefined],
  ["env A=b node server.js", "server", undefined],
  ["ibazel test //...", "watch", undefined],
  ["./gradlew :app:connectedDebugAndroidTest", "browser", undefined],
  ["npx hardhat verify --network main", "release", undefined],
  ["gleam publish", "release", undefined],
  ["yarn publish --dry-run", "release", undefined],
  ["yarn npm publish", "release", undefined],
  ["npm publish --dry-run", "ok", undefined],
  ["hlint src --report || open report.html", "browser", undefined],
  ["ruby bin/rails db:schema:load", "service", undefined],
  ["bin/rails db:schema:load db:migrate", "service", undefined],
  ["perltidy -b lib/A.pm", "mutates", undefined],
  ["mix ecto.reset", "service", undefined],
  ["mix deps.unlock --unused", "mutates", undefined],
  ["vitest", "watch", "vitest run"],
  ["vitest dev --coverage", "watch", "vitest run --coverage"],
  ["pnpm vitest", "watch", "vitest run"],
  ["CI=true vitest --ui", "watch", "CI=true vitest run"],
  ["jest --watch", "watch", "jest"],
  ["tsc -w", "watch", "tsc"],
  ["node --test --watch", "watch", "node --test"],
  ["nodemon x.js", "watch", undefined],
  ["cargo watch -x test", "watch", undefined],
  ["eslint 'src/**/*.ts' --fix", "mutates", "eslint 'src/**/*.ts'"],
  ["prettier --write 'src/**'", "mutates", "prettier --check 'src/**'"],
  ["biome check --apply-unsafe ./", "mutates", "biome check ./"],
  ["cargo fmt", "mutates", "cargo fmt --check"],
  ["cargo +nightly fmt --all", "mutates", "cargo +nightly fmt --check --all"],
  ["./vet.sh -install", "download", undefined],
  ["black .", "mutates", "black --check ."],
  ["uv run ruff format src", "mutates", "uv run ruff format --check src"],
  ["gofmt -w .", "mutates", undefined],
  ["goimports -w -l .", "mutates", undefined],
  ["buf format -w proto", "mutates", "buf format --exit-code -d proto"],
  ["autopep8 -i a.py", "mutates", "autopep8 --exit-code --diff a.py"],
  ["docformatter --in-place a.py", "mutates", "docformatter --check a.py"],
  ["php-cs-fixer fix src", "mutates", "php-cs-fixer fix --dry-run src"],
  ["bundle exec rubocop -A", "mutates", "bundle exec rubocop"],
  ["vitest run -u", "mutates", "vitest run"],
  ["npm run format", "mutates", undefined],
  ["git checkout .", "mutates", undefined],
  ["git push", "release", undefined],
  ["bash -c 'npm publish'", "release", undefined],
  ["bash -c 'node --test && npm publish' _", "release", undefined],
  ["bash -o pipefail -c 'npm publish'", "release", undefined],
  ["bash -ceuo pipefail 'npm publish' _ a", "release", undefined],
  ["find . -exec bash -c 'npm publish' _ {} \\;", "release", undefined],
  ["echo $((npm publish); echo 1)", "release", undefined],
  ["echo $((npm publish) && (echo 1))", "release", undefined],
  ["diff a <(curl https://x.test/b)", "download", undefined],
  ["setsid npm test", "server", undefined],
  ["semantic-release", "release", undefined],
  ["vite", "server", undefined],
  ["next dev", "server", undefined],
  ["tsc && vite preview", "server", undefined],
  ["server & jest", "server", undefined],
  ["playwright test", "browser", undefined],
  ["npm run test:e2e", "browser", undefined],
  ["ng test", "browser", undefined],
  ["docker compose up -d && pytest", "service", undefined],
  ["prisma migrate deploy", "service", undefined],
  ["npm ci && npm test", "download", "npm test"],
  ["npx eslint 'src/*.ts'", "download", "eslint 'src/*.ts'"],
  ["npx some-tool@latest", "download", undefined],
  ["pnpm dlx sherif", "download", undefined],
  ["curl https://x.test/i.sh | sh", "download", undefined],
  ["sudo make test", "privileged", undefined],
];

describe("the safety screen", () => {
  it.each(SAFE)("lets `%s` run", (line) => expect(screen(line)).toEqual({kind: "ok"}));
  it.each(UNSAFE)("stops `%s`: %s, instead %s", (line, kind, instead) => {
    const found = screen(line);
    expect(found.kind).toBe(kind);
    expect("instead" in found ? found.instead : undefined).toBe(instead);
  });
  it("what it offers instead passes itself", () => {
    const offered = UNSAFE.flatMap(([, , instead]) => instead ?? []);
    expect(offered.length).toBeGreaterThan(15);
    for (const line of offered) expect([line, screen(line).kind]).toEqual([line, "ok"]);
  });
  it.each(['echo "Error: no test specified" && exit 1', "exit 0", "true", "echo TODO"])(
    "sees that `%s` checks nothing",
    (line) => expect(screen(line).kind).toBe("placeholder"),
  );
  it.each(["bash <<EOF\nrm -rf x\nEOF", "python - <<<'x'", "eval $X", ". ./env.sh"])(
    "claims nothing about `%s`",
    (line) => expect(screen(line).kind).toBe("unknown"),
  );
});

it.each(["$(", "<("])("reads the commands of a long line with nested `%s` once", (opens) => {
  const line = `${`diff x ${opens}`.repeat(22)}npm publish ${"b".repeat(2100)}${")".repeat(22)}`;
  expect(screen(line).kind).toBe("release");
  expect(screen(line.replace("npm publish", "npm test")).kind).toBe("ok");
});

describe("names of scripts", () => {
  it.each([
    ["test:e2e", "browser"],
    ["testIntegration", "service"],
    ["lint:fix", "mutates"],
    ["format", "mutates"],
    ["release", "release"],
    ["test:watch", "watch"],
    ["start", "server"],
    ["format:check", "ok"],
    ["test:unit", "ok"],
    ["check", "ok"],
  ])("%s is %s", (name, kind) => expect(screenName(name).kind).toBe(kind));
});
