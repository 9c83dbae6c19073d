/** Maven and Gradle. */
import {describe, expect, test} from "vitest";
import {stagesOf} from "./planned.ts";
import {planOf} from "./tree.ts";

const pom = (inner = ""): string => `<project><artifactId>a</artifactId>${inner}</project>`;

describe("Maven", () => {
  test("by the wrapper where there is one", () => {
    expect(stagesOf({"pom.xml": pom(), mvnw: ""})).toEqual([
      "test: ./mvnw -B -ntp test",
      "build: ./mvnw -B -ntp -DskipTests package",
    ]);
    expect(stagesOf({"pom.xml": pom(), ".mvn/maven.config": ""})[0]).toBe("test: mvn -B -ntp test");
  });

  test("the checks of a default goal that no stage runs are named", () => {
    const goals = "clean verify apache-rat:check spotless:check";
    const spotless = "<build><plugin><artifactId>spotless-maven-plugin</artifactId></plugin></build>";
    const notRun = (inner: string) => planOf({"pom.xml": pom(inner)}).notRun.map(({about, why}) => `${about}: ${why}`);
    expect(notRun(`<defaultGoal>${goals}</defaultGoal>${spotless}`)).toEqual([
      "pom.xml defaultGoal: `mvn` without a goal also runs `apache-rat:check`, and no stage does",
    ]);
    expect(notRun(`<defaultGoal>spotless:check</defaultGoal>${spotless}`)).toEqual([]);
    expect(notRun("<defaultGoal>clean verify</defaultGoal>")).toEqual([]);
  });

  test("modules, and theirs, are part of the one build; another pom is another project", () => {
    const plan = planOf({
      "pom.xml": pom("<modules><module>a</module><!-- <module>c</module> --></modules>"),
      "a/pom.xml": pom("<modules><module>../b</module></modules>"),
      "b/pom.xml": pom(),
      "c/pom.xml": pom(),
    });
    expect(plan.stages.filter((stage) => stage.kind === "test").map((stage) => stage.cwd)).toEqual([".", "c"]);
  });

  test("a formatter of the build itself, not one of a profile or of a list of versions", () => {
    const plugin = "<plugin><artifactId>spotless-maven-plugin</artifactId></plugin>";
    expect(stagesOf({"pom.xml": pom(`<build>${plugin}</build>`)})[0]).toBe("lint: mvn -B -ntp spotless:check");
    for (const outer of ["profiles", "pluginManagement"])
      expect(stagesOf({"pom.xml": pom(`<${outer}>${plugin}</${outer}>`)})[0]).toBe("test: mvn -B -ntp test");
  });
});

describe("Gradle", () => {
  test("by the wrapper, with the checks of its plugins, sub-projects included", () => {
    const plan = planOf({
      "settings.gradle.kts": "",
      "build.gradle.kts": "// spotless {\n",
      gradlew: "",
      "app/build.gradle.kts": 'plugins { id("io.gitlab.arturbosch.detekt") }\n',
    });
    expect(plan.stages.map((stage) => `${stage.cwd} ${stage.command}`)).toEqual([
      ". ./gradlew detekt",
      ". ./gradlew test",
      ". ./gradlew assemble",
    ]);
    expect(plan.stages[0]?.origin.file).toBe("app/build.gradle.kts");
  });

  test("a multiplatform project has no task `test`", () => {
    expect(stagesOf({"build.gradle.kts": 'plugins { kotlin("multiplatform") }'})[0]).toBe("test: gradle jvmTest");
  });

  test("beside Maven only one of the two runs: Maven, unless the workflows use Gradle alone", () => {
    const both = {"pom.xml": pom(), mvnw: "", "build.gradle": "", gradlew: ""};
    expect(stagesOf(both)[0]).toBe("test: ./mvnw -B -ntp test");
    expect(stagesOf({...both, ".github/workflows/a.yml": "run: ./gradlew build"})).toEqual([
      "test: ./gradlew test",
      "build: ./gradlew assemble",
    ]);
  });
});

test("a build that another one includes is part of it, though it has a wrapper of its own", () => {
  const tree = {
    "settings.gradle.kts": 'pluginManagement { includeBuild("plugin") }\n',
    "build.gradle.kts": "",
    gradlew: "",
    ...Object.fromEntries(
      ["plugin", "other"].flatMap((name) => [
        [`${name}/settings.gradle.kts`, ""],
        [`${name}/gradlew`, ""],
      ]),
    ),
  };
  expect(stagesOf(tree).filter((stage) => stage.includes("test"))).toEqual([
    "test: ./gradlew test",
    "other:test: ./gradlew test",
  ]);
});
