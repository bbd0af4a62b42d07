// What a schema marks in a value: secrets, to be kept back, and public settings, for pages. Pure.

import { joinKey } from '../manifest/faults.ts'
import { partsInForce } from '../manifest/fit.ts'
import {
  everyPartOf,
  isPlainObject,
  itemParts,
  type Part,
  partOf,
  possiblePropertyParts,
  propertyParts
} from '../manifest/schema-parts.ts'

/** What must not reach a log line or a reply. */
export interface Secrets {
  /** As text: strings as they are, numbers as they are printed. */
  readonly values: readonly string[]
  /** Names of the fields that are marked secret, or hold an item that is. */
  readonly fields: readonly string[]
  /** Each secret text and where it is. */
  readonly places: readonly (readonly [path: string, text: string])[]
}

/** Everything that any branch of the schema marks secret, and everything below it. `path` is where the value is. */
export function findSecrets(schema: object, value: unknown, path = ''): Secrets {
  const values = new Set<string>()
  const fields = new Set<string>()
  const places: [path: string, text: string][] = []
  const visit = (given: readonly Part[], part: unknown, holder: Holder): void => {
    const parts = given.flatMap(everyPartOf)
    const isSecret = holder.isSecret || isMarked(parts)
    if (isSecret && !holder.isSecret && holder.field !== undefined) fields.add(holder.field)
    for (const text of isSecret ? textsOf(part) : []) {
      values.add(text)
      places.push([holder.path, text])
    }
    if (Array.isArray(part)) {
      for (const [at, item] of part.entries()) {
        const path = joinKey(holder.path, String(at))
        visit(itemParts(parts, at), item, { ...holder, path, isSecret })
      }
    }
    if (!isPlainObject(part)) return
    for (const [key, child] of Object.entries(part)) {
      const path = joinKey(holder.path, key)
      visit(possiblePropertyParts(parts, key), child, { field: key, path, isSecret })
    }
  }
  visit([partOf(schema)], value, { field: undefined, path, isSecret: false })
  return { values: [...values], fields: [...fields], places }
}

interface Holder {
  /** The nearest named field. */
  readonly field: string | undefined
  readonly path: string
  readonly isSecret: boolean
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return value === '' ? [] : [value]
  return typeof value === 'number' || typeof value === 'bigint' ? [String(value)] : []
}

/** Only the fields marked `public` where they apply, and never one that any branch marks secret. */
export function publicPart(schema: object, value: unknown): Readonly<Record<string, unknown>> {
  const found = shown([partOf(schema)], value, false)
  return isPlainObject(found) ? found : {}
}

/** Everything that no branch of the schema marks secret: for the platform's administrator. */
export const openPart = (schema: object, value: unknown): unknown =>
  shown([partOf(schema)], value, true)

/** `isPublic`: what holds the value is public. Undefined when nothing of the value is. */
function shown(given: readonly Part[], value: unknown, wasPublic: boolean): unknown {
  const possible = given.flatMap(everyPartOf)
  if (isMarked(possible)) return undefined
  const parts = partsInForce(given, value)
  const isPublic = wasPublic || parts.some(({ schema }) => schema.public === true)
  if (Array.isArray(value)) {
    if (!isPublic) return undefined
    return value
      .map((item, at) => shown(itemParts(possible, at), item, true))
      .filter((item) => item !== undefined)
  }
  if (!isPlainObject(value)) return isPublic ? value : undefined
  const entries = Object.entries(value).flatMap(([key, child]): [string, unknown][] => {
    if (isMarked(possiblePropertyParts(possible, key).flatMap(everyPartOf))) return []
    const part = shown(propertyParts(parts, key), child, isPublic)
    return part === undefined ? [] : [[key, part]]
  })
  return entries.length > 0 || isPublic ? Object.fromEntries(entries) : undefined
}

const isMarked = (parts: readonly Part[]): boolean =>
  parts.some(({ schema }) => schema.secret === true)
