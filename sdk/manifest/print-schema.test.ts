// plugin-manifest.schema.json is the SDK's schema, and neither drifts from the other.
import { readFileSync } from 'node:fs'
import { test } from 'tap'
import { manifestSchemaText } from './print-schema.ts'

const published = new URL('../../../plugin-manifest.schema.json', import.meta.url)

test('the published schema is the printed one', async (t) => {
  t.equal(readFileSync(published, 'utf8'), manifestSchemaText())
})

test('every object of the schema is closed', async (t) => {
  const open: string[] = []
  const visit = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null) return
    const { type, additionalProperties } = value as Readonly<Record<string, unknown>>
    const isFree = path.endsWith('/partial')
    if (type === 'object' && additionalProperties !== false && !isFree) open.push(path)
    for (const [key, child] of Object.entries(value)) visit(child, `${path}/${key}`)
  }
  visit(JSON.parse(manifestSchemaText()), '')
  t.same(open, [])
})
