/**
 * Prints the syntax tree of a file, a node in each line: its field, its kind, and its text if it has no parts.
 * `npm run -s tree -- FILE [GRAMMAR]`; GRAMMAR is a package's `.wasm` below `node_modules`, for a language without a test reader.
 */
import {readFileSync} from "node:fs";
import {join} from "node:path";
import {Language, Parser} from "web-tree-sitter";
import {languageOf} from "../src/test-code/languages.ts";

const [file = "", grammar = languageOf(file)?.grammar] = process.argv.slice(2);
if (file === "" || grammar === undefined) {
  console.error("usage: npm run -s tree -- FILE [GRAMMAR], such as tree-sitter-go/tree-sitter-go.wasm");
  process.exit(3);
}
await Parser.init();
const parser = new Parser();
parser.setLanguage(await Language.load(join(import.meta.dirname, "../node_modules", grammar)));
print(parser.parse(readFileSync(file, "utf8"))?.rootNode, "", null);

function print(node, indent, field) {
  const text = node.namedChildCount === 0 ? ` ${JSON.stringify(node.text.slice(0, 60))}` : "";
  console.log(`${indent}${field === null ? "" : `${field}: `}${node.type}${text}`);
  for (let at = 0; at < node.childCount; at += 1) {
    const child = node.child(at);
    if (child.isNamed) print(child, `${indent}  `, node.fieldNameForChild(at));
  }
}
