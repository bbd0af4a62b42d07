// Checks what callers pass to operations: types and limits, before anything is written.
import { type Static, schemaFault, type TSchema, Type } from '@keelson/sdk'
import { errors } from '../errors.ts'
import { isMailable } from './address.ts'

const text = (maxLength: number) => Type.String({ minLength: 1, maxLength })

/** Values that many operations take, with their limits. */
export const inputs = {
  externalId: text(256),
  eventName: text(128),
  dedupeKey: text(512),
  slug: Type.String({ maxLength: 128, pattern: '^[a-z0-9]+(-[a-z0-9]+)*$' }),
  tag: text(128),
  notes: Type.String({ maxLength: 1024 }),
  source: text(256),
  reason: text(256),
  abortReason: text(200),
  ip: text(64),
  userAgent: Type.String({ maxLength: 1024 }),
  email: Type.Refine(Type.String(), isMailable, () => 'must be a mail address'),
  date: Type.Refine(
    Type.Unsafe<Date>(Type.Unknown()),
    (value) => value instanceof Date && !Number.isNaN(value.getTime()),
    () => 'must be a valid Date'
  )
} as const

/**
 * The value, once it fits.
 *
 * @throws MLR_INPUT_INVALID, naming the operation and the path
 */
export function checkedInput<T extends TSchema>(
  operation: string,
  schema: T,
  value: unknown
): Static<T> {
  const fault = schemaFault(schema, value)
  if (fault === undefined) return value as Static<T>
  throw errors.MLR_INPUT_INVALID({ operation, ...fault, path: fault.path || 'value' })
}
