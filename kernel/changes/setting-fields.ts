// The settings of a plugin as fields of a form, from its schema and what they are now. Pure.
import type { SettingField } from '@keelson/sdk/contracts/kernel-plugins'
import { joinKey } from '../manifest/faults.ts'
import {
  conjunctsOf,
  everyPartOf,
  isPlainObject,
  type Part,
  type PlainObject,
  partOf,
  propertyParts
} from '../manifest/schema-parts.ts'
import { openPart } from '../platform/marks.ts'

/** What the settings of a plugin are. */
export interface FieldSource {
  readonly schema: object
  /** In force, with defaults. */
  readonly value: unknown
  /** Of those, what the settings of the platform say. */
  readonly changed: PlainObject
}

/** The parts of a path as `fieldsOf` writes it. */
export const partsOfPath = (path: string): readonly string[] => path.split('.')

/** In the order of the schema. What holds secrets is written as a whole, and its value is in no field. */
export function fieldsOf({ schema, value, changed }: FieldSource): SettingField[] {
  const open = openPart(schema, value)
  const visit = (given: readonly Part[], path: string): SettingField[] =>
    keysOf(given).flatMap((key) => {
      // A key with a dot could not be told from a path.
      if (key.includes('.')) return []
      const parts = propertyParts(given, key).flatMap(conjunctsOf)
      const at = joinKey(path, key)
      const known = shapeOf(parts)
      if (known.type === 'object') return visit(parts, at)
      const isMarked = parts.flatMap(everyPartOf).some((part) => part.schema.secret === true)
      const isSecret = isMarked || (known.type === 'json' && holdsSecret(parts))
      const shape = isMarked && known.type !== 'text' ? JSON_SHAPE : known
      const now = valueAt(open, at)
      return [
        {
          path: at,
          ...wordsOf(parts, at),
          ...shape,
          isSecret,
          isSet: isFilled(valueAt(value, at)),
          isChanged: valueAt(changed, at) !== undefined,
          ...(!isSecret && now !== undefined && { value: now })
        } as SettingField
      ]
    })
  return visit([partOf(schema)].flatMap(conjunctsOf), '')
}

const keysOf = (parts: readonly Part[]): string[] => [
  ...new Set(parts.flatMap(({ schema }) => Object.keys(schema.properties ?? {})))
]

const isFilled = (value: unknown): boolean => value !== undefined && value !== ''

export function valueAt(value: unknown, path: string): unknown {
  return partsOfPath(path).reduce<unknown>(
    (at, key) => (isPlainObject(at) && Object.hasOwn(at, key) ? at[key] : undefined),
    value
  )
}

function wordsOf(
  parts: readonly Part[],
  path: string
): Pick<SettingField, 'title' | 'description'> {
  const said = parts.map(({ schema }) => schema as { title?: unknown; description?: unknown })
  const title = said.find((each) => typeof each.title === 'string')?.title ?? path
  const description = said.find((each) => typeof each.description === 'string')?.description
  return {
    title: String(title),
    ...(description !== undefined && { description: String(description) })
  }
}

type Shape =
  | { readonly type: 'object' | 'json' | 'text' | 'boolean' }
  | { readonly type: 'integer' | 'number'; readonly minimum?: number; readonly maximum?: number }
  | { readonly type: 'choice'; readonly choices: readonly string[] }

const JSON_SHAPE: Shape = { type: 'json' }

function shapeOf(parts: readonly Part[]): Shape {
  const choices = choicesOf(parts)
  if (choices.length > 0) return { type: 'choice', choices }
  const isUnion = parts.some(
    ({ schema }) => schema.anyOf !== undefined || schema.oneOf !== undefined
  )
  if (isUnion) return { type: 'json' }
  const kind = parts.find(({ schema }) => typeof schema.type === 'string')?.schema.type
  switch (kind) {
    case 'boolean':
      return { type: 'boolean' }
    case 'string':
      return { type: 'text' }
    case 'integer':
    case 'number':
      return { type: kind, ...boundsOf(parts) }
    case 'object':
      return { type: keysOf(parts).length > 0 ? 'object' : 'json' }
    default:
      return { type: 'json' }
  }
}

function boundsOf(parts: readonly Part[]) {
  const bounds = parts.map(({ schema }) => schema as { minimum?: number; maximum?: number })
  const minimum = bounds.find((each) => each.minimum !== undefined)?.minimum
  const maximum = bounds.find((each) => each.maximum !== undefined)?.maximum
  return { ...(minimum !== undefined && { minimum }), ...(maximum !== undefined && { maximum }) }
}

/** Of an enumeration of texts; empty for everything else. */
function choicesOf(parts: readonly Part[]): readonly string[] {
  const [found = []] = parts.flatMap(({ schema }) => {
    const branches = schema.anyOf ?? schema.oneOf
    const values = schema.enum ?? branches?.map((branch) => branch.const)
    const isTexts = values?.every((value) => typeof value === 'string') === true
    return isTexts ? [values as readonly string[]] : []
  })
  return found
}

/** Whether anything below is marked secret. */
function holdsSecret(given: readonly Part[]): boolean {
  const seen = new Set<object>()
  const visit = (schema: unknown, definitions: Part['definitions']): boolean => {
    if (typeof schema !== 'object' || schema === null || seen.has(schema)) return false
    seen.add(schema)
    const { secret, $ref } = schema as { secret?: unknown; $ref?: unknown }
    if (secret === true) return true
    const target = definitions[String($ref).replace(/^#\/(\$defs|definitions)\//, '')]
    return [...Object.values(schema), target].some((each) => visit(each, definitions))
  }
  return given.some(({ schema, definitions }) => visit(schema, definitions))
}
