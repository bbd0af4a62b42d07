// A value that must match a pattern is refused in words: every pattern of a setting says its form.
import { configSchema, manifestSchema } from '@keelson/sdk'
import { test } from 'tap'

const file = new URL('../../../.build/operations.mjs', import.meta.url)

type Schema = Readonly<Record<string, unknown>>

interface Operations {
  readPlugins(): Promise<readonly { readonly folder: string; readonly config?: object }[]>
}

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null

/** The paths of patterns without words, in a schema and in all that it holds. */
function wordless(schema: object, path: string): string[] {
  const { pattern, form, patternProperties, nameForm } = schema as Schema
  const own = pattern !== undefined && form === undefined ? [path] : []
  const names = isSchema(patternProperties) ? Object.keys(patternProperties) : []
  const isNarrow = names.some((name) => name !== '^.*$')
  const inside = Object.entries(schema).flatMap(([key, value]) =>
    isSchema(value) ? wordless(value, `${path}.${key}`) : []
  )
  return [...own, ...(isNarrow && nameForm === undefined ? [`${path} names`] : []), ...inside]
}

test('every pattern of plugin.json and of the config of the platform says its form', async (t) => {
  t.same(wordless(manifestSchema, 'plugin.json'), [])
  t.same(wordless(configSchema, 'keelson.config.json'), [])
})

test('every pattern in the settings of our plugins says its form', async (t) => {
  const { readPlugins } = (await import(file.href)) as Operations
  const plugins = await readPlugins()
  t.same(
    plugins.flatMap(({ folder, config }) => (config === undefined ? [] : wordless(config, folder))),
    []
  )
})
