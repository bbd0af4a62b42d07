// Prints plugin-manifest.schema.json: `node sdk/dist/manifest/print-schema.js > plugin-manifest.schema.json`.
import { fileURLToPath } from 'node:url'
import { manifestSchema } from './schema.ts'

/** The published schema of plugin.json, as the text of its file. */
export function manifestSchemaText(): string {
  const schema = { $schema: 'https://json-schema.org/draft/2020-12/schema', ...manifestSchema }
  return `${JSON.stringify(schema, null, 2)}\n`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.stdout.write(manifestSchemaText())
