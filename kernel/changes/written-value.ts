// A setting as it is written into the settings of the platform: texts as they are, secrets as the names of variables. Pure.
import { errors } from '../errors/errors.ts'
import { joinKey } from '../manifest/faults.ts'
import {
  everyPartOf,
  isPlainObject,
  itemParts,
  type Part,
  partOf,
  possiblePropertyParts
} from '../manifest/schema-parts.ts'
import { literal } from '../platform/placeholders.ts'

const SECRET_NAME = /^KEELSON_SECRET_[A-Z0-9_]{1,100}$/

/** Where a value is. */
interface Place {
  readonly plugin: string
  readonly path: string
}

/**
 * The value as a config file has it. In the place of a secret, wherever it is in the value, is the name of a variable.
 *
 * @throws KRN_CHANGE_SECRET for any other secret
 */
export function writtenValue({ plugin, path }: Place, schema: object, value: unknown): unknown {
  const parts = path
    .split('.')
    .reduce<Part[]>(
      (above, key) => possiblePropertyParts(above, key).flatMap(everyPartOf),
      everyPartOf(partOf(schema))
    )
  return written({ plugin, path }, { parts, isSecret: false }, value)
}

/** What is known of a value: its schemas, and whether it is within something secret. */
interface Known {
  readonly parts: readonly Part[]
  readonly isSecret: boolean
}

function written(place: Place, known: Known, value: unknown): unknown {
  const { parts } = known
  const isSecret = known.isSecret || parts.some(({ schema }) => schema.secret === true)
  const below = (key: string | number, found: readonly Part[], child: unknown) => {
    const at = { ...place, path: joinKey(place.path, String(key)) }
    return written(at, { parts: found.flatMap(everyPartOf), isSecret }, child)
  }
  if (isSecret && !holdsValues(value)) return variable(place, value)
  if (Array.isArray(value)) {
    return value.map((child, at) => below(at, itemParts(parts, at), child))
  }
  if (isPlainObject(value)) {
    const entries = Object.entries(value).map(
      ([key, child]) => [key, below(key, possiblePropertyParts(parts, key), child)] as const
    )
    return Object.fromEntries(entries)
  }
  return typeof value === 'string' ? literal(value) : value
}

/** Whether there is anything within it. */
const holdsValues = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0

function variable(place: Place, value: unknown): string {
  if (typeof value === 'string' && SECRET_NAME.test(value)) return `$\{${value}}`
  throw errors.KRN_CHANGE_SECRET({ ...place })
}
