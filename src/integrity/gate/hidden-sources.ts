/** Knows which sources of the product a new file hides from the tests, by how the language finds a module or a class. */
import {isCollectedByName, isTestPath} from "../source/kinds.ts";

const JVM = /^(.*?)src\/(?!main\/)\w*[tT]est\w*\/\w+\/((?:.*\/)?)[^/]+\.(?:java|kt|groovy|scala)$/;
const MOCK = /^(.*?)__mocks__\/(.*)$/;

export const mayHideSources = (path: string): boolean =>
  JVM.test(path) || MOCK.test(path) || (path.endsWith(".py") && isTestPath(path) && isModule(path));

const isModule = (path: string): boolean =>
  !isCollectedByName(path) && !/(?:^|\/)(?:__init__|__main__|setup)\.py$/.test(path);

/**
 * Of `all` paths, those that the file at `path` can stand in for. The JVM reads the classes of tests before those of the
 * product; Python the folder of the tests before others; Jest the folder `__mocks__` next to a module.
 */
export function hiddenSources(path: string, all: readonly string[]): string[] {
  const [, root = "", folder = ""] = JVM.exec(path) ?? [];
  if (JVM.test(path)) {
    const sources = /^src\/main\/\w+\/(.*\/)?[^/]+$/;
    return all.filter(
      (one) => one.startsWith(root) && sources.exec(one.slice(root.length))?.[1] === (folder || undefined),
    );
  }
  const [, place = "", name = ""] = MOCK.exec(path) ?? [];
  if (MOCK.test(path)) {
    const stem = `${place}${name.replace(/\.\w+$/, "")}`;
    return all.filter((one) => place !== "" && one.replace(/\.\w+$/, "") === stem && /\.[cm]?[jt]sx?$/.test(one));
  }
  const suffixes = path.split("/").map((_, index, parts) => parts.slice(index).join("/"));
  return all.filter(
    (one) => one !== path && !isTestPath(one) && suffixes.slice(1).includes(one.replace(/^(?:src|lib)\//, "")),
  );
}
