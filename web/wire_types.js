// Reads {file: OpenAPI description} from stdin and writes {file: types of its schemas}, for tools/page_types.py.

import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import openapiTS, { astToString } from "openapi-typescript";
import { format } from "prettier";
import ts from "typescript";

const HEADING = "// What the server sends and takes: written by tools/page_types.py from the server's structs.\n\n";
const style = JSON.parse(readFileSync(new URL(".prettierrc.json", import.meta.url), "utf8"));

async function typesOf(description) {
  const nodes = await openapiTS(description, {
    immutable: true,
    // A response has all its fields, those with a default included; a request may leave those out.
    defaultNonNullable: false,
    emptyObjectsUnknown: true,
    silent: true,
  });
  const memberOf = (members, name) => members.find((member) => member.name?.text === name);
  const schemas = memberOf(memberOf(nodes, "components").members, "schemas").type.members;
  const references = /components\["schemas"\]\["(\w+)"\]/g;
  return HEADING + astToString(schemas.map(exported)).replaceAll(references, "$1");
}

/** The entry of one schema as a type of its own. */
function exported({ name, type, ...entry }) {
  const modifiers = [ts.factory.createModifier(ts.SyntaxKind.ExportKeyword)];
  const declared = ts.isTypeLiteralNode(type)
    ? ts.factory.createInterfaceDeclaration(modifiers, name.text, undefined, undefined, type.members)
    : ts.factory.createTypeAliasDeclaration(modifiers, name.text, undefined, type);
  return ts.setSyntheticLeadingComments(declared, ts.getSyntheticLeadingComments(entry));
}

const written = {};
for (const [file, description] of Object.entries(JSON.parse(await text(process.stdin)))) {
  written[file] = await format(await typesOf(description), { ...style, parser: "typescript" });
}
process.stdout.write(JSON.stringify(written));
