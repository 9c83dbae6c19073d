/** The product's version, which is defined only here. */
import manifest from "../../package.json" with {type: "json"};

export const VERSION: string = manifest.version;
