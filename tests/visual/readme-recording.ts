/** Writes the recording of the README from a new run: `npm run pictures`. */
import {writeFileSync} from "node:fs";
import {join} from "node:path";
import {recordVerify} from "./record-terminal.ts";

const svg = recordVerify();
writeFileSync(join(import.meta.dirname, "../../docs/pictures/verify.svg"), svg);
console.log(`docs/pictures/verify.svg: ${Buffer.byteLength(svg)} bytes`);
