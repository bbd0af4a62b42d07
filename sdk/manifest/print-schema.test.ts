// The published schemas say what the kernel accepts.
import { readFileSync } from 'node:fs'
import { test } from 'tap'
import { Value } from '../typebox.ts'
import { configSchemaText, manifestSchemaText } from './print-schema.ts'

const demo = new URL('../../../examples/platform/keelson.config.json', import.meta.url)

test('every object of the manifest schema is closed', async (t) => {
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

test("the config schema accepts the demo's config, placeholders included", async (t) => {
  const schema = JSON.parse(configSchemaText())
  t.same(Value.Errors(schema, JSON.parse(readFileSync(demo, 'utf8'))), [])
})

test('the config schema accepts a placeholder where another type is expected', async (t) => {
  const schema = JSON.parse(configSchemaText())
  const configOf = (enabled: unknown) => ({ plugins: { telemetry: { enabled, mount: '${AT}' } } })
  t.ok(Value.Check(schema, configOf('${TELEMETRY:true}')))
  t.notOk(Value.Check(schema, configOf('yes')))
  t.notOk(Value.Check(schema, { plugins: { telemetry: { enabeld: true } } }))
})

test('every key of the config says what it means', async (t) => {
  const unsaid: string[] = []
  const visit = (schema: unknown, path: string): void => {
    if (typeof schema !== 'object' || schema === null) return
    const { properties = {} } = schema as Record<string, object>
    for (const [key, child] of Object.entries(properties)) {
      if (!('description' in child)) unsaid.push(`${path}.${key}`)
    }
    for (const [key, child] of Object.entries(schema)) visit(child, `${path}/${key}`)
  }
  visit(JSON.parse(configSchemaText()), '')
  t.same(unsaid, [])
})
