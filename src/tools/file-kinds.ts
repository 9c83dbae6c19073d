/** Which files a tool takes, by their names. */

export const SCRIPT = /\.(?:[cm]?[jt]sx?|vue|svelte)$/;
export const LINTED_SCRIPT = /\.(?:[cm]?[jt]sx?|vue|svelte|astro)$/;
export const TEST_SCRIPT = /(?:^|[./_-])tests?[./_-].*\.[cm]?[jt]sx?$|[._-]test\.[cm]?[jt]sx?$/;
export const PYTHON = /\.pyi?$/;
export const RUBY = /(?:\.(?:rb|rake|gemspec)|(?:^|\/)(?:Gemfile|Rakefile))$/;
