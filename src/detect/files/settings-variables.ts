/** Finds the variables that the settings of package managers read and need. */

export const SETTINGS_FILES = [".yarnrc.yml", ".npmrc"] as const;

/** Without a default: Yarn fails if one is not set (yarnpkg.com/configuration/yarnrc), npm and pnpm keep the text. */
export function settingsVariables(text: string): string[] {
  const names = text.replace(/^\s*[#;].*$/gm, "").matchAll(/\$\{([A-Za-z_]\w*)\}/g);
  return [...new Set([...names].map(([, name = ""]) => name))];
}
