/** Which changed paths are blocked, flagged or set aside, and which files the agent gets from the base. */
import {describe, expect, test} from "vitest";
import {judgePaths, levelsOf, steersAgents} from "../../../src/publish/protected-paths.ts";
import {STEERING_FILES} from "../../../src/publish/steering-files.ts";

describe("levels of paths", () => {
  test.each([
    [".github/workflows/ci.yml", "set-aside"],
    [".GitHub/Workflows/ci.yml", "set-aside"],
    [".github/actions/setup/action.yml", "set-aside"],
    ["packages/a/.github/workflows/ci.yml", "free"],
    ["CODEOWNERS", "blocked"],
    ["docs/CODEOWNERS", "blocked"],
    ["verify.json", "blocked"],
    [".github/verify.json", "blocked"],
    ["packages/a/verify.json", "free"],
    ["src/.gitattributes", "blocked"],
    [".gitmodules", "blocked"],
    [".husky/pre-commit", "blocked"],
    ["web/.husky/_/husky.sh", "blocked"],
    ["AGENTS.md", "blocked"],
    ["packages/a/agents.md", "blocked"],
    [".claude/settings.json", "blocked"],
    ["web/.pi/extensions/x.ts", "blocked"],
    [".mcp.json", "blocked"],
    [".claude", "blocked"],
    [".github/hooks/assay.json", "blocked"],
    [".github/copilot/settings.json", "blocked"],
    [".copilot/mcp-config.json", "blocked"],
    [".clinerules", "blocked"],
    [".clinerules/01-style.md", "blocked"],
    [".vscode/mcp.json", "blocked"],
    ["src/.github/hooks/x.json", "free"],
    ["src/hooks/useCart.ts", "free"],
    [".env", "blocked"],
    ["web/.env.local", "blocked"],
    [".env.example", "free"],
    [".envrc", "blocked"],
    ["AGENTS.override.md", "blocked"],
    ["packages/a/AGENTS.override.md", "blocked"],
    [".junie/guidelines.md", "blocked"],
    [".amazonq/rules/a.md", "blocked"],
    [".continue/rules/a.md", "blocked"],
    [".github/chatmodes/a.chatmode.md", "blocked"],
    ["AGENT.md", "blocked"],
    ["QWEN.md", "blocked"],
    ["CRUSH.md", "blocked"],
    [".goosehints", "blocked"],
    [".github/settings.yml", "blocked"],
    [".mergify.yml", "blocked"],
    ["pkg/OWNERS", "blocked"],
    [".lfsconfig", "blocked"],
    ["mise.toml", "blocked"],
    ["web/.mise.local.toml", "blocked"],
    [".config/mise/conf.d/a.toml", "blocked"],
    [".idea/runConfigurations/a.xml", "blocked"],
    [".tool-versions", "flagged"],
    ["docs/context.md", "flagged"],
    [".idea/codeStyles/a.xml", "free"],
    ["web/.husky", "blocked"],
    [".github/workflows", "set-aside"],
    ["package.json", "flagged"],
    ["web/pnpm-lock.yaml", "flagged"],
    ["Cargo.toml", "flagged"],
    [".vscode/tasks.json", "flagged"],
    ["src/index.ts", "free"],
    ["docs/agents.html", "free"],
    ["src/claude/client.ts", "free"],
    ["action.yml", "flagged"],
  ])("%s is %s", (path, level) => {
    expect(levelsOf([])(path)).toBe(level);
  });

  test.each([".github/hooks/x.json", ".env", "web/.env", ".gemini/.env", ".clinerules/x.md", ".vscode/mcp.json"])(
    "%s of a pull request steers no agent",
    (path) => expect(steersAgents(path)).toBe(true),
  );

  test("each row of the table has a source, and its files are protected and restored from the base", () => {
    for (const {files, source, level} of STEERING_FILES) {
      expect(source).toMatch(/^https:\/\/[\w.-]+\.[a-z]+(?:\/[\w./-]*)?$/);
      for (const file of files) {
        const path = file.replace(/^\//, "").replace(/\/$/, "/x").replace("!(example)", "local").replace("*", "x");
        expect([path, steersAgents(path)]).toEqual([path, true]);
        // `.vscode` and the like are flagged as a whole
        expect([path, levelsOf([])(path)]).toEqual([path, level]);
      }
    }
  });

  test("the owner's globs add and allow, and the last one counts", () => {
    const levelOf = levelsOf(["migrations/**", "!AGENTS.md", "!.github/workflows/**", ".github/workflows/release.yml"]);
    expect(levelOf("migrations/1.sql")).toBe("blocked");
    expect(levelOf("src/migrations/1.sql")).toBe("free");
    expect(levelOf("AGENTS.md")).toBe("free");
    expect(levelOf(".github/workflows/ci.yml")).toBe("free");
    expect(levelOf(".github/workflows/release.yml")).toBe("set-aside");
    expect(levelsOf(["!package.json"])("package.json")).toBe("free");
    expect(levelsOf(["*.sql", "!**/*.sql"])("a/b.sql")).toBe("free");
    for (const folder of ["migrations", "migrations/", "/migrations", "Migrations"])
      expect(levelsOf([folder])("migrations/2024/1.sql")).toBe("blocked");
    expect(levelsOf(["/migrations"])("db/migrations/1.sql")).toBe("free");
    // A submodule, or a link in the folder's place, is one path.
    for (const folder of ["libs/core/**", "libs/core/", "**/core/**", "core/"])
      expect([folder, levelsOf([folder])("libs/core")]).toEqual([folder, "blocked"]);
    expect(levelsOf(["core/**"])("libs/core")).toBe("free");
    expect(levelsOf(["!.env/"])(".env")).toBe("blocked");
    expect(levelsOf(["!.claude"])(".claude/settings.json")).toBe("blocked");
    // gitignore(5) takes the contents of a folder that a wildcard matches, and allows no part of it afterwards
    for (const glob of ["migrations*", "/db/*", "{db,migrations-2}/"])
      expect([glob, ["migrations-2/1.sql", "db/a/1.sql"].some((path) => levelsOf([glob])(path) === "blocked")]).toEqual(
        [glob, true],
      );
    expect(levelsOf(["infra/**", "!infra/docs/**"])("infra/docs/a.md")).toBe("free");
    expect(levelsOf(["#notes.md"])("#notes.md")).toBe("blocked");
  });

  test("a rename counts under both names, and what should have been set aside is blocked", () => {
    const changes = [
      {path: "src/rules.md", status: "renamed", from: "AGENTS.md"},
      {path: ".github/workflows/ci.yml", status: "deleted"},
      {path: "package.json", status: "modified"},
    ] as const;
    expect(judgePaths(changes, [])).toEqual({
      blocked: ["AGENTS.md", ".github/workflows/ci.yml"],
      flagged: ["package.json"],
    });
  });
});
