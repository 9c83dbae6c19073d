var SETTINGS_FILES=[".yarnrc.yml",".npmrc"];function settingsVariables(text){let names=text.replace(/^\s*[#;].*$/gm,"").matchAll(/\$\{([A-Za-z_]\w*)\}/g);return[...new Set([...names].map(([,name=""])=>name))]}
export{SETTINGS_FILES,settingsVariables};
