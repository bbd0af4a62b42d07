// The published JSON Schemas of plugin.json and of keelson.config.json, as the texts of their files.
import { configSchema } from './config-schema.ts'
import { manifestSchema } from './schema.ts'

type Schema = Readonly<Record<string, unknown>>

const DIALECT = 'https://json-schema.org/draft/2020-12/schema'

/** A text that the environment fills in before the kernel checks the value. */
const PLACEHOLDER = { type: 'string', pattern: '\\$\\{[A-Za-z_]' } as const

/** The schema of plugin.json. */
export function manifestSchemaText(): string {
  return textOf(manifestSchema)
}

/** The schema of keelson.config.json. It takes `${NAME}` where the kernel's own check sees the value. */
export function configSchemaText(): string {
  return textOf(withPlaceholders({ ...configSchema }))
}

function textOf(schema: object): string {
  return `${JSON.stringify({ $schema: DIALECT, ...schema }, null, 2)}\n`
}

function withPlaceholders(schema: Schema): Schema {
  const { anyOf, properties, patternProperties, ...rest } = schema
  if (Array.isArray(anyOf)) return { ...rest, anyOf: [...anyOf, PLACEHOLDER] }
  if (properties !== undefined) return { ...schema, properties: eachWithPlaceholders(properties) }
  if (patternProperties !== undefined) {
    return { ...schema, patternProperties: eachWithPlaceholders(patternProperties) }
  }
  if (!refusesPlaceholder(schema)) return schema
  const { description, default: fallback, ...check } = schema
  return { description, default: fallback, anyOf: [check, PLACEHOLDER] }
}

function eachWithPlaceholders(schemas: unknown): Schema {
  return Object.fromEntries(
    Object.entries(schemas as Readonly<Record<string, Schema>>).map(([key, child]) => [
      key,
      withPlaceholders(child)
    ])
  )
}

function refusesPlaceholder({ type, pattern }: Schema): boolean {
  return type === 'boolean' || type === 'number' || type === 'integer' || pattern !== undefined
}
