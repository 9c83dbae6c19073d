/** Where a path of a repository lies. */

/** True for `folder` itself and all below it, `.` for the root; both relative to the repository, and tidy. */
export const isBelow = (path: string, folder: string): boolean =>
  folder === "." || path === folder || path.startsWith(`${folder}/`);
