var DEFAULT_PHRASE="/assay @assay",DEFAULT_COMMANDS="/verify /continue /approve /undo /update /review /plan /setup /remember /help /status /stop",DEFAULT_LABEL="assay";
export{DEFAULT_PHRASE,DEFAULT_COMMANDS,DEFAULT_LABEL};
