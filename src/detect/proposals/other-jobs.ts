/** Recognizes jobs that publish or tidy, by their names, where a CI file does not show which changes start them. */
import {nameSet} from "../../tools/names.ts";

/** Words that show such a job, whatever the rest of the name is. */
const TIDIES = nameSet(
  "stale labeler label triage backport cla dco greetings welcome assign weekly daily nightly cron",
  "scheduled",
);
/** Words that show such a job unless the name also mentions a check, as "build and publish" does. */
const SELDOM_A_CHECK = nameSet(
  "release releases releasing publish publishing deploy deployment deployments package packages",
  "packaging artifact artifacts upload pypi npm nuget version changelog changelogs tag tags bump sync",
  "update updates upgrade cleanup notify report comment lock zizmor dependabot renovate translation",
  "translations i18n l10n upstream semver commitlint preview dockerfile installer installers homebrew",
  "merge rebase approve backup image images docker container wheel wheels",
);
const CHECK_WORDS = nameSet(
  "test tests testing lint linting linter linters ci check checks build builds compile compiles unit",
  "quality static type types typecheck typing style format validate verify validation",
);

/** Why a workflow or job with these names (its file, its id, its title) is left out; null if it may contain checks. */
export function notACheck(...names: readonly (string | null)[]): string | null {
  for (const name of names) {
    const words = wordsOf(name ?? "");
    const never = words.find((word) => TIDIES.has(word));
    if (never !== undefined) return `its name says \`${never}\``;
    const seldom = words.find((word) => SELDOM_A_CHECK.has(word));
    if (seldom !== undefined && !words.some((word) => CHECK_WORDS.has(word))) return `its name says \`${seldom}\``;
  }
  return null;
}

function wordsOf(name: string): string[] {
  const plainName = name
    .slice(0, 200)
    // An expression contains a matrix value, and "continuous integration" describes the checks themselves.
    .replace(/\$\{\{.*?\}\}/g, " ")
    .replace(
      /\b(python|node(?:\.?js)?|ruby|php|java|go|rust|current|latest|minimum|min|oldest|supported|each|all|this|given)[\s_-]+versions?\b/gi,
      " ",
    )
    .replace(/continuous[\s_-]*(integration|deployment|delivery)/gi, "ci")
    .replace(/pre[\s_-]?commit/gi, "lint");
  return [plainName, plainName.replace(/([a-z])([A-Z])/g, "$1 $2")].flatMap((text) =>
    text.toLowerCase().split(/[^a-z0-9]+/),
  );
}
